import { orderStepsMax } from '../contract/limits.ts';
import { countRead, type ReadFact } from './counted-events.ts';
import type { EventFact } from './fact.ts';
import { attentionOf, groupByTransaction, type OrderState, orderStatus } from './fold-order.ts';
import { currenciesOf, type FoldedTransaction, foldTransaction } from './transaction.ts';

/** The state of an order after one of its facts. The attention holds what operators resolved later, too. */
export type OrderStep = Pick<OrderState, 'status' | 'attention'>;

/**
 * The state after each of the newest `stepsMax` facts, by their text, of facts as `readFacts` returns them.
 * `arrivals` are facts in the order in which they came. A fact that is not among them has no known time: it
 * counts from the last arrival on, so that the last step is the state of the order. Each step is what the
 * facts mean as they are read today.
 *
 * What no step changes is counted and folded once: the events under other ids than those of the newest facts,
 * and the transactions that have no event under these ids.
 */
export function foldSteps(
  facts: readonly ReadFact[],
  arrivals: readonly string[],
  stepsMax = orderStepsMax,
): ReadonlyMap<string, OrderStep> {
  const known = new Set(facts.map(({ text }) => text));
  const sequence = [...new Set(arrivals)].filter((text) => known.has(text));
  const places = new Map(sequence.map((text, place) => [text, place]));
  const placeOf = ({ text }: ReadFact): number => places.get(text) ?? sequence.length - 1;
  const newest = sequence.slice(-stepsMax);
  const first = sequence.length - newest.length;
  // With the marks of the order, which have no id.
  const changingIds = new Set([undefined, ...facts.filter((fact) => placeOf(fact) >= first).map(idOf)]);
  const { changing = [], constant = [] } = Object.groupBy(facts, (fact) =>
    changingIds.has(idOf(fact)) ? 'changing' : 'constant',
  );
  const rest = countRead(constant);
  const groups = groupMoney(rest.events);
  const keys = new Set(
    groupMoney(changing.flatMap(({ fact }) => (fact.kind === 'event' ? fact : []))).keys(),
  );
  const others = twoOfAKind(
    [...groups].flatMap(([key, group]) => (keys.has(key) ? [] : foldTransaction(group))),
  );
  const foldGroup = createGroupFold();
  const stepAt = (place: number): OrderStep => {
    const counted = countRead(changing.filter((fact) => placeOf(fact) <= place));
    const own = groupMoney(counted.events);
    const folded = [...keys].map((key) =>
      foldGroup(key, [...(groups.get(key) ?? []), ...(own.get(key) ?? [])]),
    );
    const transactions = [...others, ...folded];
    const contested = new Set([...rest.contested, ...counted.contested]);
    const attention = attentionOf(transactions, { ...counted, contested });
    return { status: orderStatus(transactions), attention };
  };
  return new Map(newest.map((text, n) => [text, stepAt(first + n)]));
}

const idOf = ({ fact }: ReadFact): string | undefined => ('eventId' in fact ? fact.eventId : undefined);

/** Without events of the history, which change neither status nor attention. */
const groupMoney = (events: readonly EventFact[]) =>
  groupByTransaction(events.filter(({ meaning }) => meaning !== 'history'));

/** Enough for status and attention, which depend on what some transaction is, or more than one. */
function twoOfAKind(transactions: readonly FoldedTransaction[]): readonly FoldedTransaction[] {
  const kindOf = ({ view, attention, decisive }: FoldedTransaction): string =>
    JSON.stringify([view.status, ...attention.keys(), ...currenciesOf(decisive)]);
  return [...Map.groupBy(transactions, kindOf).values()].flatMap((alike) => alike.slice(0, 2));
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
