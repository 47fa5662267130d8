import type { Reason } from '../domain/reason.ts';
import { attentionSentences } from './attention-sentences.ts';

/** What a reason says, without its ids. The command line and the console print it. */
export function reasonSentence({ rule, event_ids, amount, currency }: Reason): string {
  const money = amount === null ? undefined : [amount, currency ?? ''].join(' ').trim();
  switch (rule) {
    case 'payment_counted': {
      const payment =
        money === undefined ? 'A payment without an amount counts' : `A payment of ${money} counts`;
      return event_ids.length > 1 ? `${payment}; ${event_ids.length} events report it.` : `${payment}.`;
    }
    case 'payment_failed':
      return 'A payment failed: it brought in no money.';
    case 'refund_partial':
      if (event_ids.length > 1)
        return `${event_ids.length} refunds count; together they do not certainly return all.`;
      return money === undefined
        ? 'A refund without an amount counts as partial.'
        : `A refund of ${money} counts as partial.`;
    case 'refund_full':
      return 'A refund returns all that is known to be paid of its transaction.';
    case 'transaction_returned_in_full':
      return 'The refund returns all of this transaction, which does not count while another holds money.';
    case 'nothing_decides':
      return 'No event of this order decides about money.';
    default:
      // A newer stack may list a rule that this version does not know.
      return attentionSentences[rule] ?? rule;
  }
}
