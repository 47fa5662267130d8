import type {
  Attention,
  Mode,
  Order,
  OrderStatus,
  Outcome,
  StoredOutcome,
  WaitingItem,
} from '@payhooks/order-client';
import { type ListFilters, orderQuery } from './filters.ts';
import type { ListSources, LoadedRows } from './pages.ts';

/** One line of the list of events. */
export interface EventRow {
  /** Unlike every other row's of the same mode. */
  readonly key: string;
  /** `null` for a body that is no event. */
  readonly id: string | null;
  readonly name: string | null;
  readonly orderId: string | null;
  readonly receivedAt: string | null;
  /** The status of its order before and after it; `null`: none, or not known. */
  readonly before: OrderStatus | null;
  readonly after: OrderStatus | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly outcome: Outcome | StoredOutcome;
  /** Of its order, on the newest event of it only. */
  readonly attention: readonly Attention[];
  /** Whether it waits for a person. */
  readonly waits: boolean;
}

/** Where the list of events comes from: orders for what counts, the waiting room for what waits. */
export function eventSources({ outcome, ...filters }: ListFilters, mode: Mode): ListSources {
  const { status, attention, since, until } = filters;
  const ofOrders = status !== undefined || attention !== undefined;
  const showsWaiting = outcome === undefined ? !ofOrders : outcome !== 'applied';
  const showsOrders = outcome === undefined || outcome === 'applied';
  return {
    orders: showsOrders ? { mode, ...orderQuery(filters) } : undefined,
    waiting: showsWaiting ? { mode, since, until } : undefined,
  };
}

/**
 * The events of orders that are listed by their latest change, with what waits, newest first. Every event was
 * received before its order changed: one that is newer than the last order's change is newer than all events
 * of the orders to come. Older ones are left out until those are here.
 */
export function eventRows({ orders, items, isLast }: LoadedRows): readonly EventRow[] {
  const bound = isLast ? Number.NEGATIVE_INFINITY : timeOf(orders.at(-1)?.updated_at ?? null);
  return [...orders.flatMap(rowsOfOrder), ...items.flatMap(rowsOfWaiting)]
    .filter((row) => timeOf(row.receivedAt) > bound)
    .sort(newestFirst);
}

const timeOf = (text: string | null): number => Date.parse(text ?? '1970-01-01');

/** Rows of the same millisecond by key, so that every arrangement of pages has one result. */
function newestFirst(one: EventRow, other: EventRow): number {
  return timeOf(other.receivedAt) - timeOf(one.receivedAt) || (one.key < other.key ? -1 : 1);
}

/** The events that count in an order. */
const rowsOfOrder = ({ order_id, events, attention }: Order): readonly EventRow[] =>
  events.map((event, index) => ({
    key: JSON.stringify([order_id, event.id]),
    id: event.id,
    name: event.event_name,
    orderId: order_id,
    receivedAt: event.received_at,
    before: events[index - 1]?.status_after ?? null,
    after: event.status_after,
    amount: event.amount,
    currency: event.currency,
    outcome: 'applied',
    attention: index === events.length - 1 ? attention : [],
    waits: false,
  }));

/** A body that waits for a person; nothing for an event name, which is no body. */
function rowsOfWaiting(item: WaitingItem): readonly EventRow[] {
  const { outcome, received_at, kind, event_id, body_sha256, event_name, order_id, amount, currency } = item;
  if (outcome === null || received_at === null) return [];
  return [
    {
      key: JSON.stringify(['waiting', kind, event_id, body_sha256]),
      ...{ id: event_id, name: event_name, orderId: order_id, receivedAt: received_at, outcome },
      ...{ before: null, after: null, amount, currency, attention: [], waits: true },
    },
  ];
}
