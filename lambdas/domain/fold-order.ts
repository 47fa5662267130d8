import type { Meaning } from './assumptions.ts';
import { type Attention, attentions, isResolvable } from './attention.ts';
import { type CountedEvents, countEvents } from './counted-events.ts';
import { currentResolutions, type EventFact } from './fact.ts';
import { currenciesOf, type FoldedTransaction, foldTransaction, type Transaction } from './transaction.ts';

export const orderStatuses = ['pending', 'failed', 'paid', 'partially_refunded', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export interface OrderState {
  readonly status: OrderStatus;
  readonly attention: readonly Attention[];
  /** By creation time, then id. */
  readonly transactions: readonly Transaction[];
  /** Every event that counts, by id; the event rows hold the time of arrival. */
  readonly events: readonly OrderStateEvent[];
}

/** What an event says, as its order counts it. */
export interface OrderStateEvent {
  readonly id: string;
  readonly event_name: string;
  readonly meaning: Meaning;
  readonly transaction_id: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
}

/**
 * The state of an order: a pure function of its set of facts, independent of their order, repetition and time
 * of arrival.
 */
export function foldOrder(facts: Iterable<string>): OrderState {
  const all = new Set(facts);
  const counted = countEvents(all);
  const resolved = new Set(currentResolutions(all, counted.resolutions).map((fact) => fact.attention));
  const transactions = [...groupByTransaction(counted.events)]
    .map(([, group]) => foldTransaction(group))
    .toSorted(({ view: a }, { view: b }) => compare(a.created_at, b.created_at) || compare(a.id, b.id));
  return {
    status: orderStatus(transactions),
    attention: attentionOf(transactions, counted).filter(
      (name) => !(isResolvable(name) && resolved.has(name)),
    ),
    transactions: transactions.map(({ view }) => view),
    events: counted.events.map(({ eventId, eventName, meaning, transactionId, amount, currency }) => {
      return { id: eventId, event_name: eventName, meaning, transaction_id: transactionId, amount, currency };
    }),
  };
}

/**
 * An event without a transaction id stands alone: two of them may be two charges, and a possible double
 * charge must be seen rather than merged away.
 */
export function groupByTransaction(events: readonly EventFact[]): Map<string, EventFact[]> {
  return Map.groupBy(events, ({ transactionId, eventId }) =>
    transactionId === null ? `event:${eventId}` : `transaction:${transactionId}`,
  );
}

/** Money came in and did not go back in full. */
export const holdsMoney = ({ view: { status } }: FoldedTransaction): boolean =>
  status === 'paid' || status === 'partially_refunded';

/**
 * A transaction that was refunded in full does not count while another holds money. A refund without a
 * payment does: nothing shows that it belongs to a payment of its own.
 */
export function orderStatus(transactions: readonly FoldedTransaction[]): OrderStatus {
  const returned = ({ view, attention }: FoldedTransaction): boolean =>
    view.status === 'partially_refunded' || attention.has('refund_without_payment');
  if (transactions.some(holdsMoney)) return transactions.some(returned) ? 'partially_refunded' : 'paid';
  const furthest = orderStatuses.findLast((status) =>
    transactions.some(({ view }) => view.status === status),
  );
  return furthest ?? 'pending';
}

/** With what operators have resolved. */
export function attentionOf(
  transactions: readonly FoldedTransaction[],
  { contested, shared, full, unreadable }: CountedEvents,
): readonly Attention[] {
  const ofOrder: Partial<Record<Attention, boolean>> = {
    multiple_paid_transactions: transactions.filter(holdsMoney).length > 1,
    currency_mixed: currenciesOf(transactions.flatMap(({ decisive }) => decisive)).size > 1,
    conflicting_event: contested.size > 0,
    transaction_in_two_orders: shared.length > 0,
    too_many_events: full,
    unreadable_fact: unreadable,
  };
  return attentions.filter(
    (name) => ofOrder[name] || transactions.some(({ attention }) => attention.has(name)),
  );
}

/** Code unit order, `null` last: the same on every machine, independent of locale. */
function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
