import { heartbeatIntervalMinutes } from '../../lambdas/contract/heartbeat.ts';
import * as limits from '../../lambdas/contract/limits.ts';
import * as reconcileLimits from '../../lambdas/contract/reconcile-limits.ts';
import * as assumed from './assumed.ts';
import { addUsages, billOf, dollarsFor, gigabyte, gigabyteSeconds, type Usage } from './bill.ts';
import { dollars, table } from './documents.ts';
import { operationTable } from './operation-table.ts';
import * as list from './prices.ts';
import type { Measurement } from './scenarios.ts';
import { readUnits } from './units.ts';

const million = 1_000_000;

/** The tables of `docs/cost.md`, by the name of their block. */
export function costTables(measured: Measurement): Readonly<Record<string, string>> {
  const idle = idleMonth(measured);
  const total = idle.reduce((sum, [, , amount]) => sum + amount, 0);
  return {
    merchants: merchants(measured, total),
    million: millionEvents(measured),
    units: operationTable(measured),
    idle: table('per month | how many | list price', [
      ...idle.map(([title, many, amount]) => [title, many, dollars(amount)]),
      ['**total**', '', `**${dollars(total)}**`],
    ]),
    storage: storageTable(measured),
    prices: table(
      'billed unit | price | source',
      Object.values(list.prices).map(([amount, unit, source]) => {
        const perMillion = `$${Number((amount * million).toFixed(4))} a million`;
        return [unit, amount < 0.001 ? perMillion : `$${amount}`, source];
      }),
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
    ['dashboard', stack.dashboards, list.cost(stack.dashboards, 'dashboardMonth')],
    ['secrets', stack.secrets, list.cost(stack.secrets, 'secretMonth')],
    ['polls of the empty queue', receives, list.cost(receives, 'queueRequest')],
    ['webhook audits', auditsPerMonth, dollarsFor(audit, auditsPerMonth)],
    [
      'counts of what waits',
      counts,
      dollarsFor(addUsages([counted.waiting.usage, 1], [{ scheduled: 1 }, 1]), counts),
    ],
    ['heartbeats', beats, heartbeats({ stack, counted })],
    ['metric of heartbeats', 1, list.cost(1, 'metricMonth')],
  ];
}

/** Each takes the way of a payment, with its lines and two invocations; the verifier reads the key hourly. */
function heartbeats({ stack, counted: { logged } }: Measurement): number {
  const many = timesAMonth(heartbeatIntervalMinutes);
  const own: Usage = {
    invocations: 2,
    scheduled: 1,
    gigabyteSeconds: 2 * gigabyteSeconds('heartbeat', 1, stack),
  };
  const secretReads = { secretReads: list.hoursPerMonth / many };
  return dollarsFor(addUsages([logged.usage, 1], [logged.feed, 1], [own, 1], [secretReads, 1]), many);
}

/** What deliveries add to the audits: two of them look up each one, as far as an audit reads the history. */
function reconciled(webhooks: number, { memoryMegabytes }: Measurement['stack']): Usage {
  const { reconcileWindowSeconds, reconcilePagesMax, historyPageAttempts } = reconcileLimits;
  const audits = reconcileWindowSeconds / 60 / limits.webhookAuditIntervalMinutes;
  const pages = Math.min((audits * webhooks) / historyPageAttempts, auditsPerMonth * reconcilePagesMax);
  // The latest deliveries are read as well, and those are not looked up yet.
  const seconds = (2 * pages * assumed.historyPageMilliseconds) / 1000;
  const gigabytes = (memoryMegabytes['webhook-audit'] ?? 0) / 1024;
  return { reads: readUnits(0, false) * pages * historyPageAttempts, gigabyteSeconds: seconds * gigabytes };
}

/** A month of `webhooks` in the assumed mix, without the idle stack. */
export function monthOf(webhooks: number, { counted, stack }: Measurement): Usage {
  // By the one copy of a function that is always warm; more of them, in the busiest seconds, add cents.
  const reads = (keptSeconds: number): number => Math.min(webhooks, list.secondsPerMonth / keptSeconds);
  const shares = Object.entries(assumed.webhookShares) as [keyof typeof assumed.webhookShares, number][];
  return addUsages(
    ...shares.flatMap(([name, share]) => [
      [counted[name].usage, webhooks * share] as const,
      [counted[name].feed, webhooks * share] as const,
    ]),
    [reconciled(webhooks, stack), 1],
    [{ secretReads: reads(limits.secretMaxAgeSeconds), keyReads: 2 * reads(assumed.tableKeySeconds) }, 1],
  );
}

function merchants(measured: Measurement, idle: number): string {
  const rows = [10_000, million, 100 * million].map((webhooks) => {
    const events = dollarsFor(monthOf(webhooks, measured));
    const kept = 12 * webhooks * assumed.webhookShares.paid;
    const stored = (tableClass: TableClass): number =>
      kept * storedByPaid(measured).reduce((sum, { costIn }) => sum + costIn(tableClass), 0);
    const perMillion = ((idle + events) * million) / webhooks;
    const amounts = [
      idle,
      events,
      idle + events,
      perMillion,
      stored('standard'),
      stored('infrequent-access'),
    ];
    return [webhooks, ...amounts.map(dollars)];
  });
  const header = 'webhooks a month | idle stack | webhooks | total | per million | storage after a year';
  return table(`${header} | with \`eventsTableClass\``, rows);
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

type TableClass = 'standard' | 'infrequent-access';

/** What a paid event leaves, with DynamoDB's 100 bytes for each; recovery does not cover indexes. */
function storedByPaid({ counted }: Measurement) {
  const written = (row: string) => counted.paid.calls.find(({ key }) => key?.startsWith(`live:${row}:`));
  const stored = (title: string, itemBytes = 0, kind: 'event' | 'order' | 'index' = 'event') => {
    const costIn = (tableClass: TableClass): number => {
      const isInfrequent = kind === 'event' && tableClass === 'infrequent-access';
      const price = isInfrequent ? 'infrequentGigabyteMonth' : 'tableGigabyteMonth';
      const quantity = (itemBytes + 100) / gigabyte;
      return (
        list.cost(quantity, price) + (kind === 'index' ? 0 : list.cost(quantity, 'recoveryGigabyteMonth'))
      );
    };
    return { title, bytes: itemBytes + 100, costIn };
  };
  return [
    stored('row of the event', written('event')?.itemBytes),
    stored('row of the transaction', written('transaction')?.itemBytes),
    stored('row of the order', written('order')?.itemBytes, 'order'),
    stored('entry in the index of changes', written('order')?.indexBytes, 'index'),
  ];
}

function storageTable(measured: Measurement): string {
  const writes = (measured.counted.paid.usage.eventWrites ?? 0) * million;
  return table('left by a paid event | bytes | a million of them, per month | with `infrequent-access`', [
    ...storedByPaid(measured).map(({ title, bytes, costIn }) => [
      ...[title, bytes],
      ...(['standard', 'infrequent-access'] as const).map((tableClass) =>
        dollars(costIn(tableClass) * million),
      ),
    ]),
    [
      'once: the writes of the first two',
      '',
      dollars(list.cost(writes, 'writeUnit')),
      dollars(list.cost(writes, 'infrequentWriteUnit')),
    ],
  ]);
}
