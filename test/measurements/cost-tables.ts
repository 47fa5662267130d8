import * as assumed from './assumptions.ts';
import {
  assumedDurations,
  type BillLine,
  billOf,
  type Durations,
  emptyReceivesPerMonth,
  idleBill,
  sumOf,
} from './bill.ts';
import { count, dollars, table, times, whole } from './markdown.ts';
import type { Measurement } from './measurement.ts';
import { billOfMonth } from './month.ts';
import { floorDollars, naiveDollars } from './references.ts';
import type { ScenarioName } from './scenarios.ts';
import { sensitivityTables } from './sensitivity-tables.ts';
import { timesUsage, type Usage } from './usage.ts';

const million = 1_000_000;

/** The tables of `docs/cost.md`, by name. */
export function costTables(measured: Measurement): Readonly<Record<string, string>> {
  return {
    merchants: merchants(measured),
    million: millionEvents(measured),
    units: units(measured),
    idle: idle(measured),
    ...sensitivityTables(measured),
  };
}

const durationsOf = ({ scenarios }: Measurement, full = false): Durations =>
  assumedDurations(scenarios.billing.memoryMegabytes, full);

function merchants(measured: Measurement): string {
  const { scenarios, inventory } = measured;
  const idleDollars = sumOf(idleBill(inventory, durationsOf(measured), scenarios.usages.auditHour));
  const rows = [10_000, million, 100 * million].map((webhooks) => {
    const { lines, storageAfterYear } = billOfMonth(webhooks, scenarios, durationsOf(measured));
    const webhookDollars = sumOf(lines);
    const total = idleDollars + webhookDollars;
    return [
      whole(webhooks),
      dollars(idleDollars),
      dollars(webhookDollars),
      dollars(total),
      dollars((total * million) / webhooks),
      dollars(storageAfterYear),
    ];
  });
  const header = [
    'webhooks a month',
    'idle stack',
    'webhooks',
    'together',
    'per million',
    'storage, after a year',
  ];
  return table(header, rows);
}

function millionEvents(measured: Measurement): string {
  const { paid, tenPaid } = measured.scenarios.usages;
  const one = billOf(timesUsage(paid, million), durationsOf(measured));
  const full = billOf(timesUsage(tenPaid, million / 10), durationsOf(measured, true));
  const row = (name: string, of: (lines: readonly BillLine[]) => string): string[] => [
    name,
    of(one),
    of(full),
  ];
  const receiving = (lines: readonly BillLine[]): number => sumOf(lines.filter(({ feed }) => feed !== true));
  return table(
    ['a million paid events', 'one per batch', 'ten per batch'],
    [
      ...one.flatMap(({ name, dollars: amount }, index) =>
        amount === 0 ? [] : [row(name, (lines) => dollars(lines[index]?.dollars ?? 0))],
      ),
      row('**receive and record**', (lines) => `**${dollars(receiving(lines))}**`),
      row('**with the order feed**', (lines) => `**${dollars(sumOf(lines))}**`),
      row(`receive and record, against the naive build (${dollars(naiveDollars)})`, (lines) =>
        times(receiving(lines) / naiveDollars),
      ),
      row(`receive and record, against the floor (${dollars(floorDollars)})`, (lines) =>
        times(receiving(lines) / floorDollars),
      ),
      row('with the order feed, against the naive build, which has none', (lines) =>
        times(sumOf(lines) / naiveDollars),
      ),
    ],
  );
}

const scenarioNames: Readonly<Partial<Record<ScenarioName, string>>> = {
  paid: 'a paid event, with its feed',
  publication: 'its feed alone',
  refund: 'a refund of a paid order',
  duplicate: 'a second delivery',
  unrecognised: 'a signed body that is no event',
  forged: 'a forged request',
  order: '`GET /orders/{order_id}`',
  page: '`GET /orders`, 50 orders',
  emptyPage: '`GET /orders`, nothing new',
  auditHour: 'an hour of webhook audits',
};

const scenarioEntries = Object.entries(scenarioNames) as [ScenarioName, string][];

function units(measured: Measurement): string {
  const { usages } = measured.scenarios;
  const rows = scenarioEntries.map(([name, title]) => {
    const usage = usages[name];
    const invocations = Object.values(usage.invocations).reduce((sum, one) => sum + one, 0);
    const logBytes = usage.functionLogBytes + usage.platformLogBytes + usage.accessLogBytes;
    const counted = [
      usage.gatewayRequests,
      invocations,
      usage.queueRequests,
      usage.eventWriteUnits,
      usage.orderWriteUnits,
      usage.indexWriteUnits,
      usage.readUnits,
      usage.busEvents,
      usage.secretReads,
      logBytes,
    ];
    return [title, ...counted.map(count), perMillion(usage, measured)];
  });
  return table(
    [
      'what happens',
      'API requests',
      'invocations',
      'SQS requests',
      'writes of events',
      'writes of orders',
      'writes of the index',
      'reads',
      'bus events',
      'secret reads',
      'log bytes',
      'a million of it',
    ],
    rows,
  );
}

const perMillion = (usage: Usage, measured: Measurement): string =>
  dollars(sumOf(billOf(timesUsage(usage, million), durationsOf(measured))));

function idle(measured: Measurement): string {
  const { inventory, scenarios } = measured;
  const { alarmMetrics, alarms, secrets, polledQueues } = inventory;
  const lines = idleBill(inventory, durationsOf(measured), scenarios.usages.auditHour);
  const what: Readonly<Record<string, string>> = {
    alarms: `${alarms} alarms over ${alarmMetrics} metrics`,
    secrets: `${secrets}`,
    'empty receives': `${whole(emptyReceivesPerMonth(polledQueues))} requests of ${assumed.idlePollers} pollers`,
  };
  return table(
    ['by the month', 'how many', 'dollars'],
    [
      ...lines.map(({ name, dollars: amount }) => [name, what[name] ?? '', dollars(amount)]),
      ['**together**', '', `**${dollars(sumOf(lines))}**`],
    ],
  );
}
