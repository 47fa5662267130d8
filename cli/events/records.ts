import type { EventRecords, StoredEventRecord } from '@payhooks/order-client';
import { printable } from '../../operator/printable.ts';
import { printBody, type Terminal } from '../terminal.ts';

/** What was received under an event id, with or without bodies. */
export interface EventDetails extends Pick<EventRecords, 'mode' | 'acts'> {
  /** `null` for a body that is not an event. */
  readonly id: string | null;
  readonly records: readonly (StoredEventRecord & { readonly body_base64?: string | null })[];
  /** Whether more bodies are stored. */
  readonly more?: boolean;
}

/** Each record under an id, with its body if it was requested; then the acts. */
export function printRecords(terminal: Terminal, { id, mode, records, acts, more }: EventDetails): void {
  const count = records.length === 1 ? '1 record' : `${records.length} records`;
  terminal.print(`${terminal.style('bold', printable(id ?? 'A body without an id'))} (${mode}): ${count}`);
  for (const record of records) {
    const facts = Object.entries(factsOf(record));
    terminal.print('');
    terminal.table(
      [record.record, ''],
      facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    );
    if (record.body_base64 != null) printBody(terminal, Buffer.from(record.body_base64, 'base64'));
  }
  if (more) terminal.print('More bodies are stored: select one with --body-sha256.');
  if (acts.length === 0) return;
  terminal.print('');
  terminal.table(
    ['AT', 'ACT', 'BY', 'REASON'],
    acts.map(({ at, act, by, reason }) => [at, act, by.split('/').at(-1) ?? by, reason]),
  );
}

function factsOf(record: StoredEventRecord): Readonly<Record<string, string | null>> {
  const { outcome, reason, waiting, counts, body_sha256, has_body, erased, judged } = record;
  const state = erased === null ? (has_body ? '' : ', expired') : `, erased ${erased.at}`;
  return {
    outcome: reason === null ? outcome : `${outcome}: ${reason}`,
    waits: waiting === null ? 'no' : `as ${waiting}`,
    counts: counts ? 'yes, in its order' : 'no',
    event: record.event_name,
    order: record.order_id,
    transaction: record.transaction_id,
    received: record.received_at,
    key: record.key_id,
    body: `${body_sha256}${state}`,
    judged: judged === null ? null : `${judged.verdict} ${judged.at}`,
  };
}
