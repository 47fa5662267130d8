import type { PendingFact } from '../consumer/routes.ts';
import { eventKey, eventRecord } from '../contract/schema.ts';
import { parseFact } from '../domain/fact.ts';
import type { EventRow } from '../ports/stores.ts';
import { correctionsOf } from './corrections.ts';
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
  const { mode, transactionId, eventName = '' } = found;
  const orderId = found.orderId ?? admittedUnder(found);
  if (orderId === undefined || transactionId === undefined || parts.meaningOf(eventName) !== 'paid')
    return none;
  const isUnnamed = found.orderId === undefined && row.orderId === undefined;
  const stays = (isUnnamed || row.orderId === orderId) && row.transactionId === transactionId;
  if (stays || (await isNamedByOther(parts, { ...found, orderId }))) return none;
  const { facts } = await parts.transactions.get(mode, transactionId);
  const events = facts.map(parseFact).filter((fact) => fact.kind === 'event');
  const eventIds = [...new Set(events.map(({ eventId }) => eventId))].filter((id) => id !== found.eventId);
  const rows = await Promise.all(
    eventIds.map((id) => parts.events.getRow(eventKey(mode, id), eventRecord.event)),
  );
  // An operator gave the transaction this order.
  if (rows.some((one) => one !== undefined && admittedUnder(one) === orderId)) return none;
  await parts.transactions.leave({ mode, transactionId, orderId });
  const held = (await parts.orders.get({ mode, id: orderId }))?.facts ?? [];
  const shared = held.filter((fact) => facts.includes(fact));
  const corrections = eventIds.flatMap((eventId, index) => {
    // Its own row names the order by now.
    if (rows[index]?.orderId === orderId) return [];
    return correctionsOf(shared, { eventId, expected: new Set(), related: [held, facts] });
  });
  return { corrections: corrections.map((fact) => ({ orderId, fact })), eventIds };
}

const admittedUnder = ({ judged }: EventRow): string | undefined =>
  judged?.verdict === 'admitted' ? judged.orderId : undefined;

/** Whether another payment of the transaction names the order, as this version reads it. */
async function isNamedByOther(parts: ReplayParts, found: EventRow): Promise<boolean> {
  const { mode, orderId = '', transactionId, eventId } = found;
  const order = await parts.orders.get({ mode, id: orderId });
  const payments = (order?.facts ?? [])
    .map(parseFact)
    .filter((fact) => fact.kind === 'event')
    // Of any transaction: this version may read this one in it.
    .filter((fact) => parts.meaningOf(fact.eventName) === 'paid');
  const others = new Set(payments.map((fact) => fact.eventId).filter((id) => id !== eventId));
  for (const id of others) {
    const result = subjectOf(await parts.events.find(mode, id), parts);
    if (!result.ok) continue;
    const { row } = result.subject;
    if (row.orderId === orderId && row.transactionId === transactionId) return true;
  }
  return false;
}
