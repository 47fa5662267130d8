import { heartbeatIntervalMinutes } from '../../lambdas/contract/heartbeat.ts';
import * as limits from '../../lambdas/contract/limits.ts';
import * as assumed from './assumed.ts';
import { addUsages, billOf, dollarsFor, gigabyte, gigabyteSeconds, type Usage } from './bill.ts';
import { dollars, table } from './documents.ts';
import * as list from './prices.ts';
import { floodRequests, type Measurement, type ScenarioName } from './scenarios.ts';
import titles from './titles.json' with { type: 'json' };

const million = 1_000_000;

/** The tables that `npm run measure` prints, by name; those with a block are in `docs/cost.md`. */
export function costTables(measured: Measurement): Readonly<Record<string, string>> {
  const idle = idleMonth(measured);
  const total = idle.reduce((sum, [, , amount]) => sum + amount, 0);
  return {
    million: millionEvents(measured),
    units: operationTable(measured),
    idle: table('per month | how many | list price', [
      ...idle.map(([title, many, amount]) => [title, many, dollars(amount)]),
      ['**total**', '', `**${dollars(total)}**`],
    ]),
    prices: table(
      'billed unit | price | source',
      Object.values(list.prices).map(({ dollars: amount, per, unit, source }) => [
        ...[unit, `$${amount}${per === million ? ' a million' : ''}`, source],
      ]),
    ),
  };
}

type Amounts = readonly (readonly [title: string, what: string | number, dollars: number])[];

const timesAMonth = (minutes: number): number => (list.hoursPerMonth * 60) / minutes;
const auditsPerMonth = timesAMonth(limits.webhookAuditIntervalMinutes);

/** A month without webhooks. */
function idleMonth({ stack, counted }: Measurement): Amounts {
  const receives = stack.polledQueues * assumed.emptyPollsPerSecond * list.secondsPerMonth;
  const counts = timesAMonth(limits.waitingCountIntervalMinutes);
  const beats = timesAMonth(heartbeatIntervalMinutes);
  const checks = timesAMonth(limits.selfCheckIntervalMinutes);
  const checked = gigabyteSeconds('self-check', 1, stack);
  const scheduled = { invocations: 1, scheduled: 1 };
  const audit = {
    ...{ ...scheduled, secretReads: 1 },
    gigabyteSeconds: gigabyteSeconds('webhook-audit', 1, stack),
  };
  return [
    [
      'alarms',
      `${stack.alarms} alarms over ${stack.alarmMetrics} metrics`,
      list.cost(stack.alarmMetrics, 'alarmMetricMonth'),
    ],
    ['secrets', stack.secrets, list.cost(stack.secrets, 'secretMonth')],
    ['polls of the empty queue', receives, list.cost(receives, 'queueRequest')],
    ['webhook audits', auditsPerMonth, dollarsFor(audit, auditsPerMonth)],
    [
      'counts of what waits',
      counts,
      dollarsFor(addUsages([counted.waiting.usage, 1], [{ scheduled: 1 }, 1]), counts),
    ],
    ['checks of the safeguards', checks, dollarsFor({ ...scheduled, gigabyteSeconds: checked }, checks)],
    ['heartbeats', beats, heartbeats({ stack, counted })],
  ];
}

/**
 * Each takes the way of a payment, with its lines and two invocations, and its order is read; the verifier
 * reads the key hourly.
 */
function heartbeats({ stack, counted: { logged, order } }: Measurement): number {
  const many = timesAMonth(heartbeatIntervalMinutes);
  const own: Usage = {
    invocations: 2,
    scheduled: 1,
    gigabyteSeconds: gigabyteSeconds('heartbeat', 1, stack) + gigabyteSeconds('heartbeat-return', 1, stack),
  };
  const secretReads = { secretReads: list.hoursPerMonth / many };
  const passed = addUsages([logged.usage, 1], [logged.feed, 1], [order.usage, 1]);
  return dollarsFor(addUsages([passed, 1], [own, 1], [secretReads, 1]), many);
}

function millionEvents({ counted: { paid, tenOrders } }: Measurement): string {
  const [one, ten] = [
    billOf(addUsages([paid.usage, million])),
    billOf(addUsages([tenOrders.usage, million / 10])),
  ];
  const [received, inTens] = [dollarsFor(paid.usage, million), dollarsFor(tenOrders.usage, million / 10)];
  const [feed, feedInTens] = [dollarsFor(paid.feed, million), dollarsFor(tenOrders.feed, million / 10)];
  const ratio = (amount: number, other: number): string => `${(amount / other).toFixed(2)} ×`;
  return table('a million paid events | one per batch | ten per batch', [
    ...one.flatMap(({ title, dollars: amount }, index) =>
      amount === 0 ? [] : [[title, dollars(amount), dollars(ten[index]?.dollars ?? 0)]],
    ),
    ['**receive and record**', `**${dollars(received)}**`, `**${dollars(inTens)}**`],
    ['order feed', dollars(feed), dollars(feedInTens)],
    ['**with the order feed**', `**${dollars(received + feed)}**`, `**${dollars(inTens + feedInTens)}**`],
    ...Object.entries(list.otherBuilds).map(([name, other]) => {
      const title = `receive and record ÷ ${name} (${dollars(other)})`;
      return [title, ratio(received, other), ratio(inTens, other)];
    }),
  ]);
}

/** What each operation uses. */
function operationTable({ counted }: Measurement): string {
  const rows = Object.entries(titles).map(([name, title]) => {
    const { usage, feed } = counted[name as ScenarioName];
    const part = name === 'flood' ? 1 / floodRequests : 1;
    const of = addUsages([usage, part], [feed, part]);
    const counts = [of.gatewayRequests, of.invocations, of.queueRequests, of.eventWrites, of.orderWrites];
    const others = [of.indexWrites, of.reads, of.busEvents, Math.round((of.logs ?? 0) * gigabyte)];
    return [title, ...[...counts, ...others].map((count) => count ?? 0), dollars(dollarsFor(of, 1_000_000))];
  });
  const header = 'what happens | API requests | invocations | SQS requests | event writes | order writes';
  return table(`${header} | index writes | reads | bus events | log bytes | a million of it`, rows);
}
