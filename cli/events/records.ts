import type { EventRecords, StoredEventRecord } from '@payhooks/order-client';
import { printable, screenCharacters } from '../../operator/printable.ts';
import type { Terminal } from '../terminal.ts';

/** What was received under an event id, with or without bodies. */
export interface EventDetails extends Pick<EventRecords, 'mode' | 'acts'> {
  /** `null` for a body that is not an event. */
  readonly id: string | null;
  readonly records: readonly (StoredEventRecord & { readonly body_base64?: string | null })[];
  /** Whether more bodies are stored. */
  readonly more?: boolean;
}

/** Enough to recognise a value although its field has a long name. */
const valueCharactersMin = 20;

/** The first record under an id next to each other one, with what differs marked; then the acts. */
export function printRecords(terminal: Terminal, { id, mode, records, acts, more }: EventDetails): void {
  const count = records.length === 1 ? '1 record' : `${records.length} records`;
  terminal.print(`${terminal.style('bold', printable(id ?? 'A body without an id'))} (${mode}): ${count}`);
  const [first, ...others] = records;
  for (const other of first === undefined || others.length === 0 ? records : others) {
    // Two columns fit a screen.
    const pair = first === undefined || other === first ? [other] : [first, other];
    const fields = pair.map(fieldsOf);
    const names = [...new Set(fields.flatMap((one) => [...one.keys()]))];
    const rest = screenCharacters - Math.max(...names.map((name) => name.length)) - 3;
    const width = Math.max(valueCharactersMin, Math.floor(rest / pair.length) - 2);
    terminal.print('');
    terminal.table(
      ['', '', ...pair.map(({ record }) => record)],
      names.map((name) => {
        const values = fields.map((one) => one.get(name) ?? '-');
        const mark = new Set(values).size > 1 ? '≠' : '';
        const isOfBody = name.startsWith('$');
        return [mark, name, ...values.map((value) => (isOfBody ? printable(value, width) : value))];
      }),
    );
  }
  if (more) terminal.print('More bodies are stored: select one with --body-sha256.');
  if (acts.length === 0) return;
  terminal.print('');
  terminal.table(
    ['AT', 'ACT', 'BY', 'REASON'],
    acts.map(({ at, act, by, reason }) => [at, act, by.split('/').at(-1) ?? by, reason]),
  );
}

/** What is known of a record, and each value of its body. */
function fieldsOf(record: EventDetails['records'][number]): ReadonlyMap<string, string> {
  const { outcome, reason, waiting, counts, body_sha256, has_body, erased, judged } = record;
  const state = erased === null ? (has_body ? '' : ', expired') : `, erased ${erased.at}`;
  const known = {
    outcome: reason === null ? outcome : `${outcome}: ${reason}`,
    waits: waiting === null ? 'no' : `as ${waiting}`,
    counts: counts ? 'yes, in its order' : 'no',
    event: record.event_name,
    order: record.order_id,
    transaction: record.transaction_id,
    received: record.received_at,
    key: record.key_id,
    body: `${body_sha256?.slice(0, 12)}…${state}`,
    judged: judged === null ? null : `${judged.verdict} ${judged.at}`,
  };
  const rows = Object.entries(known).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return new Map([...rows, ...bodyOf(record.body_base64 ?? null)]);
}

/** Each value of a JSON body under its path; the text itself of another body. */
function bodyOf(base64: string | null): readonly (readonly [string, string])[] {
  if (base64 === null) return [];
  const text = Buffer.from(base64, 'base64').toString();
  try {
    return leavesOf(JSON.parse(text), '$');
  } catch {
    return [['$ (not JSON)', text]];
  }
}

function leavesOf(value: unknown, path: string): readonly [string, string][] {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isBranch) return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, one]) => leavesOf(one, `${path}.${name}`));
}
