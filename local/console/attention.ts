import type { Attention } from '../../lambdas/domain/fold-order.ts';

/** What each entry of an order's `attention` means, in one sentence for the person who must look. */
export const attentionSentences: Readonly<Record<Attention, string>> = {
  multiple_paid_transactions: 'More than one transaction was paid for this order: possibly a double charge.',
  refund_without_payment: 'A refund arrived, and no payment that it could belong to has arrived so far.',
  refund_amount_ambiguous:
    'The refunds cannot be compared with the payment, so more may have gone back than shown.',
  payment_amount_ambiguous:
    'The payment events of one transaction disagree on its amount; the larger one is shown.',
  currency_mixed: 'The events of this order name more than one currency.',
  conflicting_event:
    'Two different bodies arrived under one event id; the first counts, the second is kept beside it.',
};
