import { orderKey } from '../contract/schema.ts';
import { foldOrder, type OrderStatus } from '../domain/fold-order.ts';
import type { OrderRef, OrderWriter } from '../ports/stores.ts';
import type { Recorded } from './record-event.ts';

/** The facts that a batch owes to one order, and the records that owe them. */
export interface OrderDebt {
  readonly order: OrderRef;
  readonly facts: Set<string>;
  readonly records: Set<Recorded>;
}

/** One entry per order, so that a batch writes each order once. */
export function groupByOrder(recorded: readonly Recorded[]): readonly OrderDebt[] {
  const debts = new Map<string, OrderDebt>();
  for (const record of recorded) {
    const { mode } = record.received.message;
    for (const { orderId, fact } of record.owed) {
      const key = orderKey(mode, orderId);
      const debt = debts.get(key) ?? { order: { mode, id: orderId }, facts: new Set(), records: new Set() };
      debt.facts.add(fact);
      debt.records.add(record);
      debts.set(key, debt);
    }
  }
  return [...debts.values()];
}

export interface Merged {
  readonly changed: boolean;
  readonly status: OrderStatus | undefined;
}

/**
 * Adds the facts and brings the derived status up to date. Facts only grow, so whoever adds the last one sees
 * them all; a merge that changes nothing still repairs a status that a crash left behind.
 */
export async function mergeFacts(
  orders: OrderWriter,
  { order, facts }: Pick<OrderDebt, 'order' | 'facts'>,
  at: string,
): Promise<Merged> {
  const merged = await orders.merge({ order, facts: [...facts], status: foldOrder(facts).status, at });
  const { status } = foldOrder(merged.facts);
  if (merged.status !== status) await orders.setStatus(order, status, merged.facts.length);
  return { changed: merged.changed, status };
}
