import type { PendingFact } from '../consumer/routes.ts';
import { eventKey, eventRecord } from '../contract/schema.ts';
import { correctionFact, parseFact } from '../domain/fact.ts';
import type { EventRow } from '../ports/stores.ts';
import type { ReplayParts } from './replay-parts.ts';
import { type ReplaySubject, subjectOf } from './replay-subject.ts';

/** What follows from the departure of an order from a transaction. */
export interface Departure {
  /** The corrections of what the order has because of the transaction. */
  readonly corrections: readonly PendingFact[];
  /** The events without an order id, which must be assigned anew. */
  readonly eventIds: readonly string[];
}

const none: Departure = { corrections: [], eventIds: [] };

/**
 * A payment that names another order, or another transaction, than an older version read in it: the former
 * order leaves the transaction, before the payment joins the other one and both would be marked as shared.
 * A repetition after a crash does all of it again: the row is the last thing that a replay changes.
 */
export async function leaveFormerOrder(
  parts: ReplayParts,
  { found, row }: ReplaySubject,
): Promise<Departure> {
  const { mode, orderId, transactionId, eventName = '' } = found;
  if (orderId === undefined || transactionId === undefined || parts.meaningOf(eventName) !== 'paid')
    return none;
  const stays = row.orderId === orderId && row.transactionId === transactionId;
  if (stays || (await isNamedByOther(parts, found))) return none;
  await parts.transactions.leave({ mode, transactionId, orderId });
  const [{ facts }, order] = await Promise.all([
    parts.transactions.get(mode, transactionId),
    parts.orders.get({ mode, id: orderId }),
  ]);
  const held = new Set(order?.facts);
  const corrections = await Promise.all(
    facts.filter((fact) => held.has(fact)).map((fact) => correctionOf(parts, found, fact)),
  );
  const events = facts.map(parseFact).filter((fact) => fact.kind === 'event');
  return {
    corrections: corrections.flat().filter(({ fact }) => !held.has(fact)),
    eventIds: [...new Set(events.map(({ eventId }) => eventId))],
  };
}

/** The correction of an event without an order id, unless its own row names the order by now. */
async function correctionOf(
  { events }: ReplayParts,
  { mode, orderId = '' }: EventRow,
  text: string,
): Promise<readonly PendingFact[]> {
  const fact = parseFact(text);
  if (fact.kind !== 'event') return [];
  const row = await events.getRow(eventKey(mode, fact.eventId), eventRecord.event);
  return row?.orderId === orderId ? [] : [{ orderId, fact: correctionFact(text, 1) }];
}

/** Whether another payment of the transaction names the order, as this version reads it. */
async function isNamedByOther(parts: ReplayParts, found: EventRow): Promise<boolean> {
  const { mode, orderId = '', transactionId, eventId } = found;
  const order = await parts.orders.get({ mode, id: orderId });
  const payments = (order?.facts ?? [])
    .map(parseFact)
    .filter((fact) => fact.kind === 'event')
    .filter((fact) => fact.transactionId === transactionId && parts.meaningOf(fact.eventName) === 'paid');
  const others = new Set(payments.map((fact) => fact.eventId).filter((id) => id !== eventId));
  for (const id of others) {
    const result = subjectOf(await parts.events.find(mode, id), parts);
    if (result.ok && result.subject.row.orderId === orderId) return true;
  }
  return false;
}
