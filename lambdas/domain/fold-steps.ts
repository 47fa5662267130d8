import { orderStepsMax } from '../contract/limits.ts';
import { countRead, readFacts } from './counted-events.ts';
import type { EventFact } from './fact.ts';
import { attentionOf, groupByTransaction, type OrderState, orderStatus } from './fold-order.ts';
import { type FoldedTransaction, foldTransaction } from './transaction.ts';

/** The state of an order after one of its facts. The attention holds what operators resolved later, too. */
export type OrderStep = Pick<OrderState, 'status' | 'attention'>;

/**
 * The state after each of the newest `orderStepsMax` facts, by their text. `arrivals` are facts in the order
 * in which they came. A fact that is not among them has no known time: it counts from the last arrival on, so
 * that the last step is the state of the order. Each step is what the facts mean as they are read today.
 */
export function foldSteps(
  facts: Iterable<string>,
  arrivals: readonly string[],
): ReadonlyMap<string, OrderStep> {
  const current = readFacts(facts);
  const known = new Set(current.map(({ text }) => text));
  const sequence = [...new Set(arrivals)].filter((text) => known.has(text));
  const placeOf = new Map(sequence.map((text, place) => [text, place]));
  const last = sequence.length - 1;
  const foldGroup = createGroupFold();
  const steps = new Map<string, OrderStep>();
  for (const [arrived, place] of [...placeOf].slice(-orderStepsMax)) {
    const counted = countRead(current.filter(({ text }) => (placeOf.get(text) ?? last) <= place));
    const transactions = [...groupByTransaction(counted.events)].map(([key, group]) => foldGroup(key, group));
    const step = { status: orderStatus(transactions), attention: attentionOf(transactions, counted) };
    steps.set(arrived, step);
  }
  return steps;
}

/** Folds a transaction again only when its events differ from those of the last time. */
function createGroupFold() {
  const latest = new Map<
    string,
    { readonly group: readonly EventFact[]; readonly folded: FoldedTransaction }
  >();
  return function foldGroup(key: string, group: readonly EventFact[]): FoldedTransaction {
    const known = latest.get(key);
    if (known?.group.length === group.length && known.group.every((fact, n) => fact === group[n]))
      return known.folded;
    const folded = foldTransaction(group);
    latest.set(key, { group, folded });
    return folded;
  };
}
