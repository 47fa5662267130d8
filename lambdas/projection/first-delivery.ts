import { eventFact, sharedFact } from '../domain/fact.ts';
import { movesMoney, type Reading } from '../domain/reading.ts';
import { entryOfOrder, joinedOrders, namedOrders, sharedFacts, sharedTexts } from './entries.ts';

/** What a first delivery adds to a transaction, without reading anything. */
export function entryOf(eventId: string, reading: Reading): string | undefined {
  if (reading.transactionId === null) return undefined;
  return reading.orderId === null ? eventFact(eventId, reading) : entryOfOrder(eventId, reading);
}

export interface PendingFact {
  readonly orderId: string;
  readonly text: string;
}

/** What a first delivery has to write after its row, and after its entry in the row of its transaction. */
export interface FirstDelivery {
  readonly pending: readonly PendingFact[];
  /** The orders of an event that names none. */
  readonly assigned: readonly string[];
  /** The events without an order that have this order as well now; each is brought up to date by a repair. */
  readonly joining: readonly string[];
}

/**
 * The same as `project` makes of an event that has just been stored. `entries`: those of its transaction
 * after its own was added, in which events that were added before or meanwhile are as well; of two events,
 * the one that comes second sees both. Empty for an event that adds none.
 */
export function firstDelivery(eventId: string, reading: Reading, entries: readonly string[]): FirstDelivery {
  const { meaning, orderId, transactionId } = reading;
  const text = eventFact(eventId, reading);
  const own = entryOf(eventId, reading);
  const hasRoom = own !== undefined && entries.includes(own);
  if (orderId === null) {
    const assigned = hasRoom ? joinedOrders(entries) : [];
    return { pending: placed(assigned, [text]), assigned, joining: [] };
  }
  const isPayment = meaning === 'paid' && hasRoom;
  const named = new Set([...namedOrders(entries), ...(movesMoney(reading) ? [orderId] : [])]);
  const marks = transactionId !== null && named.size > 1 ? [sharedFact(transactionId)] : [];
  return {
    pending: [
      ...placed([orderId], [text, ...(isPayment ? sharedTexts(entries) : [])]),
      ...placed([...named], marks),
    ],
    assigned: [],
    joining: isPayment ? [...sharedFacts(entries).keys()] : [],
  };
}

const placed = (orderIds: readonly string[], texts: readonly string[]): readonly PendingFact[] =>
  orderIds.flatMap((orderId) => texts.map((text) => ({ orderId, text })));
