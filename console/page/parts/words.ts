import type { Mode, OrderStatus, Outcome, Reason, StoredOutcome, WaitingCount } from '@payhooks/order-client';
import { attentionCountsText } from '../../contract/texts.ts';
import { counted } from './texts.ts';

export { attentionWords } from '../../contract/texts.ts';

/** What a reader sees for each value of the API. Unknown values of open sets show as they are. */
export const statusWords: Readonly<Record<OrderStatus, string>> = {
  pending: 'Pending',
  failed: 'Failed',
  paid: 'Paid',
  partially_refunded: 'Partially refunded',
  refunded: 'Refunded',
};

export const outcomeWords: Readonly<Record<Outcome | StoredOutcome, string>> = {
  applied: 'Applied',
  pending: 'Stored, not applied yet',
  recorded: 'Recorded',
  unassigned: 'Unassigned',
  conflict: 'Conflict',
  quarantined: 'Quarantined',
  unrecognised: 'Unrecognised',
  unsealed: 'Unsealed',
};

export const waitingWords: Readonly<Record<WaitingCount['kind'], string>> = {
  unassigned: 'Unassigned',
  quarantined: 'Quarantined',
  order_refused: 'Its order is full',
  conflict: 'Conflict',
  unrecognised: 'Unrecognised',
  unsealed: 'Unsealed',
  event_name: 'New event name',
  approval: 'Approval of an act',
  attention: 'Orders with attention',
};

export const reasonWords: Readonly<Record<Reason, string>> = {
  sandbox_flag_missing: 'The sandbox flag is missing',
  sandbox_flag_disagrees: 'The sandbox flag does not match the signing key',
  order_id_invalid: 'The order id cannot be used',
  transaction_id_invalid: 'The transaction id cannot be used',
  order_refused: 'Its order is full',
  not_utf8: 'Not text',
  not_json: 'Not JSON',
  not_an_object: 'JSON, but not an object',
  id_missing: 'No event id',
  id_invalid: 'The event id cannot be used',
  event_name_missing: 'No event name',
  event_name_invalid: 'The event name cannot be used',
};

export const modeWords: Readonly<Record<Mode, string>> = { live: 'Live', sandbox: 'Sandbox' };

/** Such as `3 orders need attention: 2 possible double charge, 1 disputed`. */
export function attentionText({ count, attention = {} }: Pick<WaitingCount, 'attention' | 'count'>): string {
  const kinds = attentionCountsText(attention);
  const orders = counted(count, 'order needs attention', 'orders need attention');
  return kinds === '' ? orders : `${orders}: ${kinds}`;
}

/** The word for `value`, or the value itself when a later version has added it. */
export function wordFor(words: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(words, value) ? (words[value] ?? value) : value;
}
