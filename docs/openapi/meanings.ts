import type { Attention, OrderStatus } from '../../lambdas/domain/fold-order.ts';
import type { UnrecognisedReason } from '../../lambdas/domain/payment-event.ts';
import type { Mode } from '../../lambdas/domain/signature.ts';
import type { TransactionStatus } from '../../lambdas/domain/transaction.ts';
import type { Outcome, QuarantineReason } from '../../lambdas/ports/stores.ts';

/**
 * What every value of the code's closed sets means to an order system. The compiler refuses a set that lacks
 * a value of the code, or has one more.
 */
type Meanings<Value extends string> = Readonly<Record<Value, string>>;

export const modes: Meanings<Mode> = {
  live: 'real money',
  sandbox: 'the sandbox of the payment service; the two never meet, and an order id may exist in both',
};

export const orderStatuses: Meanings<OrderStatus> = {
  pending: 'events, but none that decides',
  failed: 'only failures',
  paid: 'money was taken, none of it is known to have gone back',
  partially_refunded: 'some of it went back; not all, or not certain that all',
  refunded: 'all that was taken has gone back',
};

export const transactionStatuses: Meanings<TransactionStatus> = {
  pending: 'events, but none that decides',
  failed: 'the payment failed',
  paid: 'the payment was taken',
  partially_refunded: 'a part went back, or it is not certain that all did',
  refunded: 'all of it went back',
};

export const attentions: Meanings<Attention> = {
  multiple_paid_transactions: 'more than one transaction holds money: possible double charge',
  refund_without_payment:
    'money went back that was not seen to come; a payment that is merely late clears it',
  refund_amount_ambiguous: 'the amounts do not tell whether all of it went back',
  payment_amount_ambiguous: 'one transaction was told with two amounts',
  currency_mixed: 'one order in several currencies',
  conflicting_event: 'two different bodies came under one event id; the first counts',
};

export const outcomes: Meanings<Outcome> = {
  applied: 'it is one of the events that make the state of its order',
  recorded: 'kept; it names no order',
  conflict: 'kept, not applied: its event id was taken by another body',
  quarantined: 'kept, not applied before a person admits it; `reason` says why',
  unrecognised: 'kept, not an event; it has no usable event id, so no route of this API tells it',
};

export const reasons: Meanings<UnrecognisedReason | QuarantineReason> = {
  sandbox_flag_missing: 'quarantined: the body does not say whether it is of the sandbox',
  sandbox_flag_disagrees: 'quarantined: signed with a live key as a sandbox event, or the other way round',
  order_id_invalid: 'quarantined: the order id is longer than a key can be',
  order_refused: 'quarantined: its order is full',
  not_utf8: 'unrecognised: not text',
  not_json: 'unrecognised: not JSON',
  not_an_object: 'unrecognised: JSON, but not an object',
  id_missing: 'unrecognised: no event id',
  id_invalid: 'unrecognised: the event id is longer than a key can be',
  event_name_missing: 'unrecognised: no event name',
  event_name_invalid: 'unrecognised: the event name is too long',
};
