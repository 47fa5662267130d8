/** What a person must look at, in the order in which an order view lists them. */
export const attentions = [
  'multiple_paid_transactions',
  'refund_without_payment',
  'refund_exceeds_payment',
  'refund_amount_ambiguous',
  'payment_amount_ambiguous',
  'payment_amount_unreadable',
  'currency_mixed',
  'conflicting_event',
  'transaction_in_two_orders',
  'failure_and_payment',
  'disputed',
  'too_many_events',
  'unreadable_fact',
] as const;
export type Attention = (typeof attentions)[number];

/**
 * Whether a resolution ends the attention. A full row takes no further facts, so nothing would raise an
 * attention of it again; and nobody can judge what this version cannot read.
 */
export const isResolvable = (attention: Attention): boolean =>
  attention !== 'too_many_events' && attention !== 'unreadable_fact';
