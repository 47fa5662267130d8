import { orderKey } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { foldOrder, type OrderStatus } from '../domain/fold-order.ts';
import type { OrderRef, OrderWriter } from '../ports/stores.ts';
import type { Recorded } from './record-event.ts';

/** The facts of a batch that one order still lacks, and the records that they came from. */
export interface PendingMerge {
  readonly order: OrderRef;
  readonly facts: Set<string>;
  readonly records: Set<Recorded>;
}

/** One entry per order, so that a batch writes each order once. */
export function groupByOrder(recorded: readonly Recorded[]): readonly PendingMerge[] {
  const merges = new Map<string, PendingMerge>();
  for (const record of recorded) {
    const { mode } = record.received.message;
    for (const { orderId, fact } of record.pendingFacts) {
      const key = orderKey(mode, orderId);
      const merge = merges.get(key) ?? { order: { mode, id: orderId }, facts: new Set(), records: new Set() };
      merge.facts.add(fact);
      merge.records.add(record);
      merges.set(key, merge);
    }
  }
  return [...merges.values()];
}

export interface Merged {
  readonly changed: boolean;
  readonly status: OrderStatus | undefined;
}

/**
 * Adds the facts and updates the derived status. Facts only grow, so the writer that adds the last one sees
 * them all; a merge that changes nothing still repairs a status that a crash left out of date.
 */
export async function mergeFacts(
  { orders, meaningOf }: { readonly orders: OrderWriter; readonly meaningOf: MeaningOf },
  { order, facts }: Pick<PendingMerge, 'order' | 'facts'>,
  now: () => Date,
): Promise<Merged> {
  const merged = await orders.merge({
    order,
    facts: [...facts],
    status: foldOrder(facts, meaningOf).status,
    now,
  });
  const { status } = foldOrder(merged.facts, meaningOf);
  if (merged.status !== status) await orders.setStatus(order, status, merged.facts.length);
  return { changed: merged.changed, status };
}
