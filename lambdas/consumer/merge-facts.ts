import { mergeFactsMax } from '../contract/limits.ts';
import { orderKey } from '../contract/schema.ts';
import type { DeliveryStore, OrderMerge } from '../ports/stores.ts';
import type { First } from './deliver.ts';

/** By order key: why an order could not be written. */
export type MergeErrors = ReadonlyMap<string, unknown>;

export interface MergeParts {
  readonly store: Pick<DeliveryStore, 'merge'>;
  readonly now: () => Date;
}

/** Adds the facts of a batch to its orders, each order once. One that fails does not affect the others. */
export async function mergeOrders(parts: MergeParts, deliveries: readonly First[]): Promise<MergeErrors> {
  const merges = new Map<string, { readonly order: OrderMerge['order']; readonly facts: Set<string> }>();
  for (const { row, rest } of deliveries) {
    for (const { orderId, text } of rest.pending) {
      const key = orderKey(row.mode, orderId);
      const merge = merges.get(key) ?? { order: { mode: row.mode, id: orderId }, facts: new Set() };
      merges.set(key, { ...merge, facts: merge.facts.add(text) });
    }
  }
  const errors = new Map<string, unknown>();
  const results = [...merges].map(async ([key, { order, facts }]) => {
    try {
      await mergeFacts(parts, order, [...facts]);
    } catch (error) {
      errors.set(key, error);
    }
  });
  await Promise.all(results);
  return errors;
}

/** In as many writes as it takes. */
async function mergeFacts(
  { store, now }: MergeParts,
  order: OrderMerge['order'],
  facts: readonly string[],
): Promise<void> {
  for (let start = 0; start < facts.length; start += mergeFactsMax)
    await store.merge({ order, facts: facts.slice(start, start + mergeFactsMax), now });
}

/** Throws the error of an order of this delivery. */
export function throwFailed({ row, rest }: First, errors: MergeErrors): void {
  for (const { orderId } of rest.pending) {
    const key = orderKey(row.mode, orderId);
    if (errors.has(key)) throw errors.get(key);
  }
}
