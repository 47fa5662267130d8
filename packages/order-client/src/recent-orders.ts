import { createHash } from 'node:crypto';
import type { Order } from './openapi-types.ts';

export interface RecentOrders {
  /** Whether the order differs from its last state that was passed in. */
  isNew(order: Order): boolean;
}

/** Keeps a hash of each of the `ordersMax` most recent orders. A forgotten order counts as new. */
export function createRecentOrders(ordersMax: number): RecentOrders {
  // A Map keeps the order of insertion, so its first key is the least recent.
  const hashes = new Map<string, string>();
  return {
    isNew(order) {
      const hash = createHash('sha256').update(JSON.stringify(order)).digest('base64url');
      const known = hashes.get(order.order_id);
      hashes.delete(order.order_id);
      hashes.set(order.order_id, hash);
      const [oldest] = hashes.keys();
      if (hashes.size > ordersMax && oldest !== undefined) hashes.delete(oldest);
      return known !== hash;
    },
  };
}
