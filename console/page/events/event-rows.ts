import type {
  Attention,
  Order,
  OrderEvent,
  OrderStatus,
  Outcome,
  StoredOutcome,
  WaitingItem,
  WaitingKind,
} from '@payhooks/order-client';

/** One line of the list of events. */
export interface EventRow {
  /** Unlike every other row's of the same mode. */
  readonly key: string;
  /** `null` for a body that is no event. */
  readonly id: string | null;
  readonly name: string | null;
  readonly orderId: string | null;
  readonly transactionId: string | null;
  readonly receivedAt: string | null;
  readonly recordedAt: string | null;
  /** When it was received, in milliseconds since 1970; 0 when that is not known. */
  readonly at: number;
  /** The status of its order before and after it; `null`: none, or not known. */
  readonly before: OrderStatus | null;
  readonly after: OrderStatus | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly outcome: Outcome | StoredOutcome;
  /** Of its order, on the newest event of it only. */
  readonly attention: readonly Attention[];
  /** Why it waits for a person; `null` when it counts. */
  readonly waiting: WaitingKind | null;
}

const timeOf = (text: string | null): number => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? 0 : at;
};

/** Newest first; rows of the same millisecond by key, so that every arrangement of pages has one result. */
export function compareRows(one: EventRow, other: EventRow): number {
  if (one.at !== other.at) return other.at - one.at;
  return one.key < other.key ? -1 : one.key > other.key ? 1 : 0;
}

/** The events that count in an order. */
export function rowsOfOrder(order: Order): readonly EventRow[] {
  return order.events.map((event, index) => {
    const isNewest = index === order.events.length - 1;
    return rowOfEvent(order, event, {
      before: order.events[index - 1]?.status_after ?? null,
      attention: isNewest ? order.attention : [],
    });
  });
}

function rowOfEvent(
  order: Order,
  event: OrderEvent,
  around: Pick<EventRow, 'before' | 'attention'>,
): EventRow {
  return {
    key: JSON.stringify([order.order_id, event.id]),
    id: event.id,
    name: event.event_name,
    orderId: order.order_id,
    transactionId: event.transaction_id,
    receivedAt: event.received_at,
    recordedAt: event.recorded_at,
    at: timeOf(event.received_at),
    after: event.status_after,
    amount: event.amount,
    currency: event.currency,
    outcome: 'applied',
    waiting: null,
    ...around,
  };
}

/** A body that waits for a person; `undefined` for an event name, which is no body. */
export function rowOfWaiting(item: WaitingItem): EventRow | undefined {
  if (item.outcome === null || item.received_at === null) return undefined;
  return {
    key: JSON.stringify(['waiting', item.kind, item.event_id, item.body_sha256]),
    id: item.event_id,
    name: item.event_name,
    orderId: item.order_id,
    transactionId: item.transaction_id,
    receivedAt: item.received_at,
    recordedAt: item.recorded_at,
    at: timeOf(item.received_at),
    before: null,
    after: null,
    amount: null,
    currency: null,
    outcome: item.outcome,
    attention: [],
    waiting: item.kind,
  };
}
