import { transactionEntriesMax } from '../contract/limits.ts';
import type { Meaning } from './assumptions.ts';
import { eventIdOf, parseFact } from './fact.ts';
import { movesMoney, type Reading } from './payment-event.ts';

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
export function entryOfOrder(eventId: string, reading: Reading): readonly string[] {
  const { meaning, orderId, transactionId } = reading;
  const isNone = orderId === null || transactionId === null || meaning === null || !movesMoney(reading);
  return isNone ? [] : [orderEntry('order', meaning, eventId, orderId)];
}

export const assignedEntry = (eventId: string, orderId: string): string =>
  orderEntry('order', 'assigned', eventId, orderId);

const eventOf = (entry: string): string | undefined => parseOrderEntry(entry)?.[2] ?? eventIdOf(entry);

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
  const orderIds = parsed.filter(([, meaning]) => isMeant(meaning)).map(([, , , orderId]) => orderId);
  return [...new Set(orderIds)].sort();
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
  const others = entries.filter((entry) => eventOf(entry) !== eventId);
  const kept = wanted.filter((entry) => entries.includes(entry));
  const added = wanted.filter((entry) => !entries.includes(entry));
  const most = Math.max(transactionEntriesMax, others.length + kept.length);
  return [...others, ...kept, ...added].slice(0, most);
}
