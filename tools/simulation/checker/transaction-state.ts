import type { Transaction } from '@payhooks/order-client';
import type { Meaning } from './meanings.ts';
import { amountOf, byAmount, currenciesOf, meaningOf } from './money.ts';
import type { SignedEvent } from './signed-body.ts';

/** A transaction, and what a person must look at because of it. */
export interface JudgedTransaction {
  readonly state: Transaction;
  readonly attention: readonly string[];
}

/** The state of one transaction after these events, of which each id has one, sorted by id. */
export function transactionState(events: readonly SignedEvent[]): JudgedTransaction {
  const those = (...wanted: Meaning[]) => events.filter((event) => wanted.includes(meaningOf(event)));
  const [payments, failures, refunds] = [those('paid').sort(byAmount), those('failed'), those('refunded')];
  const others = [...those('disputed'), ...those('history')];
  const refund = refunds.length === 0 ? undefined : refundState(payments, refunds);
  const money = [...payments, ...failures, ...refunds];
  const described = money.length > 0 ? money : others;
  // A23: the amount of a refund is never that of its transaction.
  const priced = [payments, refunds.length > 0 ? [] : failures, money.length > 0 ? [] : others].find(
    ({ length }) => length > 0,
  );
  const status = payments.length > 0 ? 'paid' : failures.length > 0 ? 'failed' : 'pending';
  return {
    state: {
      id: events[0]?.transactionId ?? null,
      status: refund?.status ?? status,
      amount: first(priced ?? [], 'amount'),
      returned: amountReturned(refunds, first(described, 'currency')),
      currency: first(described, 'currency'),
      created_at: first(described, 'createdAt'),
    },
    attention: [
      ...(refund?.attention ?? []),
      ...paymentAttention(payments),
      // A returned debit looks like that.
      ...(failures.length > 0 && payments.length > 0 ? ['failure_and_payment'] : []),
      ...(those('disputed').length > 0 ? ['disputed'] : []),
    ],
  };
}

function paymentAttention(payments: readonly SignedEvent[]): readonly string[] {
  const amounts = new Set(payments.map(amountOf));
  return [
    ...(amounts.has(undefined) ? ['payment_amount_unreadable'] : []),
    ...(amounts.size > 1 ? ['payment_amount_ambiguous'] : []),
  ];
}

interface RefundState {
  readonly status: 'refunded' | 'partially_refunded';
  readonly attention: readonly string[];
}

/** A4, A5: a refund names its own amount or the total so far. What is true in both readings is certain. */
function refundState(payments: readonly SignedEvent[], refunds: readonly SignedEvent[]): RefundState {
  const [payment] = payments;
  if (payment === undefined) return { status: 'refunded', attention: ['refund_without_payment'] };
  const paid = amountOf(payment);
  if (paid === undefined) return { status: 'partially_refunded', attention: ['refund_amount_ambiguous'] };
  const comparable = refunds.filter((refund) => currenciesOf([...payments, refund]).size <= 1);
  const amounts = comparable.map(amountOf).filter((amount) => amount !== undefined);
  const [largest, total] = [max(amounts), sum(amounts)];
  const exceeds = largest > paid || amounts.filter((amount) => amount === paid).length > 1;
  const isUnclear = amounts.length < refunds.length || (!exceeds && amounts.length > 1 && total >= paid);
  return {
    status: largest >= paid ? 'refunded' : 'partially_refunded',
    attention: [
      ...(exceeds ? ['refund_exceeds_payment'] : []),
      ...(isUnclear ? ['refund_amount_ambiguous'] : []),
    ],
  };
}

/** A4: of several refunds it is not known whether the last one is the total. */
function amountReturned(refunds: readonly SignedEvent[], currency: string | null): string | null {
  const [refund] = refunds;
  if (refund === undefined || refunds.length > 1 || amountOf(refund) === undefined) return null;
  return currenciesOf([refund, { ...refund, currency }]).size > 1 ? null : refund.amount;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const max = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);

const first = (events: readonly SignedEvent[], field: 'amount' | 'currency' | 'createdAt'): string | null =>
  events.find((event) => event[field] !== null)?.[field] ?? null;
