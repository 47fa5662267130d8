import { mergeFactsMax } from '../contract/limits.ts';
import { orderKey } from '../contract/schema.ts';
import type { DeliveryStore, OrderMerge } from '../ports/stores.ts';
import type { First } from './deliver.ts';

/** All facts of an order, after a merge. */
export type Merged = readonly string[];

/** By order key: the orders, and why others could not be written. */
export interface Merges {
  readonly orders: ReadonlyMap<string, Merged>;
  readonly errors: ReadonlyMap<string, unknown>;
}

export interface MergeParts {
  readonly store: Pick<DeliveryStore, 'merge'>;
  readonly now: () => Date;
}

/** Adds the facts of a batch to its orders, each order once. One that fails does not affect the others. */
export async function mergeOrders(parts: MergeParts, deliveries: readonly First[]): Promise<Merges> {
  const merges = new Map<string, { readonly order: OrderMerge['order']; readonly facts: Set<string> }>();
  for (const { row, rest } of deliveries) {
    for (const { orderId, text } of rest.pending) {
      const key = orderKey(row.mode, orderId);
      const merge = merges.get(key) ?? { order: { mode: row.mode, id: orderId }, facts: new Set() };
      merges.set(key, { ...merge, facts: merge.facts.add(text) });
    }
  }
  const orders = new Map<string, Merged>();
  const errors = new Map<string, unknown>();
  const results = [...merges].map(async ([key, { order, facts }]) => {
    try {
      orders.set(key, await mergeFacts(parts, order, [...facts]));
    } catch (error) {
      errors.set(key, error);
    }
  });
  await Promise.all(results);
  return { orders, errors };
}

/** In as many writes as it takes. */
async function mergeFacts(
  { store, now }: MergeParts,
  order: OrderMerge['order'],
  facts: readonly string[],
): Promise<Merged> {
  let merged: Merged = [];
  for (let start = 0; start < facts.length; start += mergeFactsMax)
    merged = await store.merge({ order, facts: facts.slice(start, start + mergeFactsMax), now });
  return merged;
}

/** Throws the error of an order of this delivery. */
export function throwFailed({ row, rest }: First, { errors }: Merges): void {
  for (const { orderId } of rest.pending) {
    const key = orderKey(row.mode, orderId);
    if (errors.has(key)) throw errors.get(key);
  }
}
