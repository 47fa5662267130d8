import { replayOrdersBytesMax, replayOrdersMax } from '../contract/operations-limits.ts';
import { orderKey } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { foldOrder, type OrderState } from '../domain/fold-order.ts';
import type { OrderReader, OrderRef, OrderWriter } from '../ports/stores.ts';

/** An order as the responses of acts show it: its money, and what a person must look at. */
export interface OrderSnapshot extends Pick<OrderState, 'status' | 'attention' | 'transactions'> {
  /** The number of facts. */
  readonly sequence: number;
}

/** `before` is `null` for an order that had no facts. */
export interface OrderChange {
  readonly order_id: string;
  readonly before: OrderSnapshot | null;
  readonly after: OrderSnapshot;
}

/** An order and its facts around an act. */
export interface ChangedOrder {
  readonly order: OrderRef;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

type Orders = OrderWriter & Pick<OrderReader, 'get'>;

export interface ObservedOrders {
  readonly orders: Orders;
  /** The orders whose facts changed, by id; with what other writers added meanwhile. */
  readonly changed: () => Promise<readonly ChangedOrder[]>;
}

/**
 * Watches what an act merges, over the tables and in a dry run alike. Awaits `beforeChange` before an order
 * gets a fact that it lacks.
 */
export function observeOrders(
  orders: Orders,
  beforeChange: (order: OrderRef) => Promise<void> = async () => {},
): ObservedOrders {
  const observed = new Map<string, Promise<{ -readonly [Key in keyof ChangedOrder]: ChangedOrder[Key] }>>();

  async function read(order: OrderRef) {
    const facts = (await orders.get(order))?.facts ?? [];
    return { order, before: facts, after: facts };
  }

  return {
    orders: {
      get: orders.get,
      async merge(merge) {
        const key = orderKey(merge.order.mode, merge.order.id);
        const reading = observed.get(key) ?? read(merge.order);
        observed.set(key, reading);
        const entry = await reading;
        if (merge.facts.some((fact) => !entry.after.includes(fact))) await beforeChange(merge.order);
        const merged = await orders.merge(merge);
        // A set of facts only grows, so of two responses the longer is the later.
        if (merged.facts.length > entry.after.length) entry.after = merged.facts;
        return merged;
      },
    },
    async changed() {
      const all = await Promise.all(observed.values());
      return all
        .filter(({ before, after }) => after.length > before.length)
        .toSorted((a, b) => (a.order.id < b.order.id ? -1 : 1));
    },
  };
}

/** Whether one response lists no more orders than these; a transaction is about as long as its fact. */
export function fillResponse(orders: readonly ChangedOrder[]): boolean {
  const facts = orders.flatMap(({ before, after }) => [...before, ...after]);
  const bytes = facts.reduce((sum, fact) => sum + fact.length, 0);
  return orders.length >= replayOrdersMax || bytes >= replayOrdersBytesMax;
}

/** Throws UnreadableFactError. */
export function orderSnapshot(facts: readonly string[], meaningOf: MeaningOf): OrderSnapshot {
  const { status, attention, transactions } = foldOrder(facts, meaningOf);
  return { status, attention, transactions, sequence: facts.length };
}

/** Throws UnreadableFactError. */
export const orderChange = ({ order, before, after }: ChangedOrder, meaningOf: MeaningOf): OrderChange => ({
  order_id: order.id,
  before: before.length === 0 ? null : orderSnapshot(before, meaningOf),
  after: orderSnapshot(after, meaningOf),
});
