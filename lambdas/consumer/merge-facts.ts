import { mergeFactsMax } from '../contract/limits.ts';
import { orderKey } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { fullFact, UnreadableFactError } from '../domain/fact.ts';
import { foldOrder, type OrderStatus } from '../domain/fold-order.ts';
import { type OrderRef, type OrderWriter, PermanentStoreError } from '../ports/stores.ts';
import type { Applicable } from './record-event.ts';

/** The facts of a batch that one order still lacks. */
export interface PendingMerge {
  readonly order: OrderRef;
  readonly facts: Set<string>;
}

/** By order key: one entry per order, so that a batch writes each order once. */
export function groupByOrder(joined: readonly Applicable[]): ReadonlyMap<string, PendingMerge> {
  const merges = new Map<string, PendingMerge>();
  for (const { mode, pendingFacts } of joined) {
    for (const { orderId, fact } of pendingFacts) {
      const key = orderKey(mode, orderId);
      const merge = merges.get(key) ?? { order: { mode, id: orderId }, facts: new Set() };
      merge.facts.add(fact);
      merges.set(key, merge);
    }
  }
  return merges;
}

export interface Merged {
  readonly changed: boolean;
  /** All facts of the order, after this merge. */
  readonly facts: readonly string[];
  /** For the log; `undefined` when the order's facts are not known, or not readable for this version. */
  readonly status: OrderStatus | undefined;
  /** The facts that no longer fit into the order's row. */
  readonly refused: ReadonlySet<string>;
}

export interface MergeParts {
  readonly orders: OrderWriter;
  readonly meaningOf: MeaningOf;
}

/**
 * Adds facts to an order. When they do not fit together, each is tried alone, so that one is not refused
 * because of another; a row that refused any is marked as full.
 */
export async function mergeFacts(
  { orders, meaningOf }: MergeParts,
  { order, facts }: PendingMerge,
  now: () => Date,
): Promise<Merged> {
  const refused = new Set<string>();
  let stored: readonly string[] = [];
  let changed = false;
  const add = async (some: readonly string[], releasesHeadroom = false): Promise<void> => {
    try {
      const merged = await orders.merge({ order, facts: some, now, releasesHeadroom });
      if (merged.facts.length > stored.length) stored = merged.facts;
      changed ||= merged.changed;
    } catch (error) {
      if (!(error instanceof PermanentStoreError)) throw error;
      const [first, ...others] = some;
      if (others.length > 0) await Promise.all(some.map((fact) => add([fact])));
      else if (first !== undefined) refused.add(first);
    }
  };
  const sorted = [...facts].sort();
  const starts = sorted.flatMap((_, index) => (index % mergeFactsMax === 0 ? [index] : []));
  await Promise.all(starts.map((start) => add(sorted.slice(start, start + mergeFactsMax))));
  // Where not even this fits, the refused events still wait in the list.
  if (refused.size > 0) await add([fullFact], true);
  const status = stored.length > 0 ? statusOf(stored, meaningOf) : undefined;
  return { changed, facts: stored, status, refused };
}

/** A merge never reads what is in the order, so facts of a newer version do not hold it back. */
function statusOf(facts: readonly string[], meaningOf: MeaningOf): OrderStatus | undefined {
  try {
    return foldOrder(facts, meaningOf).status;
  } catch (error) {
    if (error instanceof UnreadableFactError) return undefined;
    throw error;
  }
}
