import { alarmTable } from './alarm-lines.ts';
import * as assumed from './assumed.ts';
import { addUsages, billOf, gigabyte, sumOf, type Usage, withoutFeed } from './bill.ts';
import { decimal, dollars, table } from './documents.ts';
import { auditsPerMonth, idleMonth, settingAdditions } from './idle-stack.ts';
import { limits, reconcileLimits } from './payhooks.ts';
import * as list from './prices.ts';
import { rowTable } from './row-sizes.ts';
import { floodRequests, type Measurement, type ScenarioName } from './scenarios.ts';
import { optionsTable, steadyTable } from './steady.ts';
import { sizeTable, storageTable, storedAfterYear, tableClasses } from './storage.ts';
import { readUnits } from './units.ts';

const million = 1_000_000;

/** The tables of `docs/cost.md`, by the name of their block. */
export function costTables(measured: Measurement): Readonly<Record<string, string>> {
  const idle = idleMonth(measured);
  return {
    merchants: merchants(measured),
    million: millionEvents(measured),
    steady: steadyTable(measured),
    options: optionsTable(measured),
    units: units(measured),
    flood: flood(measured),
    idle: table('per month | how many | list price | above the free tier', [
      ...idle.map((line) => [line.title, line.many, dollars(line.dollars), dollars(line.own)]),
      [
        '**total**',
        '',
        `**${dollars(sumOf(idle))}**`,
        `**${dollars(idle.reduce((sum, { own }) => sum + own, 0))}**`,
      ],
    ]),
    alarms: alarmTable(measured),
    settings: table(
      'setting | what it adds | dollars a month',
      settingAdditions(measured).map((one) => [one.setting, one.adds, dollars(one.dollars)]),
    ),
    storage: storageTable(measured),
    sizes: sizeTable(measured),
    'table-class': tableClasses(measured),
    rows: rowTable(),
    prices: table(
      'billed unit | price | source',
      Object.values(list.prices).map(([amount, unit, source]) => {
        const perMillion = `$${Number((amount * million).toFixed(4))} a million`;
        return [unit, amount < 0.001 ? perMillion : `$${amount}`, source];
      }),
    ),
  };
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
  const { paid, refund, duplicate } = assumed.webhookShares;
  // By the one copy of a function that is always warm; more of them, in the busiest seconds, add cents.
  const reads = (keptSeconds: number): number => Math.min(webhooks, list.secondsPerMonth / keptSeconds);
  return addUsages(
    [counted.paid.usage, webhooks * paid],
    [counted.refund.usage, webhooks * refund],
    [counted.duplicate.usage, webhooks * duplicate],
    [reconciled(webhooks, stack), 1],
    [{ secretReads: reads(limits.secretMaxAgeSeconds), keyReads: 2 * reads(assumed.tableKeySeconds) }, 1],
  );
}

function merchants(measured: Measurement): string {
  const idle = sumOf(idleMonth(measured));
  const rows = [10_000, million, 100 * million].map((webhooks) => {
    const events = sumOf(billOf(monthOf(webhooks, measured)));
    const stored = storedAfterYear(measured, webhooks, 'standard');
    const infrequent = storedAfterYear(measured, webhooks, 'infrequent-access');
    const perMillion = ((idle + events) * million) / webhooks;
    return [webhooks, ...[idle, events, idle + events, perMillion, stored, infrequent].map(dollars)];
  });
  const header = 'webhooks a month | idle stack | webhooks | total | per million | storage after a year';
  return table(`${header} | with \`eventsTableClass\``, rows);
}

function millionEvents({ counted }: Measurement): string {
  const one = billOf(addUsages([counted.paid.usage, million]));
  const ten = billOf(addUsages([counted.tenOrders.usage, million / 10]));
  const row = (name: string, of: (bill: typeof one) => string) => [name, of(one), of(ten)];
  const lines = one.map((line, index) => [line.title, line.dollars, ten[index]?.dollars ?? 0] as const);
  const received = (bill: typeof one): number => sumOf(withoutFeed(bill));
  return table('a million paid events | one per batch | ten per batch', [
    ...lines.flatMap(([title, ...both]) => (both[0] === 0 ? [] : [[title, ...both.map(dollars)]])),
    row('**receive and record**', (bill) => `**${dollars(received(bill))}**`),
    row('**with the order feed**', (bill) => `**${dollars(sumOf(bill))}**`),
    ...Object.entries(list.otherBuilds).map(([name, other]) =>
      row(
        `receive and record ÷ ${name} (${dollars(other)})`,
        (bill) => `${(received(bill) / other).toFixed(2)} ×`,
      ),
    ),
    row(
      'with the order feed ÷ baseline, which has no feed',
      (bill) => `${(sumOf(bill) / list.otherBuilds.baseline).toFixed(2)} ×`,
    ),
  ]);
}

/** A day of forgeries, as many as the API admits. */
function flood({ counted, stack }: Measurement): string {
  const forgeries = 86_400 * stack.webhookRequestsPerSecond;
  const bill = billOf(addUsages([counted.flood.usage, forgeries / floodRequests]));
  const lines = bill.flatMap((line) => (line.dollars === 0 ? [] : [[line.title, dollars(line.dollars)]]));
  const title = `a day of forgeries, ${decimal(stack.webhookRequestsPerSecond)} a second`;
  return table(`${title} | dollars`, [...lines, ['**total**', `**${dollars(sumOf(bill))}**`]]);
}

const titles: Readonly<Partial<Record<ScenarioName, string>>> = {
  paid: 'a paid event, with its feed',
  refund: 'a refund of a paid order',
  duplicate: 'a second delivery',
  expiring: 'a paid event, with `eventRetentionDays`',
  orderlessRefund: 'a refund without an order id, of a paid order',
  unassigned: 'a refund without an order id, which waits for its payment',
  latePayment: 'the payment that it waits for',
  conflict: 'another payment under the id of an event, which waits',
  unrecognised: 'a signed body that is no event, and waits',
  logged: 'a paid event, with `logLevel` `info`',
  large: 'a paid event of 100 KB, which hardly compresses',
  forged: 'a forged request',
  tenOrders: 'ten paid events of ten orders, in one batch',
  hot10: 'ten paid events of one order, in one batch',
  order: '`GET /orders/{order_id}`',
  page: '`GET /orders`, 50 orders',
  emptyPage: '`GET /orders`, nothing new',
};

function units({ counted }: Measurement): string {
  const rows = Object.entries(titles).map(([name, title]) => {
    const { usage: of } = counted[name as ScenarioName];
    const invocations = (of.invocations ?? 0) + (of.feedInvocations ?? 0);
    const counts = [of.gatewayRequests, invocations, of.queueRequests, of.eventWrites, of.orderWrites];
    const others = [of.indexWrites, of.reads, of.busEvents, Math.round((of.keptLogs ?? 0) * gigabyte)];
    const price = dollars(sumOf(billOf(addUsages([of, million]))));
    return [title, ...[...counts, ...others].map((count) => count ?? 0), price];
  });
  const header = 'what happens | API requests | invocations | SQS requests | event writes | order writes';
  return table(`${header} | index writes | reads | bus events | log bytes | a million of it`, rows);
}
