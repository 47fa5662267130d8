import type { Attention, Order, OrderEvents, StateReason, Transaction } from '@payhooks/order-client';
import { counted, visibleText } from '../parts/texts.ts';

/** A stack of an older version does not report whether it searched everything that waits. */
type KnownWaiting = Partial<Pick<OrderEvents, 'waiting_complete'>>;

export type MoneyOfOrder = Pick<Order, 'status' | 'attention' | 'transactions'>;

/** The first line of an order: what happened to the money, what is doubtful, and what waits. */
export function moneySentence(
  order: MoneyOfOrder,
  details?: Pick<OrderEvents, 'events' | 'waiting' | 'reasons'> & KnownWaiting,
): string {
  const said = contradictions(details);
  const doubts = order.attention.flatMap((name) =>
    name === 'conflicting_event' && said.length > 0
      ? `Another body under the same event id says ${listed(said, 'other amounts')}.`
      : (doubtSentences[name] ?? []),
  );
  // Until the details are read, nobody knows what waits.
  const waits = details === undefined ? [] : waitingPart(details, order.attention);
  return [...moneyParts(order, details?.reasons), ...doubts, ...waits].join(' ');
}

/** The money in bodies that do not count. */
function contradictions(details: Pick<OrderEvents, 'events'> | undefined): readonly string[] {
  const others = (details?.events ?? []).flatMap((event) => event.others ?? []);
  return others.filter(({ amount }) => amount !== null).map(money);
}

function moneyParts(
  { status, attention, transactions }: MoneyOfOrder,
  reasons: readonly StateReason[] | undefined,
): readonly string[] {
  const held = transactions.filter((one) => one.status === 'paid' || one.status === 'partially_refunded');
  const refunded = transactions.filter((one) => one.status === 'refunded');
  const returned = refunded.filter((one) => isPaymentKnown(one, reasons));
  const unmatched = refunded.length - returned.length;
  if (held.length + refunded.length === 0) return [withoutMoney(status, transactions)];
  if (held.length + returned.length === 0) return ['Refunded, but no payment is known.'];
  return [
    ...(held.length > 0 ? heldParts(held, attention) : [`${paidPart(returned)}, refunded in full.`]),
    ...(held.length > 0 ? returnedPart(returned) : []),
    ...unmatchedPart(unmatched),
  ];
}

/** A refund without its payment may show the amount of a failure; only the reasons show which it is. */
function isPaymentKnown({ id, amount }: Transaction, reasons: readonly StateReason[] | undefined): boolean {
  if (id === null || amount === null) return false;
  return (
    reasons?.some(({ rule, transaction_id }) => rule === 'payment_counted' && transaction_id === id) ?? true
  );
}

function heldParts(held: readonly Transaction[], attention: readonly Attention[]): readonly string[] {
  const inPart = held.filter(({ status }) => status === 'partially_refunded').length;
  if (held.length === 1) return [`${paidPart(held)}${inPart === 1 ? ', refunded in part' : ''}.`];
  const charges = amountsOf(held, 'charges');
  const isDoubt = attention.includes('multiple_paid_transactions');
  return [
    isDoubt ? `${charges}: one of them may be a double charge.` : `${charges}.`,
    ...(inPart > 0 ? [`${inPart} of them ${inPart === 1 ? 'is' : 'are'} refunded in part.`] : []),
  ];
}

function paidPart(payments: readonly Transaction[]): string {
  const [only, ...others] = payments;
  return only !== undefined && others.length === 0 ? `Paid ${money(only)}` : amountsOf(payments, 'payments');
}

/** `2 charges of 45.00 USD`, `3 charges, 2 × 45.00 USD and 9.00 USD`: amounts are not added up. */
function amountsOf(transactions: readonly Transaction[], noun: string): string {
  const sums = transactions.map(money);
  return new Set(sums).size === 1
    ? `${sums.length} ${noun} of ${sums[0]}`
    : `${sums.length} ${noun}, ${listed(sums, 'other amounts')}`;
}

const listedMax = 3;

/** Each text once, with its count; many of them end in a number. */
function listed(texts: readonly string[], noun: string): string {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) =>
    length === 1 ? text : `${length} × ${text}`,
  );
  const rest = counts.length - listedMax;
  if (rest > 1) return `${counts.slice(0, listedMax).join(', ')} and ${rest} ${noun}`;
  const last = counts.pop() ?? '';
  return counts.length === 0 ? last : `${counts.join(', ')} and ${last}`;
}

function returnedPart(returned: readonly Transaction[]): readonly string[] {
  const [only, ...others] = returned;
  if (only === undefined) return [];
  return others.length === 0
    ? [`Another payment, of ${money(only)}, was refunded in full.`]
    : [`${returned.length} other payments were refunded in full.`];
}

function unmatchedPart(count: number): readonly string[] {
  if (count === 0) return [];
  return count === 1
    ? ['Another transaction was refunded, but no payment of it is known.']
    : [`${count} other transactions were refunded, but no payment of them is known.`];
}

/** The amount and currency of a transaction, as the payment service wrote them. */
const money = ({ amount, currency }: Pick<Transaction, 'amount' | 'currency'>): string =>
  amount === null ? 'an unknown amount' : visibleText([amount, currency ?? ''].join(' ').trim());

function withoutMoney(status: Order['status'], transactions: readonly Transaction[]): string {
  if (status !== 'failed') return 'No event so far says that money moved.';
  const [first] = transactions;
  return transactions.length > 1 || first === undefined || first.amount === null
    ? 'Every payment failed: no money came in.'
    : `The payment of ${money(first)} failed: no money came in.`;
}

/** What the sentence about the money does not say. */
const doubtSentences: Readonly<Partial<Record<Attention, string>>> = {
  refund_exceeds_payment: 'More may have gone back than came in.',
  refund_amount_ambiguous: 'How much went back is not certain.',
  payment_amount_ambiguous: 'The events of one payment have different amounts.',
  payment_amount_unreadable: 'The amount of a payment is not readable.',
  currency_mixed: 'The events have more than one currency.',
  conflicting_event: 'Two bodies under one event id contradict each other.',
  transaction_in_two_orders: 'Events of one transaction name another order as well.',
  failure_and_payment: 'A payment has also failed: it may have been returned.',
  disputed: 'A payment is disputed.',
  too_many_events: 'The order is full: later events are missing.',
  unreadable_fact: 'A part of the order cannot be read.',
};

/** "Nothing waits" would sound like "all is well" after a doubt. */
function waitingPart(
  { waiting, waiting_complete: isComplete }: Pick<OrderEvents, 'waiting'> & KnownWaiting,
  attention: readonly Attention[],
): readonly string[] {
  const count = waiting.length;
  const found =
    count === 0 ? [] : [`${counted(count, 'event')} ${count === 1 ? 'waits' : 'wait'} for a person.`];
  if (isComplete === false) return [...found, 'More events wait than could be searched for this order.'];
  return count === 0 && attention.length === 0 ? ['Nothing waits.'] : found;
}
