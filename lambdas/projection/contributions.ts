import { eventRecord } from '../contract/schema.ts';
import { conflictFact, eventFact, sharedConflictFact } from '../domain/fact.ts';
import type { Reading } from '../domain/reading.ts';
import type { EventRow } from '../ports/rows.ts';
import { assignedEntry, entryOfOrder } from './entries.ts';

/** What one body adds, and where. */
export interface Contribution {
  /** A fact, or the mark of a conflict. */
  readonly text: string;
  /** The order that gets it directly. */
  readonly orderId: string | null;
  /** The transaction through whose row it reaches other orders, or marks them. */
  readonly transactionId: string | null;
  /** The entries in that row. */
  readonly entries: readonly string[];
  /** The body whose fact it is; `undefined` for a mark. */
  readonly row?: EventRow;
}

type ReadRow = EventRow & { readonly eventId: string; readonly reading: Reading };

const isRead = (row: EventRow): row is ReadRow => row.eventId !== undefined && row.reading !== undefined;

export const isOwn = ({ record }: Pick<EventRow, 'record'>): boolean => record === eventRecord.event;
export const isConflict = ({ record }: Pick<EventRow, 'record'>): boolean =>
  record.startsWith(eventRecord.conflict(''));

/** The transactions of the bodies under an id that count, or contest those that do. */
export const transactionsOf = (rows: readonly EventRow[]): readonly string[] =>
  rows
    .filter((row) => isOwn(row) || isConflict(row))
    .flatMap(({ reading }) => (reading?.transactionId == null ? [] : [reading.transactionId]));

/**
 * What the bodies under one event id add. The event's own body counts. Another one counts as well when it
 * belongs to the same order, or transaction, where the fold chooses by content; or when an operator admitted
 * it. Otherwise both places get a mark.
 */
export function contributionsOf(rows: readonly EventRow[]): readonly Contribution[] {
  const own = rows.filter(isRead).find(isOwn);
  if (own === undefined) return [];
  const others = rows.filter(isRead).filter(isConflict);
  const counted = others.filter((row) => counts(row, own));
  const marks = others
    .filter((row) => !counts(row, own))
    .flatMap((row) => {
      return [markAt(row.reading, row), markAt(own.reading, row)];
    });
  return [...[own, ...counted].map(factOf), ...marks.flat()];
}

/** Also an event that was dismissed when it waited for its order. */
export const isAdmitted = ({ judged }: Pick<EventRow, 'judged'>): boolean =>
  judged?.verdict === 'admitted' || judged?.admittedAt !== undefined;

export const counts = (row: EventRow, own: EventRow | undefined): boolean =>
  isAdmitted(row) || isSameDestination(row.reading, own?.reading);

/** Whether two bodies belong to one order, or to the orders of one transaction. */
function isSameDestination(a: Reading | undefined, b: Reading | undefined): boolean {
  if (a === undefined || b === undefined || a.orderId !== b.orderId) return false;
  return a.orderId !== null || (a.transactionId !== null && a.transactionId === b.transactionId);
}

function factOf(row: ReadRow): Contribution {
  const { eventId, reading, judged } = row;
  const { orderId, transactionId } = reading;
  const text = eventFact(eventId, reading);
  const given = judged?.orderId ?? null;
  if (orderId !== null) {
    const entry = entryOfOrder(eventId, reading);
    return { text, orderId, transactionId, entries: entry === undefined ? [] : [entry], row };
  }
  if (transactionId === null) return { text, orderId: given, transactionId, entries: [], row };
  const assigned = given === null ? [] : [assignedEntry(eventId, given)];
  return { text, orderId: given, transactionId, entries: [text, ...assigned], row };
}

/** Marks one of the places that two bodies contest. */
function markAt(
  { orderId, transactionId }: Reading,
  { eventId, bodySha256 }: ReadRow,
): readonly Contribution[] {
  if (orderId !== null)
    return [{ text: conflictFact(eventId, bodySha256), orderId, transactionId: null, entries: [] }];
  if (transactionId === null) return [];
  const text = sharedConflictFact(eventId, bodySha256, transactionId);
  return [{ text, orderId: null, transactionId, entries: [text] }];
}
