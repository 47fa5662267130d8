import type { OrderState } from '../domain/fold-order.ts';
import type { EventSummary, OrderRow } from '../ports/stores.ts';
import type { ShownOutcome } from './event-view.ts';
import { byArrival, type OrderEvent } from './order-view.ts';

/** The response of `GET /orders/{order_id}/events`: where the state comes from, without customer data. */
export interface OrderEventsView {
  readonly order_id: string;
  readonly mode: 'live' | 'sandbox';
  /** In the order in which they were received. */
  readonly events: readonly OrderEventDetail[];
}

/** An event of an order. Where a row of 0.2.0 has expired, its fields are `null`; the fact still counts. */
export interface OrderEventDetail extends OrderEvent {
  readonly outcome: ShownOutcome;
  readonly transaction_id: string | null;
  readonly recorded_at: string | null;
  readonly key_id: string | null;
  readonly body_sha256: string | null;
}

export function orderEventsView(
  row: OrderRow,
  state: OrderState,
  summaries: ReadonlyMap<string, EventSummary>,
): OrderEventsView {
  const details = state.events.map((event): OrderEventDetail => {
    const summary = summaries.get(event.id);
    return {
      ...event,
      received_at: summary?.receivedAt ?? null,
      // What is listed is in the facts of the order.
      outcome: 'applied',
      transaction_id: summary?.transactionId ?? null,
      recorded_at: summary?.recordedAt ?? null,
      key_id: summary?.keyId ?? null,
      body_sha256: summary?.bodySha256 ?? null,
    };
  });
  return { order_id: row.order.id, mode: row.order.mode, events: details.toSorted(byArrival) };
}
