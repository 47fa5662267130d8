import type { Attention } from '../../lambdas/domain/fold-order.ts';

/** What each entry of an order's `attention` means. */
export const attentionSentences: Readonly<Record<Attention, string>> = {
  multiple_paid_transactions: 'More than one transaction of this order is paid: possibly a double charge.',
  refund_without_payment: 'A refund arrived, but no payment that it could belong to.',
  refund_amount_ambiguous:
    'The refunds cannot be compared with the payment; more may have been refunded than is shown.',
  payment_amount_ambiguous:
    'The payment events of one transaction have different amounts; the largest is shown.',
  currency_mixed: 'The events of this order have more than one currency.',
  conflicting_event:
    'Two different bodies arrived under one event id; the first counts, the second is kept for comparison.',
};
