import { heartbeatIntervalMinutes } from '../../lambdas/contract/heartbeat.ts';
import * as limits from '../../lambdas/contract/limits.ts';
import * as assumed from './assumed.ts';
import { aboveFree, addUsages, billOf, dollarsFor, gigabyte, gigabyteSeconds, type Usage } from './bill.ts';
import { dollars, table } from './documents.ts';
import * as list from './prices.ts';
import { floodRequests, type Measurement, type ScenarioName } from './scenarios.ts';
import titles from './titles.json' with { type: 'json' };

const million = 1_000_000;

/** The tables that `npm run measure` prints, by name; those with a block are in `docs/cost.md`. */
export function costTables(measured: Measurement): Readonly<Record<string, string>> {
  const idle = idleMonth(measured);
  const month = addUsages(...idle.map(([, , usage]) => [usage, 1] as const));
  return {
    million: millionEvents(measured),
    windows: windowTable(measured),
    units: operationTable(measured),
    idle: table('per month | how many | list price', [
      ...idle.map(([title, many, usage]) => [title, many, dollars(dollarsFor(usage))]),
      ['**total**', '', `**${dollars(dollarsFor(month))}**`],
      ['**above the free tier**', '', `**${dollars(dollarsFor(aboveFree(month)))}**`],
    ]),
    prices: table(
      'billed unit | price | source',
      Object.values(list.prices).map(({ dollars: amount, per, unit, source }) => [
        ...[unit, `$${amount}${per === million ? ' a million' : ''}`, source],
      ]),
    ),
  };
}

type IdleRow = readonly [title: string, howMany: string | number, usage: Usage];

const timesAMonth = (minutes: number): number => (list.hoursPerMonth * 60) / minutes;

/** A month without webhooks. */
function idleMonth({ stack, counted }: Measurement): readonly IdleRow[] {
  const queueRequests = stack.polledQueues * assumed.emptyPollsPerSecond * list.secondsPerMonth;
  const { alarmMetrics, secrets } = stack;
  const scheduled = { invocations: 1, scheduled: 1 };
  const many = (title: string, minutes: number, ...parts: readonly Usage[]): IdleRow => {
    const times = timesAMonth(minutes);
    return [title, times, addUsages(...parts.map((usage) => [usage, times] as const))];
  };
  const run = (stage: assumed.Stage): Usage => ({
    ...scheduled,
    gigabyteSeconds: gigabyteSeconds(stage, 1, stack),
  });
  const audit = { ...run('webhook-audit'), secretReads: 1 };
  const { waiting } = counted;
  return [
    ['alarms', `${stack.alarms} alarms over ${alarmMetrics} metrics`, { alarmMetrics }],
    ['own metrics', assumed.idleMetrics, { ownMetrics: assumed.idleMetrics }],
    ['secrets', secrets, { secrets }],
    many("requests of the tables' key", assumed.tableKeyMinutes, { keyRequests: 2 }),
    ['polls of the empty queue', queueRequests, { queueRequests }],
    many('webhook audits', limits.webhookAuditIntervalMinutes, audit),
    many('counts of what waits', limits.waitingCountIntervalMinutes, waiting.usage, { scheduled: 1 }),
    many('checks of the safeguards', limits.selfCheckIntervalMinutes, run('self-check')),
    many('heartbeats', heartbeatIntervalMinutes, heartbeat({ stack, counted })),
  ];
}

/**
 * Takes the way of a payment, with its lines and two invocations, and its order is read; the verifier reads
 * the key of heartbeats and the private keys hourly.
 */
function heartbeat({ stack, counted: { logged, order } }: Measurement): Usage {
  const own: Usage = {
    invocations: 2,
    scheduled: 1,
    gigabyteSeconds: gigabyteSeconds('heartbeat', 1, stack) + gigabyteSeconds('heartbeat-return', 1, stack),
    secretReads: (2 * heartbeatIntervalMinutes) / 60,
  };
  return addUsages([logged.usage, 1], [logged.feed, 1], [order.usage, 1], [own, 1]);
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

const rates = [0.1, 1, 10, 100, 1_000];

/** What a batch window of a second saves, with the order feed. */
function windowTable({ counted: { paid, tenOrders } }: Measurement): string {
  const total = ({ usage, feed }: typeof paid): number => million * (dollarsFor(usage) + dollarsFor(feed));
  const [one, ten] = [total(paid), total(tenOrders)];
  const costOf = (batch: number): number => (one + ((ten - one) * (batch - 1)) / 9) / batch;
  const title = 'events per second | events in a batch | with a second | a million events | with a second';
  return table(
    `${title} | saved a month`,
    rates.map((rate) => {
      const [alone, gathered] = [assumed.batchOf(rate, 0), assumed.batchOf(rate, 1)];
      const saved = (costOf(alone) - costOf(gathered)) * ((rate * list.secondsPerMonth) / million);
      return [rate, alone, gathered, ...[costOf(alone), costOf(gathered), saved].map(dollars)];
    }),
  );
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
