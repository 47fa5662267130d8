import type * as api from '@payhooks/order-client';
import { eventFact } from '../domain/fact.ts';
import type { Reading } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';
import { bodyView } from '../http-api/body-view.ts';
import { type EventRow, isOwn, type OrderRef } from '../ports/rows.ts';

/** Every body under one event id: the event first, then the others as they were received. */
export const inOrder = (rows: readonly EventRow[]): readonly EventRow[] => rows.toSorted(eventFirst);

/** The order that the body names, or else one that the event was assigned to. */
const orderIdOf = ({ reading, assignedOrderIds }: EventRow): string | undefined =>
  reading?.orderId ?? assignedOrderIds[0];

/** The order that counts the event; `undefined` when no order does. */
export function orderOf(row: EventRow): OrderRef | undefined {
  const id = orderIdOf(row);
  return row.outcome === 'applied' && id !== undefined ? { mode: row.mode, id } : undefined;
}

/** What the body adds to its order; `undefined` when it is no event. */
export const factOf = ({ eventId, reading }: EventRow): string | undefined =>
  eventId === undefined || reading === undefined ? undefined : eventFact(eventId, reading);

/**
 * An event, or the first body under its id when every one is quarantined. The others come without their
 * bytes, to bound the response. `orderFacts` are those of `orderOf(row)`.
 */
export function eventView(
  id: string,
  [row, ...others]: readonly [EventRow, ...EventRow[]],
  orderFacts: readonly string[] = [],
): api.Event {
  const isPending = orderOf(row) !== undefined && !orderFacts.includes(factOf(row) ?? '');
  return {
    id,
    // Found under a key that holds the mode of the caller.
    mode: row.mode as Mode,
    ...eventRecordView(row),
    ...(isPending && { outcome: 'pending' }),
    ...bodyView(row.body),
    others: others.map(eventRecordView),
  };
}

/** One signed body under an event id, without customer data. */
export function eventRecordView(row: EventRow): api.EventRecord & Pick<EventRow, 'outcome'> {
  return {
    ...deliveryView(row),
    event_name: row.reading?.eventName ?? null,
    transaction_id: row.reading?.transactionId ?? null,
    ...moneyView(row.reading),
    signature: row.signature,
  };
}

/** What it says about money; `null` for what is not known, or not read. */
export const moneyView = (reading: Partial<Pick<Reading, 'meaning' | 'amount' | 'currency'>> = {}) => ({
  meaning: reading.meaning ?? null,
  amount: reading.amount ?? null,
  currency: reading.currency ?? null,
});

/** How it came, and what became of it. */
export const deliveryView = (row: EventRow) => ({
  outcome: row.outcome,
  reason: row.reason ?? null,
  order_id: orderIdOf(row) ?? null,
  received_at: row.receivedAt,
  recorded_at: row.recordedAt,
  key_id: row.keyId,
  body_sha256: row.bodySha256,
});

function eventFirst(a: EventRow, b: EventRow): number {
  if (isOwn(a) !== isOwn(b)) return isOwn(a) ? -1 : 1;
  if (a.receivedAt !== b.receivedAt) return a.receivedAt < b.receivedAt ? -1 : 1;
  return a.record < b.record ? -1 : 1;
}
