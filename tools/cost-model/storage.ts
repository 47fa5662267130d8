import * as assumed from './assumed.ts';
import { gigabyte, sumOf } from './bill.ts';
import { decimal, dollars, table } from './documents.ts';
import * as list from './prices.ts';
import { realisticEvents } from './row-corpus.ts';
import { factBytes, rowSizes } from './row-sizes.ts';
import type { Measurement } from './scenarios.ts';

const million = 1_000_000;

/** The class of the table of events: see the setting `eventsTableClass`. */
type TableClass = 'standard' | 'infrequent-access';

/** What a paid event leaves, with DynamoDB's 100 bytes for each; recovery does not cover indexes. */
function storedByPaid({ counted }: Measurement) {
  const written = (row: string) => counted.paid.calls.find(({ key }) => key?.startsWith(`live:${row}:`));
  const stored = (title: string, itemBytes = 0, isOfEvents = false, isIndex = false) => {
    const bytes = itemBytes + 100;
    const dollarsIn = (tableClass: TableClass): number => {
      const price =
        isOfEvents && tableClass !== 'standard' ? 'infrequentGigabyteMonth' : 'tableGigabyteMonth';
      return list.cost(bytes / gigabyte, price, ...(isIndex ? [] : ['recoveryGigabyteMonth' as const]));
    };
    return { title, bytes, isOfEvents, dollarsIn };
  };
  return [
    stored('row of the event', written('event')?.itemBytes, true),
    stored('row of the transaction', written('transaction')?.itemBytes, true),
    stored('row of the order', written('order')?.itemBytes),
    stored('entry in the index of changes', written('order')?.indexBytes, false, true),
  ];
}

/** What a year of webhooks leaves, in dollars a month. */
export function storedAfterYear(measured: Measurement, webhooks: number, tableClass: TableClass): number {
  const stored = storedByPaid(measured).map(({ dollarsIn }) => ({ dollars: dollarsIn(tableClass) }));
  return 12 * webhooks * assumed.webhookShares.paid * sumOf(stored);
}

/** What the sample event takes, next to the goals that the project has for it. */
export function sizeTable(measured: Measurement): string {
  const [sample] = realisticEvents;
  if (sample === undefined) throw new TypeError('The corpus begins with the sample event.');
  const year = (tableClass: TableClass) => [
    `a million webhooks a month, after a year, \`${tableClass}\``,
    '$4.30',
    dollars(storedAfterYear(measured, million, tableClass)),
  ];
  return table('what the sample event takes | goal of the project, at most | measured', [
    ['its row, in bytes', 560, rowSizes(sample).rowBytes],
    ['its fact in the row of the order, in bytes', 90, factBytes(sample)],
    year('infrequent-access'),
    year('standard'),
  ]);
}

export const storageTable = (measured: Measurement): string =>
  table(
    'left by a paid event | bytes | a million of them, per month | with `infrequent-access`',
    storedByPaid(measured).map(({ title, bytes, dollarsIn }) => [
      title,
      bytes,
      dollars(dollarsIn('standard') * million),
      dollars(dollarsIn('infrequent-access') * million),
    ]),
  );

/** The months of storage after which the cheaper storage has paid for the dearer writes. */
export function tableClasses(measured: Measurement): string {
  const units = measured.counted.paid.usage.eventWrites ?? 0;
  const ofEvents = storedByPaid(measured).filter(({ isOfEvents }) => isOfEvents);
  const classes = { standard: 'writeUnit', 'infrequent-access': 'infrequentWriteUnit' } as const;
  const lines = Object.entries(classes).map(([name, price]) => {
    const tableClass = name as TableClass;
    const stored = sumOf(ofEvents.map(({ dollarsIn }) => ({ dollars: dollarsIn(tableClass) })));
    return { name, writes: list.cost(units * million, price), stored: stored * million };
  });
  const [standard, infrequent] = lines;
  if (standard === undefined || infrequent === undefined) throw new TypeError('There are two classes.');
  const months = (infrequent.writes - standard.writes) / (standard.stored - infrequent.stored);
  return table(
    '`eventsTableClass` | writes of a million paid events | their storage, per month | pays after',
    [
      ...[[`\`${standard.name}\``, dollars(standard.writes), dollars(standard.stored), '']],
      ...[
        [
          `\`${infrequent.name}\``,
          dollars(infrequent.writes),
          dollars(infrequent.stored),
          `${decimal(months)} months`,
        ],
      ],
    ],
  );
}
