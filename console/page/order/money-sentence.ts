import type { Attention, Order, OrderEvents, Transaction } from '@payhooks/order-client';
import { counted, visibleText } from '../parts/texts.ts';

export type MoneyOfOrder = Pick<Order, 'status' | 'attention' | 'transactions'>;

/** The first line of an order: what happened to the money, what is doubtful, and what waits. */
export function moneySentence(
  order: MoneyOfOrder,
  details?: Pick<OrderEvents, 'events' | 'waiting'>,
): string {
  const said = contradictions(details);
  const doubts = order.attention.flatMap((name) =>
    name === 'conflicting_event' && said.length > 0
      ? `Another body under the same event id says ${said.join(' and ')}.`
      : (doubtSentences[name] ?? []),
  );
  // Until the details are read, nobody knows what waits.
  const waits = details === undefined ? [] : waitingPart(details.waiting.length, order.attention);
  return [moneyPart(order), ...doubts, ...waits].join(' ');
}

/** The money in bodies that do not count. */
function contradictions(details: Pick<OrderEvents, 'events'> | undefined): readonly string[] {
  const others = (details?.events ?? []).flatMap((event) => event.others ?? []);
  const conflicts = others.filter(({ outcome, amount }) => outcome !== 'duplicate' && amount !== null);
  return [...new Set(conflicts.map(money))].slice(0, 3);
}

const holdsMoney = ({ status }: Transaction): boolean => status === 'paid' || status === 'partially_refunded';

function moneyPart({ status, attention, transactions }: MoneyOfOrder): string {
  const held = transactions.filter(holdsMoney);
  if (attention.includes('multiple_paid_transactions')) return doubleCharge(held);
  const [only, ...others] = transactions.filter((one) => one.status !== 'failed' && one.status !== 'pending');
  if (only === undefined) return withoutMoney(status, transactions);
  if (others.length === 0) return ofOne(only, attention);
  if (held.length === 0) return `${transactions.length} transactions: all that was paid is refunded.`;
  const [holder] = held;
  const returned = transactions.some((one) => one.status === 'refunded') ? ', the others are refunded' : '';
  return holder === undefined || held.length > 1
    ? `${held.length} of ${transactions.length} transactions hold money${returned}.`
    : `${money(holder)} is held of ${transactions.length} transactions${returned}.`;
}

/** The amount and currency of a transaction. */
export const money = ({ amount, currency }: Pick<Transaction, 'amount' | 'currency'>): string =>
  amount === null ? 'An unknown amount' : visibleText([amount, currency ?? ''].join(' ').trim());

function doubleCharge(held: readonly Transaction[]): string {
  const sums = new Set(held.map(money));
  const [sum] = sums;
  if (sums.size === 1) return `${held.length} charges of ${sum}: one of them may be a double charge.`;
  return `${held.length} charges, ${[...sums].join(' and ')}: one of them may be a double charge.`;
}

function ofOne(transaction: Transaction, attention: readonly Attention[]): string {
  if (attention.includes('refund_without_payment')) return 'Refunded, but no payment is known.';
  const paid = transaction.amount === null ? 'Paid an unknown amount' : `Paid ${money(transaction)}`;
  if (transaction.status === 'refunded') return `${paid}, refunded in full.`;
  return transaction.status === 'paid' ? `${paid}.` : `${paid}, refunded in part.`;
}

function withoutMoney(status: Order['status'], transactions: readonly Transaction[]): string {
  if (status !== 'failed') return 'No event so far says that money moved.';
  const [first] = transactions;
  return transactions.length > 1 || first === undefined || first.amount === null
    ? 'Every payment failed: no money came in.'
    : `The payment of ${money(first)} failed: no money came in.`;
}

/** What the sentence about the money does not say. */
const doubtSentences: Readonly<Partial<Record<Attention, string>>> = {
  refund_exceeds_payment: 'More went back than came in.',
  refund_amount_ambiguous: 'How much went back is not certain.',
  payment_amount_ambiguous: 'Two amounts are reported for one payment.',
  payment_amount_unreadable: 'The amount of a payment is not readable.',
  currency_mixed: 'The events have more than one currency.',
  conflicting_event: 'Two bodies under one event id contradict each other.',
  transaction_in_two_orders: 'A transaction was paid in another order as well.',
  disputed: 'A payment is disputed.',
  too_many_events: 'The order is full: later events are missing.',
};

/** "Nothing waits" would sound like "all is well" after a doubt. */
function waitingPart(waiting: number, attention: readonly Attention[]): readonly string[] {
  if (waiting > 0) return [`${counted(waiting, 'event')} ${waiting === 1 ? 'waits' : 'wait'} for a person.`];
  return attention.length === 0 ? ['Nothing waits.'] : [];
}
