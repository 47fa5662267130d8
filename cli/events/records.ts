import type {
  EventBodies,
  Mode,
  OperatorAct,
  RecordWithBody,
  StoredEventRecord,
} from '@payhooks/order-client';
import { printable, screenCharacters } from '../../operator/printable.ts';
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
function besideFirst<Item>(records: readonly Item[]): readonly (readonly Item[])[] {
  const [first, ...others] = records;
  if (first === undefined) return [];
  return others.length === 0 ? [[first]] : others.map((other) => [first, other]);
}

/** Enough to recognise a value although its field has a long name. */
const valueCharactersMin = 20;

/** The fields of each body next to those of the first; what differs is marked. */
export function printBodies(terminal: Terminal, { records, more }: EventBodies): void {
  if (records.every(({ body_base64 }) => body_base64 === null) && !more) {
    terminal.print('');
    terminal.print('No body is stored any more: it was erased, or has expired.');
    return;
  }
  for (const group of besideFirst(records)) {
    const fields = group.map(fieldsOf);
    const names = [...new Set(fields.flatMap((one) => [...one.keys()]))];
    const rest = screenCharacters - Math.max(...names.map((name) => name.length)) - 3;
    const width = Math.max(valueCharactersMin, Math.floor(rest / group.length) - 2);
    terminal.print('');
    terminal.table(
      ['', 'FIELD', ...group.map(({ record }) => record.toUpperCase())],
      names.map((name) => {
        const values = fields.map((one) => one.get(name) ?? '-');
        const mark = new Set(values).size > 1 ? '≠' : '';
        return [mark, name, ...values.map((value) => printable(value, width))];
      }),
    );
  }
  if (more) terminal.print('More bodies are stored: select one with --body-sha256.');
}

/** Each value of a JSON body under its path; the text itself of another body. */
function fieldsOf({ body_base64 }: RecordWithBody): ReadonlyMap<string, string> {
  if (body_base64 === null) return new Map();
  const text = Buffer.from(body_base64, 'base64').toString();
  try {
    return new Map(leavesOf(JSON.parse(text), ''));
  } catch {
    return new Map([['(not JSON)', text]]);
  }
}

function leavesOf(value: unknown, path: string): readonly [string, string][] {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isBranch) return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, one]) =>
    leavesOf(one, path === '' ? name : `${path}.${name}`),
  );
}
