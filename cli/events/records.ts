import type { Mode, OperatorAct, StoredEventRecord } from '@payhooks/order-client';
import { printable } from '../../operator/printable.ts';
import type { Terminal } from '../terminal.ts';

/** What was received under an event id, with or without bodies. */
export interface EventDetails {
  /** `null` for a body that is not an event. */
  readonly id: string | null;
  readonly mode: Mode;
  readonly records: readonly StoredEventRecord[];
  readonly acts: readonly OperatorAct[];
}

type Row = readonly [label: string, cell: (record: StoredEventRecord) => string | null];
const rows: readonly Row[] = [
  ['outcome', ({ outcome, reason }) => (reason === null ? outcome : `${outcome}: ${reason}`)],
  ['waits', ({ waiting }) => (waiting === null ? 'no' : `as ${waiting}`)],
  ['counts', ({ counts }) => (counts ? 'yes, in its order' : 'no')],
  ['event', ({ event_name }) => event_name],
  ['order', ({ order_id }) => order_id],
  ['transaction', ({ transaction_id }) => transaction_id],
  ['received', ({ received_at }) => received_at],
  ['key', ({ key_id }) => key_id],
  ['body', bodyText],
  ['judged', ({ judged }) => (judged === null ? null : `${judged.verdict} ${judged.at}`)],
];

function bodyText({ body_sha256, has_body, erased }: StoredEventRecord): string {
  const state = erased === null ? (has_body ? '' : ', expired') : `, erased ${erased.at}`;
  return `${body_sha256?.slice(0, 12)}…${state}`;
}

/** What was received under an id, without bodies: the first record next to each other one, then the acts. */
export function printRecords(terminal: Terminal, { id, mode, records, acts }: EventDetails): void {
  const count = records.length === 1 ? '1 record' : `${records.length} records`;
  terminal.print(`${terminal.style('bold', printable(id ?? 'A body without an id'))} (${mode}): ${count}`);
  for (const group of besideFirst(records)) {
    terminal.print('');
    terminal.table(
      ['', ...group.map(({ record }) => record)],
      rows
        .map(([label, cell]) => [label, ...group.map((record) => cell(record) ?? '-')])
        .filter(([label, ...cells]) => label !== 'judged' || cells.some((cell) => cell !== '-')),
    );
  }
  if (acts.length === 0) return;
  terminal.print('');
  terminal.table(
    ['AT', 'ACT', 'BY', 'REASON'],
    acts.map(({ at, act, by, reason }) => [at, act, by.split('/').at(-1) ?? by, reason]),
  );
}

/** The first record with each of the others: two columns fit a screen. */
export function besideFirst<Item>(records: readonly Item[]): readonly (readonly Item[])[] {
  const [first, ...others] = records;
  if (first === undefined) return [];
  return others.length === 0 ? [[first]] : others.map((other) => [first, other]);
}
