import { mergeFactsMax } from '../contract/limits.ts';
import { orderKey } from '../contract/schema.ts';
import type { DeliveryStore, OrderMerge } from '../ports/stores.ts';
import type { First } from './deliver.ts';

/** All facts of an order, after a merge. */
export type Merged = readonly string[];

export type MergeResult =
  | { readonly ok: true; readonly merged: Merged }
  | { readonly ok: false; readonly error: unknown };
/** Both by order key. */
export type MergeResults = ReadonlyMap<string, MergeResult>;
export type MergedOrders = ReadonlyMap<string, Merged>;

export interface MergeParts {
  readonly store: Pick<DeliveryStore, 'merge'>;
  readonly now: () => Date;
}

/** Adds the facts of a batch to its orders, each order once. One that fails does not affect the others. */
export async function mergeOrders(parts: MergeParts, deliveries: readonly First[]): Promise<MergeResults> {
  const merges = new Map<string, { readonly order: OrderMerge['order']; readonly facts: Set<string> }>();
  for (const { row, rest } of deliveries) {
    for (const { orderId, text } of rest.pending) {
      const key = orderKey(row.mode, orderId);
      const merge = merges.get(key) ?? { order: { mode: row.mode, id: orderId }, facts: new Set() };
      merges.set(key, { ...merge, facts: merge.facts.add(text) });
    }
  }
  const results = [...merges].map(async ([key, { order, facts }]): Promise<[string, MergeResult]> => {
    try {
      return [key, { ok: true, merged: await mergeFacts(parts, order, [...facts].sort()) }];
    } catch (error) {
      return [key, { ok: false, error }];
    }
  });
  return new Map(await Promise.all(results));
}

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

/** The merges of a delivery's orders, by order key. Throws the error of one that failed. */
export function mergesOf({ row, rest }: First, results: MergeResults): MergedOrders {
  const merges = new Map<string, Merged>();
  for (const { orderId } of rest.pending) {
    const key = orderKey(row.mode, orderId);
    const result = results.get(key);
    if (result?.ok === false) throw result.error;
    if (result !== undefined) merges.set(key, result.merged);
  }
  return merges;
}
