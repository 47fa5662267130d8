import type { OrderState } from '../domain/fold-order.ts';
import type { Mode } from '../domain/signature.ts';
import type { EventSummary, OrderRow } from '../ports/stores.ts';

/** The response of `GET /orders/{order_id}`. */
export interface OrderView extends Omit<OrderState, 'events'> {
  readonly order_id: string;
  readonly mode: 'live' | 'sandbox';
  /** In the order in which they were received. */
  readonly events: readonly OrderEvent[];
  /** The number of facts: it only grows, and the order feed uses the same number. */
  readonly sequence: number;
  readonly updated_at: string;
}

export interface OrderEvent {
  readonly id: string;
  readonly event_name: string;
  /** `null` when the row has expired, as rows of 0.2.0 could; the fact still counts. */
  readonly received_at: string | null;
}

export interface OrderViewParts {
  readonly row: OrderRow;
  readonly state: OrderState;
  readonly summaries: ReadonlyMap<string, EventSummary>;
}

/** The state is folded from the facts at read time: no derived state is stored that could be out of date. */
export function orderView({ row, state, summaries }: OrderViewParts): OrderView {
  return {
    order_id: row.order.id,
    // Found under a key that holds the mode of the caller.
    mode: row.order.mode as Mode,
    status: state.status,
    attention: state.attention,
    transactions: state.transactions,
    events: state.events
      .map((event) => ({ ...event, received_at: summaries.get(event.id)?.receivedAt ?? null }))
      .toSorted(byArrival),
    sequence: row.facts.length,
    updated_at: row.updatedAt,
  };
}

/** ISO 8601 UTC sorts as text; an event whose row has expired sorts first. */
export function byArrival(a: OrderEvent, b: OrderEvent): number {
  const [left, right] = [a.received_at ?? '', b.received_at ?? ''];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
