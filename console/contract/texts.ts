/** The sentences and names that the page shares with the command line; it imports nothing else of ours. */

export { waitingKinds } from '../../lambdas/contract/metrics.ts';
export { bulkEventsMax, reasonBytesMax, waitingListMax } from '../../lambdas/contract/operations-limits.ts';
export { isResolvable } from '../../lambdas/domain/attention.ts';
export {
  capitalised,
  type EventMoney,
  eventText,
  eventTitle,
  moneyText,
  orderMoney,
  transactionText,
} from '../../lambdas/domain/money-text.ts';
export { aloneReason, type BulkPerformer, createBulk } from '../../operator/acts/bulk.ts';
export { isInOrderOfEvent } from '../../operator/in-order-of-event.ts';
export { judgedText, judgementTitle, proposalTitle } from '../../operator/sentences/act-titles.ts';
export { nothingIsLeft, occurrencesSentence } from '../../operator/sentences/alarm-occurrences.ts';
export {
  attentionCountsText,
  attentionSentences,
  attentionWords,
  reasonSentence,
} from '../../operator/sentences/reason-sentences.ts';
export {
  adviceOnNames,
  inOneOrder,
  waitingSentences,
} from '../../operator/sentences/waiting-sentences.ts';
export { shellQuoted } from '../../operator/shell-quoted.ts';
export { whenFree } from '../../operator/when-free.ts';
