import { eventRecord } from '../contract/schema.ts';
import type { EventRow, Outcome } from '../ports/stores.ts';

/** The response of `GET /events/{event_id}`: what was received under this id, and its outcome. */
export interface EventView extends EventRecordView {
  readonly id: string;
  readonly mode: 'live' | 'sandbox';
  /** The signed bytes, exactly as received; `null` when the body has expired. */
  readonly body_base64: string | null;
  /** The body's `payload`, for reading; the bytes are the truth. */
  readonly payload: unknown;
  /**
   * Other bodies under the same id, without their bytes, to bound the response: conflicts, quarantined
   * bodies, the event in other bytes.
   */
  readonly others: readonly EventRecordView[];
}

export interface EventRecordView {
  readonly outcome: Outcome;
  readonly reason: NonNullable<EventRow['reason']> | null;
  readonly event_name: string | null;
  readonly order_id: string | null;
  readonly transaction_id: string | null;
  readonly received_at: string;
  readonly recorded_at: string;
  /** A short hash of the private key that signed it. */
  readonly key_id: string;
  readonly body_sha256: string;
}

/** Shows the event's own row, or the first to arrive when every body is quarantined. */
export function eventView(eventId: string, rows: readonly [EventRow, ...EventRow[]]): EventView {
  const [first, ...others] = rows.toSorted(ownRowFirst);
  const lead = first ?? rows[0];
  return {
    id: eventId,
    mode: lead.mode,
    ...recordView(lead),
    body_base64: lead.body === undefined ? null : Buffer.from(lead.body).toString('base64'),
    payload: lead.body === undefined ? null : payloadOf(lead.body),
    others: others.map(recordView),
  };
}

function recordView(row: EventRow): EventRecordView {
  return {
    outcome: row.outcome,
    reason: row.reason ?? null,
    event_name: row.eventName ?? null,
    order_id: row.orderId ?? null,
    transaction_id: row.transactionId ?? null,
    received_at: row.receivedAt,
    recorded_at: row.recordedAt,
    key_id: row.keyId,
    body_sha256: row.bodySha256,
  };
}

function payloadOf(body: Uint8Array): unknown {
  const event: unknown = JSON.parse(new TextDecoder().decode(body));
  return typeof event === 'object' && event !== null && 'payload' in event ? event.payload : null;
}

function ownRowFirst(a: EventRow, b: EventRow): number {
  const rank = (row: EventRow): number => (row.record === eventRecord.event ? 0 : 1);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (a.receivedAt !== b.receivedAt) return a.receivedAt < b.receivedAt ? -1 : 1;
  return a.record < b.record ? -1 : 1;
}
