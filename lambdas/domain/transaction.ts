import { byLargestAmount, parseAmount, sumOf } from './amount.ts';
import { canonicalCurrency, type Meaning } from './assumptions.ts';
import { type Attention, attentions } from './attention.ts';
import type { EventFact } from './fact.ts';

export type TransactionStatus = 'pending' | 'failed' | 'paid' | 'partially_refunded' | 'refunded';

/** One transaction of an order, folded from its facts. */
export interface Transaction {
  readonly id: string | null;
  readonly status: TransactionStatus;
  readonly amount: string | null;
  /** What went back of it, in the same currency; `null`: nothing, or the refunds do not show how much. */
  readonly returned: string | null;
  readonly currency: string | null;
  readonly created_at: string | null;
}

/** A transaction and the reasons why a person must look at it. */
export interface FoldedTransaction {
  readonly view: Transaction;
  readonly of: (meaning: Meaning) => readonly EventFact[];
  /** The events by which money moved, or failed to. */
  readonly decisive: readonly EventFact[];
  /** Each with the events that raised it. */
  readonly attention: ReadonlyMap<Attention, readonly EventFact[]>;
}

/** The state of one transaction: a function of the set of its facts, independent of their order. */
export function foldTransaction(facts: readonly EventFact[]): FoldedTransaction {
  const byMeaning = Map.groupBy(facts, ({ meaning }) => meaning);
  const of = (meaning: Meaning): readonly EventFact[] => byMeaning.get(meaning) ?? [];
  const payments = of('paid').toSorted((a, b) => byLargestAmount(a.amount, b.amount));
  const [failures, refunds, disputes] = [of('failed'), of('refunded'), of('disputed')];
  const refund = foldRefunds(payments, refunds);
  const isBoth = failures.length > 0 && payments.length > 0;
  const raised: Partial<Record<Attention, readonly EventFact[]>> = {
    refund_without_payment: payments.length === 0 ? refunds : [],
    refund_exceeds_payment: refund?.exceeds ? refunds : [],
    refund_amount_ambiguous: refund?.ambiguous ? refunds : [],
    payment_amount_ambiguous: amountsDisagree(payments) ? payments : [],
    payment_amount_unreadable: payments.filter(({ amount }) => parseAmount(amount) === undefined),
    // A returned debit looks like that.
    failure_and_payment: isBoth ? [...failures, ...payments] : [],
    disputed: disputes,
  };
  // The best source first. An event that moves no money describes only a transaction without any that does.
  const decisive = [payments, failures, refunds].filter((group) => group.length > 0);
  const [best = [], ...others] = decisive.length > 0 ? decisive : [[...disputes, ...of('history')]];
  const sources = [best, ...others].flat();
  const currency = firstOf(sources, 'currency');
  return {
    view: {
      id: facts[0]?.transactionId ?? null,
      status: refund?.status ?? (payments.length > 0 ? 'paid' : failures.length > 0 ? 'failed' : 'pending'),
      // A refund's own amount is never shown as the transaction's: it may be a part.
      amount: refunds.length > 0 && payments.length === 0 ? null : firstOf(best, 'amount'),
      returned: amountReturned(refunds, currency),
      currency,
      created_at: firstOf(sources, 'createdAt'),
    },
    of,
    decisive: decisive.flat(),
    attention: new Map(
      attentions.flatMap((name) => (raised[name]?.length ? [[name, raised[name]] as const] : [])),
    ),
  };
}

interface RefundVerdict {
  readonly status: 'partially_refunded' | 'refunded';
  /** In one reading at least, more was returned than was paid, and all of it in every reading. */
  readonly exceeds?: boolean;
  /** The amounts do not show how much was returned. */
  readonly ambiguous?: boolean;
}

/**
 * The document does not show whether a refund event carries its own amount or the total so far (A4). An
 * amount that reaches the paid amount is a full refund in either reading, a smaller one is partial. Where the
 * readings differ (several refunds whose sum reaches the payment), or nothing can be compared, the
 * transaction keeps the state that is certain and needs attention.
 */
function foldRefunds(
  payments: readonly EventFact[],
  refunds: readonly EventFact[],
): RefundVerdict | undefined {
  if (refunds.length === 0) return undefined;
  // Everything known to be paid is refunded; the missing payment raises its own attention.
  if (payments.length === 0) return { status: 'refunded' };
  const paid = parseAmount(payments[0]?.amount ?? null);
  if (paid === undefined) return { status: 'partially_refunded', ambiguous: true };
  const paidIn = currenciesOf(payments);
  const isComparable = ({ currency }: EventFact): boolean =>
    paidIn.size === 0 ||
    (paidIn.size === 1 && (currency === null || paidIn.has(canonicalCurrency(currency))));
  const amounts = refunds
    .filter(isComparable)
    .map(({ amount }) => parseAmount(amount))
    .filter((amount) => amount !== undefined);
  const full = amounts.filter((amount) => amount.gte(paid));
  const exceeds = full.length > 1 || full.some((amount) => amount.gt(paid));
  const readingsDiffer = amounts.length > 1 && sumOf(amounts).gte(paid) && !exceeds;
  return {
    status: full.length > 0 ? 'refunded' : 'partially_refunded',
    exceeds,
    ambiguous: readingsDiffer || amounts.length < refunds.length,
  };
}

/** One refund shows it, whether it carries its own amount or the total so far; several do not. */
function amountReturned(refunds: readonly EventFact[], currency: string | null): string | null {
  const [refund, ...others] = refunds;
  if (refund === undefined || others.length > 0 || parseAmount(refund.amount) === undefined) return null;
  const isSame = currency === null || currenciesOf([refund, { ...refund, currency }]).size === 1;
  return isSame ? refund.amount : null;
}

/** Events without a currency have that of their transaction (A3). */
export function currenciesOf(facts: readonly EventFact[]): Set<string> {
  return new Set(facts.flatMap(({ currency }) => (currency === null ? [] : [canonicalCurrency(currency)])));
}

/** Two payment events of one transaction with different amounts: the larger counts until a person decides. */
const amountsDisagree = (payments: readonly EventFact[]): boolean =>
  payments.some(({ amount }) => byLargestAmount(amount, payments[0]?.amount ?? null) !== 0);

function firstOf(facts: readonly EventFact[], field: 'amount' | 'currency' | 'createdAt'): string | null {
  return facts.find((fact) => fact[field] !== null)?.[field] ?? null;
}
