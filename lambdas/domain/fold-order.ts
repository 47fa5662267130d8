import type { MeaningOf } from './assumptions.ts';
import { type EventFact, parseFact } from './fact.ts';
import { type FoldedTransaction, foldTransaction, type Transaction } from './transaction.ts';

export const orderStatuses = ['pending', 'failed', 'paid', 'partially_refunded', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** What a person must look at, in the order in which an order view lists them. */
export const attentions = [
  'multiple_paid_transactions',
  'refund_without_payment',
  'refund_amount_ambiguous',
  'payment_amount_ambiguous',
  'currency_mixed',
  'conflicting_event',
] as const;
export type Attention = (typeof attentions)[number];

export interface OrderState {
  readonly status: OrderStatus;
  readonly attention: readonly Attention[];
  /** By creation time, then id. */
  readonly transactions: readonly Transaction[];
  /** Every event of the order, by id; the event rows hold the time of arrival. */
  readonly events: readonly { readonly id: string; readonly event_name: string }[];
}

/**
 * The state of an order: a pure function of its set of facts, independent of their order, repetition and time
 * of arrival. Throws UnreadableFactError.
 */
export function foldOrder(facts: Iterable<string>, meaningOf: MeaningOf): OrderState {
  const { events, contested } = readFacts(facts);
  const transactions = [...groupByTransaction(events)]
    .map(([, group]) => foldTransaction(group[0]?.transactionId ?? null, group, meaningOf))
    .toSorted((a, b) => compareTransactions(a.view, b.view));
  return {
    status: orderStatus(transactions),
    attention: attentionOf(transactions, contested),
    transactions: transactions.map(({ view }) => view),
    events: events.map(({ eventId, eventName }) => ({ id: eventId, event_name: eventName })),
  };
}

/** Two different facts under one id are contested: that can only happen after the event row has expired. */
function readFacts(facts: Iterable<string>): { events: EventFact[]; contested: boolean } {
  const events = new Map<string, EventFact>();
  let contested = false;
  // Sorted, so that of two facts under one id the same one counts in every fold.
  for (const text of [...new Set(facts)].sort()) {
    const fact = parseFact(text);
    if (fact.kind === 'conflict') contested = true;
    if (fact.kind !== 'event') continue;
    if (events.has(fact.eventId)) contested = true;
    else events.set(fact.eventId, fact);
  }
  return { events: [...events.values()].toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1)), contested };
}

/**
 * An event without a transaction id stands alone: two of them may be two charges, and a possible double
 * charge must be seen rather than merged away.
 */
function groupByTransaction(events: readonly EventFact[]): Map<string, EventFact[]> {
  return Map.groupBy(events, ({ transactionId, eventId }) =>
    transactionId === null ? `event:${eventId}` : `transaction:${transactionId}`,
  );
}

function orderStatus(transactions: readonly FoldedTransaction[]): OrderStatus {
  const statuses = transactions.map(({ view }) => view.status);
  const money = statuses.filter((status) => status !== 'pending' && status !== 'failed');
  if (money.length === 0) return statuses.includes('failed') ? 'failed' : 'pending';
  if (money.every((status) => status === 'paid')) return 'paid';
  return money.every((status) => status === 'refunded') ? 'refunded' : 'partially_refunded';
}

function attentionOf(transactions: readonly FoldedTransaction[], contested: boolean): readonly Attention[] {
  // A second charge that went back in full is settled.
  const holding = transactions.filter(({ paid, view }) => paid && view.status !== 'refunded');
  const raised: Record<Attention, boolean> = {
    multiple_paid_transactions: holding.length > 1,
    refund_without_payment: transactions.some((transaction) => transaction.refundWithoutPayment),
    refund_amount_ambiguous: transactions.some((transaction) => transaction.refundAmountAmbiguous),
    payment_amount_ambiguous: transactions.some((transaction) => transaction.paymentAmountAmbiguous),
    currency_mixed: new Set(transactions.flatMap(({ currencies }) => currencies)).size > 1,
    conflicting_event: contested,
  };
  return attentions.filter((attention) => raised[attention]);
}

function compareTransactions(a: Transaction, b: Transaction): number {
  return compareNullable(a.created_at, b.created_at) || compareNullable(a.id, b.id);
}

/** Code unit order, `null` last: the same on every machine, independent of locale. */
function compareNullable(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
