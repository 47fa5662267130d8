import type { Order } from '@payhooks/order-client';
import { createKnownOrders } from '../lists/known-orders.ts';
import type { RowList } from '../lists/row-list.ts';

/** The list of orders by their latest change, newest first. An order that changes moves to the top. */
export function createLatestOrders(): RowList<Order> {
  const known = createKnownOrders();
  let rows: readonly Order[] = [];

  const unknown = (orders: readonly Order[]): Map<string, Order> =>
    new Map(orders.filter((order) => !known.has(order)).map((order) => [order.order_id, order]));
  const without = (added: ReadonlyMap<string, Order>): readonly Order[] =>
    [...added.keys()].some(known.hasId) ? rows.filter(({ order_id }) => !added.has(order_id)) : rows;
  const remember = (added: ReadonlyMap<string, Order>): void => {
    for (const order of added.values()) known.add(order);
  };

  return {
    rows: () => rows,
    addPage({ orders }) {
      const added = unknown(orders);
      rows = [...without(added), ...added.values()];
      remember(added);
    },
    addChanged(orders) {
      const added = unknown(orders);
      if (added.size === 0) return;
      const newest = [...added.values()].sort((one, other) => compareTimes(other.updated_at, one.updated_at));
      rows = [...newest, ...without(added)];
      remember(added);
    },
    setWaiting: () => undefined,
    countNew: (orders) => unknown(orders).size,
    knows: known.has,
  };
}

const compareTimes = (one: string, other: string): number => Date.parse(one) - Date.parse(other);
