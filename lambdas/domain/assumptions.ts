/**
 * What API document v2 calls "not shown" and payhooks has to decide all the same. Each entry has its reason
 * in `docs/assumptions.md`; to correct one, change it here and nowhere else.
 */

/** What an event means for the money of its transaction. */
export type Effect = 'failed' | 'paid' | 'refunded';

/**
 * A1. Events that decide a transaction's state. The first two are documented (section 6), the name of the
 * third is assumed. Every other name is history: recorded, never refused, without effect.
 */
const effects: ReadonlyMap<string, Effect> = new Map([
  ['transaction.paid', 'paid'],
  ['transaction.refunded', 'refunded'],
  ['transaction.failed', 'failed'],
]);

export const effectOf = (eventName: string): Effect | undefined => effects.get(eventName);

/**
 * A2. Where a payload holds what an order is made of. The document shows it for transaction.paid (section
 * 2.3) and is silent on every other event, which is taken to have the same shape and may lack any part of it.
 */
export const payloadPaths = {
  orderId: ['transaction', 'order_id'],
  transactionId: ['transaction', 'id'],
  amount: ['transaction', 'amount'],
  currency: ['transaction', 'currency'],
  createdAt: ['transaction', 'created_at'],
} as const;

/** A3. Currency codes are compared without regard to case; an event without one means its transaction's. */
export const canonicalCurrency = (currency: string): string => currency.toUpperCase();
