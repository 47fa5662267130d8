import { type Amount, parseAmount } from './amount.ts';
import { canonicalCurrency, type MeaningOf } from './assumptions.ts';
import type { EventFact } from './fact.ts';

export type TransactionStatus = 'pending' | 'failed' | 'paid' | 'partially_refunded' | 'refunded';

/** One transaction of an order, folded from its facts. */
export interface Transaction {
  readonly id: string | null;
  readonly status: TransactionStatus;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly created_at: string | null;
}

/** A transaction and the reasons why a person must look at it. */
export interface FoldedTransaction {
  readonly view: Transaction;
  readonly currencies: readonly string[];
  readonly paid: boolean;
  readonly refundWithoutPayment: boolean;
  readonly refundAmountAmbiguous: boolean;
  readonly paymentAmountAmbiguous: boolean;
}

/** The state of one transaction: a function of the set of its facts, independent of their order. */
export function foldTransaction(
  id: string | null,
  facts: readonly EventFact[],
  meaningOf: MeaningOf,
): FoldedTransaction {
  const byMeaning = Map.groupBy(facts, ({ eventName }) => meaningOf(eventName) ?? 'history');
  const payments = byMeaning.get('paid') ?? [];
  const failures = byMeaning.get('failed') ?? [];
  const refunds = byMeaning.get('refunded') ?? [];
  const history = [...(byMeaning.get('disputed') ?? []), ...(byMeaning.get('history') ?? [])];
  // The best source first. A refund's own amount is never shown as the transaction's: it may be a part.
  const sources = [...payments.toSorted(byLargestAmount), ...failures, ...history];
  const refund = foldRefunds(payments, refunds);
  return {
    view: {
      id,
      status: refund?.status ?? (payments.length > 0 ? 'paid' : failures.length > 0 ? 'failed' : 'pending'),
      amount: firstOf(sources, 'amount'),
      currency: firstOf([...sources, ...refunds], 'currency'),
      created_at: firstOf([...sources, ...refunds], 'createdAt'),
    },
    currencies: [...currenciesOf(facts)].sort(),
    paid: payments.length > 0,
    refundWithoutPayment: refunds.length > 0 && payments.length === 0,
    refundAmountAmbiguous: refund?.ambiguous ?? false,
    paymentAmountAmbiguous: amountsDisagree(payments),
  };
}

interface RefundVerdict {
  readonly status: 'partially_refunded' | 'refunded';
  readonly ambiguous: boolean;
}

/**
 * The document does not show whether a refund event carries its own amount or the total so far (A4). An
 * amount equal to the paid amount is a full refund in either reading, a smaller one is partial. Where the
 * readings differ (several refunds whose sum reaches the payment), or nothing can be compared, the order
 * keeps the lower state and needs attention.
 */
function foldRefunds(
  payments: readonly EventFact[],
  refunds: readonly EventFact[],
): RefundVerdict | undefined {
  if (refunds.length === 0) return undefined;
  // Everything known to be paid is refunded; the missing payment raises its own attention.
  if (payments.length === 0) return { status: 'refunded', ambiguous: false };
  const paid = largestAmount(payments);
  if (paid === undefined) return { status: 'partially_refunded', ambiguous: true };
  const comparable = refunds
    .filter((refund) => sameCurrency(refund, payments))
    .map((refund) => parseAmount(refund.amount))
    .filter((amount) => amount?.gt(0));
  if (comparable.some((amount) => amount?.eq(paid))) return { status: 'refunded', ambiguous: false };
  const sum = comparable.reduce<Amount | undefined>((total, amount) => addAmounts(total, amount), undefined);
  const ambiguous = comparable.length < refunds.length || sum === undefined || sum.gte(paid);
  return { status: 'partially_refunded', ambiguous };
}

function addAmounts(total: Amount | undefined, amount: Amount | undefined): Amount | undefined {
  if (total === undefined || amount === undefined) return total ?? amount;
  return total.plus(amount);
}

/** An event without a currency has its transaction's (A3). */
function sameCurrency(refund: EventFact, payments: readonly EventFact[]): boolean {
  return currenciesOf([refund, ...payments]).size <= 1;
}

function currenciesOf(facts: readonly EventFact[]): Set<string> {
  return new Set(facts.flatMap(({ currency }) => (currency === null ? [] : [canonicalCurrency(currency)])));
}

/**
 * Two payment events of one transaction with different amounts: the larger counts until a person decides.
 */
function amountsDisagree(payments: readonly EventFact[]): boolean {
  const amounts = payments.map(({ amount }) => parseAmount(amount));
  const [first] = amounts;
  return amounts.some((amount) => (first === undefined ? amount !== undefined : !amount?.eq(first)));
}

function largestAmount(facts: readonly EventFact[]): Amount | undefined {
  return parseAmount(facts.toSorted(byLargestAmount)[0]?.amount ?? null);
}

/** Readable amounts first, largest first; the event id makes the order total. */
function byLargestAmount(a: EventFact, b: EventFact): number {
  const [left, right] = [parseAmount(a.amount), parseAmount(b.amount)];
  if (left !== undefined && right !== undefined && !left.eq(right)) return right.cmp(left);
  if ((left === undefined) !== (right === undefined)) return left === undefined ? 1 : -1;
  return a.eventId < b.eventId ? -1 : 1;
}

function firstOf(facts: readonly EventFact[], field: 'amount' | 'currency' | 'createdAt'): string | null {
  for (const fact of facts) if (fact[field] !== null) return fact[field];
  return null;
}
