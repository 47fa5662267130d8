import { heartbeatIntervalMinutes } from '../../lambdas/contract/heartbeat.ts';
import * as limits from '../../lambdas/contract/limits.ts';
import type { OtherUsages } from '../baseline/cost.ts';
import * as assumed from './assumed.ts';
import { aboveFree, addUsages, billOf, dollarsFor, gigabyte, gigabyteSeconds, type Usage } from './bill.ts';
import { dollars, table } from './documents.ts';
import * as list from './prices.ts';
import { floodRequests, type Measurement, type ScenarioName } from './scenarios.ts';
import titles from './titles.json' with { type: 'json' };

const million = 1_000_000;

/** The tables that `npm run measure` prints, by name; those with a block are in `docs/cost.md`. */
export function costTables(measured: Measurement, others: OtherUsages): Readonly<Record<string, string>> {
  const idle = idleMonth(measured);
  const month = addUsages(...idle.map(([, , usage]) => [usage, 1] as const));
  return {
    million: millionEvents(measured, others),
    windows: windowTable(measured),
    core: coreTable(measured),
    provisioned: provisionedTable(measured),
    merchants: table(
      'paid events a month | list price | above the free tier',
      [10_000, million].map((events) => {
        const all = addUsages(
          [month, 1],
          [measured.counted.paid.usage, events],
          [measured.counted.paid.feed, events],
        );
        return [events, dollars(dollarsFor(all)), dollars(dollarsFor(aboveFree(all)))];
      }),
    ),
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

/** The least that an HTTP API, a queue and two writes can use: Lambda bills a millisecond of 128 MB. */
function floorOf(records: number): Usage {
  const invocations = 1 + 1 / records;
  const queueRequests = 1 + 2 / records;
  const gigabyteSeconds = invocations * 0.125 * 0.001;
  return { gatewayRequests: 1, invocations, gigabyteSeconds, queueRequests, eventWrites: 1, orderWrites: 1 };
}

function millionEvents({ counted: { paid, tenOrders } }: Measurement, { usual, lean }: OtherUsages): string {
  const payhooks = { one: paid.usage, ten: addUsages([tenOrders.usage, 1 / 10]) };
  const builds = [payhooks, usual, lean, { one: floorOf(1), ten: floorOf(10) }];
  const bills = builds.map(({ one }) => billOf(addUsages([one, million])));
  const lines = (bills[0] ?? []).map(({ title }, index) => ({
    title,
    amounts: bills.map((bill) => bill[index]?.dollars ?? 0),
  }));
  const [feed, feedInTens] = [dollarsFor(paid.feed, million), dollarsFor(tenOrders.feed, million / 10)];
  const total = (usage: Usage): number => dollarsFor(usage, million);
  const bold = (text: string): string => `**${text}**`;
  return table('a million paid events | payhooks | usual | lean | floor', [
    ...lines
      .filter(({ amounts }) => amounts.some((amount) => amount > 0))
      .map(({ title, amounts }) => [title, ...amounts.map(dollars)]),
    [bold('receive and record'), ...builds.map(({ one }) => bold(dollars(total(one))))],
    [bold('with the order feed'), bold(dollars(total(payhooks.one) + feed)), '', '', ''],
    ['receive and record, ten per batch', ...builds.map(({ ten }) => dollars(total(ten)))],
    ['with the order feed, ten per batch', dollars(total(payhooks.ten) + feedInTens), '', '', ''],
  ]);
}

/** What an event costs in batches of a size between one and ten. */
const inBatches = (one: number, ten: number, batch: number): number =>
  (one + ((ten - one) * (batch - 1)) / 9) / batch;

const rates = [0.1, 1, 10, 100, 1_000];

/** What a batch window of a second saves, with the order feed. */
function windowTable({ counted: { paid, tenOrders } }: Measurement): string {
  const total = ({ usage, feed }: typeof paid): number => million * (dollarsFor(usage) + dollarsFor(feed));
  const costOf = (batch: number): number => inBatches(total(paid), total(tenOrders), batch);
  return table(
    'events per second | a million, without a window | with a second | saved a month',
    rates.map((rate) => {
      const [alone, gathered] = [0, 1].map((seconds) => costOf(assumed.batchOf(rate, seconds)));
      const saved = ((alone ?? 0) - (gathered ?? 0)) * monthlyMillions(rate);
      return [rate, ...[alone ?? 0, gathered ?? 0, saved].map(dollars)];
    }),
  );
}

const monthlyMillions = (eventsPerSecond: number): number =>
  (eventsPerSecond * list.secondsPerMonth) / million;

/** What a million events cost at ten a second, without the order feed, as settings save writes. */
function coreTable({ counted: { paid, tenOrders } }: Measurement): string {
  const [one, ten] = [dollarsFor(paid.usage, million), dollarsFor(tenOrders.usage, million)];
  const row = (title: string, saved: Usage) => {
    const costs = [0, 1].map((seconds) => inBatches(one, ten, assumed.batchOf(10, seconds)));
    return [title, ...costs.map((amount) => dollars(amount - dollarsFor(saved, million)))];
  };
  return table('a million paid events, 10 a second, without the order feed | no window | a second', [
    row('receive and record', {}),
    row('without `changesIndex`', { indexWrites: 1 }),
    row('without `changesIndex` and `transactionRows`', { indexWrites: 1, eventWrites: 1 }),
  ]);
}

/** What writes cost on demand and provisioned, when the rate is steady. */
function provisionedTable({ counted: { paid } }: Measurement): string {
  const { eventWrites = 0, orderWrites = 0, indexWrites = 0 } = paid.usage;
  const writes = eventWrites + orderWrites + indexWrites;
  return table(
    'events per second | units per second | on demand, a month | provisioned, a month',
    rates.slice(3).map((rate) => {
      const units = Math.ceil((writes * rate) / assumed.provisionedUse);
      const onDemand = list.cost(writes * monthlyMillions(rate) * million, 'writeUnit');
      const provisioned = list.cost(units * list.hoursPerMonth, 'provisionedWriteHour');
      return [rate, units, dollars(onDemand), dollars(provisioned)];
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
