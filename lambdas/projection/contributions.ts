import { transactionEntriesMax } from '../contract/limits.ts';
import { eventRecord } from '../contract/schema.ts';
import type { Meaning } from '../domain/assumptions.ts';
import { conflictFact, eventFact, eventIdOf, parseFact, sharedConflictFact } from '../domain/fact.ts';
import { movesMoney, type Reading } from '../domain/reading.ts';
import type { EventRow } from '../ports/rows.ts';

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

/**
 * The row of a transaction is a set of entries, each about one event:
 *
 * - `["order", MEANING, EVENT_ID, ORDER_ID]`: an event about money names this order. `assigned` in the place
 *   of the meaning: an operator gave the order to an event that names none.
 * - the text of a fact or of a conflict mark: an event that names no order. It belongs to every order in
 * which the transaction was paid, or which an operator gave it.
 *
 * One entry for each event, so that a payment that moves to another order takes only its own entry along.
 */
type OrderEntry = readonly ['order', Meaning | 'assigned', string, string];

const orderEntry = (...entry: OrderEntry): string => JSON.stringify(entry);

/** `undefined` for the entry of an event that names no order. */
function parseOrderEntry(text: string): OrderEntry | undefined {
  return text.startsWith('["order",') ? (JSON.parse(text) as OrderEntry) : undefined;
}

/** The entry of an event that names an order and a transaction; none without effect on money. */
function entryOfOrder(eventId: string, reading: Reading): string | undefined {
  const { meaning, orderId, transactionId } = reading;
  if (orderId === null || transactionId === null || meaning === null || !movesMoney(reading))
    return undefined;
  return orderEntry('order', meaning, eventId, orderId);
}

const assignedEntry = (eventId: string, orderId: string): string =>
  orderEntry('order', 'assigned', eventId, orderId);

const isOfEvent =
  (eventId: string) =>
  (entry: string): boolean =>
    (parseOrderEntry(entry)?.[2] ?? eventIdOf(entry)) === eventId;

/** The orders that get what the transaction's events without an order add: sorted. */
export const joinedOrders = (entries: readonly string[]): readonly string[] =>
  ordersIn(entries, (meaning) => meaning === 'paid' || meaning === 'assigned');

/** The orders that events about money of the transaction name: sorted. */
export const namedOrders = (entries: readonly string[]): readonly string[] => ordersIn(entries, () => true);

function ordersIn(
  entries: readonly string[],
  isMeant: (meaning: OrderEntry[1]) => boolean,
): readonly string[] {
  const parsed = entries.map(parseOrderEntry).filter((entry) => entry !== undefined);
  return [
    ...new Set(parsed.filter(([, meaning]) => isMeant(meaning)).map(([, , , orderId]) => orderId)),
  ].sort();
}

/** The facts and marks of the events that name no order. */
export const sharedTexts = (entries: readonly string[]): readonly string[] =>
  entries.filter((entry) => parseOrderEntry(entry) === undefined);

/** The facts among the shared texts, by event id. */
export function sharedFacts(entries: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const facts = sharedTexts(entries).filter((text) => parseFact(text).kind === 'event');
  return Map.groupBy(facts, (text) => eventIdOf(text) ?? '');
}

/** The entries with those of one event replaced, as far as there is room; the others keep their place. */
export function replaceEntries(
  entries: readonly string[],
  eventId: string,
  wanted: readonly string[],
): readonly string[] {
  const others = entries.filter((entry) => !isOfEvent(eventId)(entry));
  const kept = wanted.filter((entry) => entries.includes(entry));
  const added = wanted.filter((entry) => !entries.includes(entry));
  return [...others, ...kept, ...added].slice(
    0,
    Math.max(transactionEntriesMax, others.length + kept.length),
  );
}
