import { attentions } from './attention.ts';

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
