import { eventRow, firstOutcome, type RowSettings } from '../consumer/event-rows.ts';
import { eventRecordsMax } from '../contract/operations-limits.ts';
import { eventRecord } from '../contract/schema.ts';
import { eventFact } from '../domain/fact.ts';
import type { EventRow, EventWriter } from '../ports/stores.ts';
import { admittedConflicts } from './admitted-conflicts.ts';
import { type ReadAgain, readAgain } from './read-again.ts';
import { isSameReading, type ReadRow, withSaid } from './read-row.ts';

/** The event that is replayed, as its row was found and as this version reads its body. */
export interface ReplaySubject extends ReadRow {
  readonly fact: string;
  /** `undefined` when the body is gone, or cannot be read here: then the stored fact stands for it. */
  readonly body: Extract<ReadAgain, { ok: true }> | undefined;
  /** What becomes of the event while no order is known for it. */
  readonly unassigned: Pick<EventRow, 'outcome' | 'waiting'>;
  /** The other bodies under its id that count. */
  readonly conflicts: readonly ReadRow[];
  /** Only its row is replayed: not all bodies under its id can be read. */
  readonly isAlone?: true;
}

export type SubjectResult =
  | { readonly ok: true; readonly subject: ReplaySubject }
  | { readonly ok: false; readonly reason: string };

interface Occasion {
  /** Its payment has moved: it has left an order already. */
  readonly follows: boolean;
  /** An order shows the event. */
  readonly isHeld: boolean;
}

/**
 * What is replayed of the rows under one event id; otherwise why nothing is. An event that follows its
 * payment and that this version cannot read is replayed as it was recorded.
 */
export function subjectAmong(
  rows: readonly EventRow[],
  settings: Pick<RowSettings, 'eventRetentionDays' | 'meaningOf'>,
  { follows, isHeld }: Occasion,
): SubjectResult {
  const isCut = rows.length >= eventRecordsMax;
  const result: SubjectResult = isCut
    ? { ok: false, reason: 'too_many_bodies' }
    : subjectOf(rows, settings, isHeld);
  if (result.ok || !follows || ['waiting', 'dismissed'].includes(result.reason)) return result;
  const subject = storedSubject(rows.filter(isOwn), settings);
  return subject === undefined ? result : { ok: true, subject: { ...subject, isAlone: true } };
}

/** The same for an event that does not follow its payment, and however many rows were read. */
export function subjectOf(
  rows: readonly EventRow[],
  settings: Pick<RowSettings, 'eventRetentionDays' | 'meaningOf'>,
  isHeld = false,
): SubjectResult {
  const found = rows.find(isOwn);
  if (found === undefined) return { ok: false, reason: 'not_recorded' };
  // What was dismissed may have reached an order since, with its transaction.
  if (found.judged?.verdict === 'dismissed' && found.outcome !== 'applied')
    return { ok: false, reason: 'dismissed' };
  // An event that waits needs an operator, unless this version may read something else in it, or in another
  // body under its id that counts, or it waits for an order although one shows it.
  const waits = { ok: false, reason: 'waiting' } as const;
  if (found.waiting !== undefined && found.judged !== undefined) return waits;
  const isOpen = found.waiting !== undefined && !(isHeld && found.waiting === 'unassigned');
  if (isOpen && found.body === undefined) return waits;
  if (found.body === undefined) {
    const subject = storedSubject(rows, settings);
    return subject === undefined ? { ok: false, reason: 'body_missing' } : { ok: true, subject };
  }
  const conflicts = admittedConflicts(rows, settings);
  const body = readAgain(found, found.body, rows);
  if (!body.ok) return body;
  const read = eventRow(body.received, body.event, { ...settings, now: new Date(found.recordedAt) });
  const { outcome, waiting } = read;
  const fact = eventFact(body.event);
  const row = withSaid(found, { ...read, fact });
  if (isOpen && conflicts.length === 0 && isSameReading(found, row)) return waits;
  const unassigned = { outcome, ...(waiting && { waiting }) };
  return { ok: true, subject: { found, row, fact, body, unassigned, conflicts } };
}

const isOwn = ({ record }: EventRow): boolean => record === eventRecord.event;

/** The event as it was recorded, without a look at its body; `undefined` when its row has no fact. */
function storedSubject(
  rows: readonly EventRow[],
  settings: Pick<RowSettings, 'eventRetentionDays' | 'meaningOf'>,
): ReplaySubject | undefined {
  const found = rows.find(isOwn);
  if (found?.fact === undefined) return undefined;
  const unassigned = firstOutcome(found, settings.meaningOf);
  const conflicts = admittedConflicts(rows, settings);
  return { found, row: found, fact: found.fact, body: undefined, unassigned, conflicts };
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
