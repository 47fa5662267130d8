import { createHash } from 'node:crypto';
import type { Order } from './openapi-types.ts';

export interface RecentOrders {
  /** Whether the order differs from what was last asked about it. */
  isNews(order: Order): boolean;
}

/**
 * What was told last of the orders that were told most recently: a hash for each of at most `ordersMax`. An
 * order that is forgotten is news when it comes again.
 */
export function createRecentOrders(ordersMax: number): RecentOrders {
  // A Map keeps the order of insertion, so its first key is what was not told for the longest time.
  const told = new Map<string, string>();
  return {
    isNews(order) {
      const hash = createHash('sha256').update(JSON.stringify(order)).digest('base64url');
      const known = told.get(order.order_id);
      told.delete(order.order_id);
      told.set(order.order_id, hash);
      const [oldest] = told.keys();
      if (told.size > ordersMax && oldest !== undefined) told.delete(oldest);
      return known !== hash;
    },
  };
}
