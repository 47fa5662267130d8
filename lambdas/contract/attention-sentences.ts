import type { Attention } from '../domain/attention.ts';

/** What each entry of an order's `attention` means. */
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
  conflicting_event: 'Two different bodies arrived under one event id. One of them counts; both are kept.',
  transaction_in_two_orders: 'The events of one transaction name this order and another one.',
  failure_and_payment: 'One transaction has a payment and a failure: its payment may have been returned.',
  disputed: 'A payment is disputed or was charged back. The status does not show that.',
  too_many_events: 'The order holds as many events as fit; later ones are missing from its state.',
  unreadable_fact:
    'This version cannot read a part of the order, which its state lacks: deploy the newest version.',
};
