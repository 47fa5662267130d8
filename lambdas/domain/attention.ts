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

/** Why an order has its status. `…_in_full`: the transaction does not count while another holds money. */
export const statusRules = [
  'payment_counted',
  'payment_failed',
  'refund_partial',
  'refund_full',
  'transaction_returned_in_full',
  'nothing_decides',
] as const;

/** Each attention is a rule too: its reason names what raised it. */
export const reasonRules = [...statusRules, ...attentions] as const;
export type ReasonRule = (typeof reasonRules)[number];

/** One rule that made the state of an order, and what it was applied to. */
export interface Reason {
  readonly rule: ReasonRule;
  /** `null` for a rule about the whole order, and for an event that names no transaction. */
  readonly transaction_id: string | null;
  /** By code unit; empty when no event of this order is the reason. */
  readonly event_ids: string[];
  /** The amount that counts, as the payment service wrote it; `null` when several do, or none. */
  readonly amount: string | null;
  readonly currency: string | null;
}
