import type { Attention } from '@payhooks/order-client';

/** What a person does next about each attention. */
export const attentionAdvice: Readonly<Record<Attention, string>> = {
  multiple_paid_transactions:
    'Look up both transactions at the payment service. If the customer was charged twice, refund one of' +
    ' them there: the refund arrives here and ends this by itself. If both are right, resolve it.',
  refund_without_payment:
    'Wait a moment: the payment may still arrive, and ends this by itself. Otherwise look up the ' +
    'transaction at the payment service.',
  refund_exceeds_payment:
    'Look up the refunds at the payment service. If too much went back, settle it there; then resolve ' +
    'this.',
  refund_amount_ambiguous: 'Look up at the payment service how much was refunded in all; then resolve this.',
  payment_amount_ambiguous:
    'Look up at the payment service which amount was paid; the larger one counts here. Then resolve this.',
  payment_amount_unreadable: 'Look up the amount at the payment service; then resolve this.',
  currency_mixed: 'Look up at the payment service in which currency the customer paid; then resolve this.',
  conflicting_event:
    'Compare the bodies, and find out at the payment service which of them is true. The one that counts' +
    ' here was chosen by its content: the one that takes the order furthest, then the larger amount.' +
    ' Judge the one that waits, if one does; then resolve this.',
  transaction_in_two_orders:
    'Open the transaction to see its other orders. Find out at the payment service which of them its ' +
    'events belong to; then resolve this in both.',
  failure_and_payment:
    'Look up the transaction at the payment service. If the payment was returned, as a debit can be, the ' +
    'money is gone although this order counts it: stop the delivery. Then resolve this.',
  disputed:
    'Answer the dispute at the payment service. Money that is taken back shows here only when a refund ' +
    'arrives. When it is settled, resolve this.',
  too_many_events:
    'Read the later events in the waiting room, and settle this order at the payment service: its ' +
    'status here is not complete.',
  unreadable_fact:
    'Deploy the newest version of payhooks: an older one cannot read what it wrote. If that does not end ' +
    'this, the row was damaged: rebuild the order from its events.',
};
