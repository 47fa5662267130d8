import type { Order, WaitingItem } from '@payhooks/order-client';
import { createKnownOrders } from '../lists/known-orders.ts';
import type { RowList } from '../lists/row-list.ts';
import { compareRows, type EventRow, rowOfWaiting, rowsOfOrder } from './event-rows.ts';

/**
 * The list of all events, from pages of orders by their latest change. Every event was received before its
 * order changed: an event that is newer than the latest change of all orders to come is certainly newer than
 * all of their events. Older ones are kept back until more pages have come.
 */
export function createNewestFirst(shows: (item: WaitingItem) => boolean = () => true): RowList<EventRow> {
  const known = createKnownOrders();
  let events: readonly EventRow[] = [];
  let waiting: readonly EventRow[] = [];
  /** All orders to come changed at this time or before it. */
  let bound = Number.POSITIVE_INFINITY;
  let shown: readonly EventRow[] | undefined;

  const add = (orders: readonly Order[]): void => {
    const changed = new Map(
      orders.filter((order) => !known.has(order)).map((order) => [order.order_id, order]),
    );
    if (changed.size === 0) return;
    const isKnown = [...changed.keys()].some(known.hasId);
    const kept = isKnown ? events.filter(({ orderId }) => !changed.has(orderId ?? '')) : events;
    events = merge(kept, [...changed.values()].flatMap(rowsOfOrder).sort(compareRows));
    for (const order of changed.values()) known.add(order);
  };

  return {
    rows() {
      shown ??= certain(merge(events, waiting), bound);
      return shown;
    },
    addPage({ orders, isLast }) {
      add(orders);
      const last = orders.at(-1);
      if (last !== undefined) bound = Math.min(bound, Date.parse(last.updated_at));
      if (isLast) bound = Number.NEGATIVE_INFINITY;
      shown = undefined;
    },
    addChanged(orders) {
      add(orders);
      shown = undefined;
    },
    setWaiting(items) {
      waiting = items
        .filter(shows)
        .flatMap((item) => rowOfWaiting(item) ?? [])
        .sort(compareRows);
      shown = undefined;
    },
    countNew(orders) {
      const added = new Map(
        orders.filter((order) => !known.has(order)).map((order) => [order.order_id, order]),
      );
      if (added.size === 0) return 0;
      const shownBefore = new Set(
        events.filter(({ orderId }) => added.has(orderId ?? '')).map(({ key }) => key),
      );
      return [...added.values()].flatMap(rowsOfOrder).filter(({ key }) => !shownBefore.has(key)).length;
    },
    knows: known.has,
  };
}

/** The rows that are newer than `bound`. */
function certain(rows: readonly EventRow[], bound: number): readonly EventRow[] {
  if (bound === Number.NEGATIVE_INFINITY) return rows;
  const end = rows.findIndex(({ at }) => at <= bound);
  return end < 0 ? rows : rows.slice(0, end);
}

/** Merges two sorted lists. */
function merge(one: readonly EventRow[], other: readonly EventRow[]): readonly EventRow[] {
  if (other.length === 0) return one;
  const merged: EventRow[] = [];
  let next = 0;
  for (const row of one) {
    for (let mine = other[next]; mine !== undefined && compareRows(mine, row) < 0; mine = other[next]) {
      merged.push(mine);
      next += 1;
    }
    merged.push(row);
  }
  return [...merged, ...other.slice(next)];
}
