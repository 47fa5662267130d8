import type { FeedCondition, FeedEvent } from './feed-reader.ts';

/** What an order system keeps of an order. */
export interface KnownOrder extends FeedCondition {
  readonly sequence: number;
}

/**
 * An order system as `docs/order-feed.md` tells its author to write one: it drops what it has seen, and what
 * is older than what it knows.
 */
export function createOrderSystem() {
  const seen = new Set<string>();
  const orders = new Map<string, KnownOrder>();
  const counts = { applied: 0, again: 0, older: 0 };
  return {
    counts,
    /** By mode and order id. */
    orders,
    receive({ detail }: FeedEvent): void {
      const { id, mode, order_id, sequence, current } = detail;
      if (seen.has(id)) {
        counts.again += 1;
        return;
      }
      seen.add(id);
      const key = `${mode} ${order_id}`;
      if ((orders.get(key)?.sequence ?? 0) >= sequence) {
        counts.older += 1;
        return;
      }
      counts.applied += 1;
      orders.set(key, { ...current, sequence });
    },
  };
}

/** What a system that follows the orders has to end with, as text: mode and order id, status, attention. */
export function conditionsText(orders: Iterable<readonly [string, FeedCondition]>): string[] {
  return [...orders].map(([key, { status, attention }]) => `${key}: ${status} ${attention.join(' ')}`).sort();
}
