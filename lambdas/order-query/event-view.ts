import { eventRecord } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';
import { type BodyView, bodyView } from '../http-api/body-view.ts';
import type { EventRow, OrderRef, Outcome } from '../ports/stores.ts';

/** The response of `GET /events/{event_id}`: what was received under this id, and its outcome. */
export interface EventView extends EventRecordView, BodyView {
  readonly id: string;
  readonly mode: 'live' | 'sandbox';
  /** Other bodies under the same id; without their bytes, to bound the response. */
  readonly others: readonly EventRecordView[];
}

/** `pending`: the event is recorded, and its fact is not in its order yet. */
export type ShownOutcome = Outcome | 'pending';

/** One signed body under an event id, without customer data. */
export interface EventRecordView {
  readonly outcome: ShownOutcome;
  readonly reason: NonNullable<EventRow['reason']> | null;
  readonly event_name: string | null;
  /** The order that the event names, or else the one that it was assigned to. */
  readonly order_id: string | null;
  readonly transaction_id: string | null;
  readonly received_at: string;
  readonly recorded_at: string;
  /** A short hash of the private key that signed it. */
  readonly key_id: string;
  /** The evidence that the key signed the bytes; `null` for an event of 0.2.0 or earlier. */
  readonly signature: string | null;
  readonly body_sha256: string;
}

/** Everything under one event id: the event, or the first to arrive when every body is quarantined. */
export interface FoundEvent {
  readonly row: EventRow;
  readonly others: readonly EventRow[];
}

export function leadingEvent(rows: readonly EventRow[]): FoundEvent | undefined {
  const [row, ...others] = rows.toSorted(eventFirst);
  return row && { row, others };
}

/** The order that counts the event; `undefined` when no order does. */
export function orderOf({ mode, outcome, orderId, assignedOrderId }: EventRow): OrderRef | undefined {
  const id = orderId ?? assignedOrderId;
  return outcome === 'applied' && id !== undefined ? { mode, id } : undefined;
}

/** `orderFacts` are those of `orderOf(row)`. */
export function eventView(id: string, found: FoundEvent, orderFacts: readonly string[] = []): EventView {
  const { row, others } = found;
  const { body } = row;
  return {
    id,
    // Found under a key that holds the mode of the caller.
    mode: row.mode as Mode,
    ...eventRecordView(row),
    ...(orderOf(row) !== undefined && !isIn(orderFacts, found) && { outcome: 'pending' }),
    ...bodyView(body),
    others: others.map(eventRecordView),
  };
}

/**
 * The fact in the order may differ from the one of the row: another release has read other parts of the body,
 * as releases up to 0.2.0 did. Then it is the only event under its id there, except for conflicting bodies,
 * which 0.2.0 kept out of its orders. Rows of 0.2.0 have no signature.
 */
function isIn(orderFacts: readonly string[], { row, others }: FoundEvent): boolean {
  const { fact, signature, eventId } = row;
  if (fact !== undefined && orderFacts.includes(fact)) return true;
  const isAlone = signature === undefined || others.every(({ outcome }) => outcome !== 'conflict');
  const start = `["event.1",${JSON.stringify(eventId)},`;
  return isAlone && orderFacts.some((one) => one.startsWith(start));
}

export function eventRecordView(row: EventRow): EventRecordView & Pick<EventRow, 'outcome'> {
  return {
    outcome: row.outcome,
    reason: row.reason ?? null,
    event_name: row.eventName ?? null,
    order_id: row.orderId ?? row.assignedOrderId ?? null,
    transaction_id: row.transactionId ?? null,
    received_at: row.receivedAt,
    recorded_at: row.recordedAt,
    key_id: row.keyId,
    signature: row.signature ?? null,
    body_sha256: row.bodySha256,
  };
}

function eventFirst(a: EventRow, b: EventRow): number {
  const rank = ({ record }: EventRow): number => (record === eventRecord.event ? 0 : 1);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (a.receivedAt !== b.receivedAt) return a.receivedAt < b.receivedAt ? -1 : 1;
  return a.record < b.record ? -1 : 1;
}
