import type { Attention, Reason } from '../../lambdas/domain/attention.ts';
import { moneyText } from '../../lambdas/domain/money-text.ts';

/** The name of each entry of an order's `attention`. */
export const attentionWords: Readonly<Record<Attention, string>> = {
  multiple_paid_transactions: 'Possible double charge',
  refund_without_payment: 'Refund without payment',
  refund_exceeds_payment: 'Refund exceeds payment',
  refund_amount_ambiguous: 'Refund amount unclear',
  payment_amount_ambiguous: 'Two payment amounts',
  payment_amount_unreadable: 'Unreadable amount',
  currency_mixed: 'Several currencies',
  conflicting_event: 'Conflicting event',
  transaction_in_two_orders: 'Transaction in two orders',
  failure_and_payment: 'Failure and payment',
  disputed: 'Disputed',
  too_many_events: 'Too many events',
  unreadable_fact: 'Unreadable part',
};

/** How many orders list each attention, the most frequent first: `2 possible double charge, 1 disputed`. */
export const attentionCountsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} ${(attentionWords[name as Attention] ?? name).toLowerCase()}`)
    .join(', ');

/** What it means. */
export const attentionSentences: Readonly<Record<Attention, string>> = {
  multiple_paid_transactions: 'More than one transaction of this order is paid: possibly a double charge.',
  refund_without_payment: 'A refund arrived, but no payment that it could belong to.',
  refund_exceeds_payment: 'More was refunded than was paid, or the full amount was refunded twice.',
  refund_amount_ambiguous:
    'The refunds cannot be compared with the payment; more may have been refunded than is shown.',
  payment_amount_ambiguous:
    'The payment events of one transaction have different amounts; the largest is shown.',
  payment_amount_unreadable: 'The amount of a payment is not a decimal number above zero.',
  currency_mixed: 'The events of this order have more than one currency.',
  conflicting_event: 'Two different events have the same id. One counts; both are kept.',
  transaction_in_two_orders: 'The events of one transaction name this order and another one.',
  failure_and_payment: 'One transaction has a payment and a failure: its payment may have been returned.',
  disputed: 'A payment is disputed or was charged back. The status does not show that.',
  too_many_events: 'The order is full; later events are missing from its state.',
  unreadable_fact:
    'A part of the order is missing, because this version cannot read it: deploy the newest version.',
};

/** What a reason says, without its ids. The command line and the console print it. */
export function reasonSentence({ rule, event_ids, amount, currency }: Reason): string {
  const money = moneyText({ amount, currency });
  switch (rule) {
    case 'payment_counted': {
      const payment =
        money === undefined ? 'A payment without an amount counts' : `A payment of ${money} counts`;
      return event_ids.length > 1 ? `${payment}; ${event_ids.length} events report it.` : `${payment}.`;
    }
    case 'payment_failed':
      return 'A payment failed: no money came in.';
    case 'refund_partial':
      if (event_ids.length > 1)
        return `${event_ids.length} refunds count; whether they return all is not certain.`;
      return money === undefined
        ? 'A refund without an amount counts as partial.'
        : `A refund of ${money} counts as partial.`;
    case 'refund_full':
      return 'A refund returns all that is known to be paid of its transaction.';
    case 'transaction_returned_in_full':
      return 'The refund returns all of this transaction. It is left out, because another one holds money.';
    case 'nothing_decides':
      return 'No event of this order decides about money.';
    default:
      // A newer stack may list a rule that this version does not know.
      return attentionSentences[rule] ?? rule;
  }
}
