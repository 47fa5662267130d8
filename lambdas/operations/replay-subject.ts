import { eventRow, firstOutcome, type RowSettings } from '../consumer/event-rows.ts';
import { eventRecord } from '../contract/schema.ts';
import { eventFact } from '../domain/fact.ts';
import type { EventRow, EventWriter } from '../ports/stores.ts';
import { admittedConflicts } from './admitted-conflicts.ts';
import { type ReadAgain, readAgain } from './read-again.ts';
import { isSameReading, type ReadRow, withSaid } from './read-row.ts';

/** The event that is replayed, as its row was found and as this version reads its body. */
export interface ReplaySubject extends ReadRow {
  readonly fact: string;
  /** `undefined` when the body has expired or was erased: then the stored fact stands for it. */
  readonly body: Extract<ReadAgain, { ok: true }> | undefined;
  /** What becomes of the event while no order is known for it. */
  readonly unassigned: Pick<EventRow, 'outcome' | 'waiting'>;
  /** The other bodies under its id that count. */
  readonly conflicts: readonly ReadRow[];
}

export type SubjectResult =
  | { readonly ok: true; readonly subject: ReplaySubject }
  | { readonly ok: false; readonly reason: string };

/** What is replayed of the rows under one event id; otherwise why nothing is. */
export function subjectOf(
  rows: readonly EventRow[],
  settings: Pick<RowSettings, 'eventRetentionDays' | 'meaningOf'>,
): SubjectResult {
  const found = rows.find(({ record }) => record === eventRecord.event);
  if (found === undefined) return { ok: false, reason: 'not_recorded' };
  // What was dismissed may have reached an order since, with its transaction.
  if (found.judged?.verdict === 'dismissed' && found.outcome !== 'applied')
    return { ok: false, reason: 'dismissed' };
  // An event that waits needs an operator, unless this version reads something else in it, or another body
  // under its id counts, in which it may.
  const waits = { ok: false, reason: 'waiting' } as const;
  if (found.waiting !== undefined && (found.judged !== undefined || found.body === undefined)) return waits;
  const conflicts = admittedConflicts(rows, settings);
  if (found.body === undefined) {
    const { fact } = found;
    if (fact === undefined) return { ok: false, reason: 'body_missing' };
    const unassigned = firstOutcome(found, settings.meaningOf);
    return { ok: true, subject: { found, row: found, fact, body: undefined, unassigned, conflicts } };
  }
  const body = readAgain(found, found.body, rows);
  if (!body.ok) return body;
  const read = eventRow(body.received, body.event, { ...settings, now: new Date(found.recordedAt) });
  const { outcome, waiting } = read;
  const fact = eventFact(body.event);
  const row = withSaid(found, { ...read, fact });
  if (found.waiting !== undefined && conflicts.length === 0 && isSameReading(found, row)) return waits;
  const unassigned = { outcome, ...(waiting && { waiting }) };
  return { ok: true, subject: { found, row, fact, body, unassigned, conflicts } };
}

/** The events of an act that sees the row of its subject as this version reads it. */
export function eventsAsRead<Events extends EventWriter>(events: Events, { row }: ReplaySubject): Events {
  const asRead = (stored: EventRow): EventRow =>
    stored.record === eventRecord.event ? withSaid(stored, row) : stored;
  return {
    ...events,
    async put(other) {
      const result = await events.put(other);
      return result.kind === 'present' ? { ...result, row: asRead(result.row) } : result;
    },
    async getRow(key, record) {
      const stored = await events.getRow(key, record);
      return stored && asRead(stored);
    },
  };
}
