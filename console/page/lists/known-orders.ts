import type { Order } from '@payhooks/order-client';

/** Which states of which orders a list has. */
export interface KnownOrders {
  /** Whether this state of the order, or a newer one, was added. */
  has(order: Order): boolean;
  hasId(id: string): boolean;
  add(order: Order): void;
}

export function createKnownOrders(): KnownOrders {
  const states = new Map<string, { readonly sequence: number; readonly attention: string }>();
  return {
    has({ order_id, sequence, attention }) {
      const known = states.get(order_id);
      if (known === undefined || known.sequence < sequence) return false;
      // An operator may end an attention, which adds no fact.
      return known.sequence > sequence || known.attention === attention.join();
    },
    hasId: (id) => states.has(id),
    add({ order_id, sequence, attention }) {
      states.set(order_id, { sequence, attention: attention.join() });
    },
  };
}
