/**
 * Decisions about events that API document v2 does not show. `docs/assumptions.md` has the reason for each;
 * to correct one, change only this file.
 */

/** What an event means for the money of its transaction. */
export type Effect = 'failed' | 'paid' | 'refunded';

/**
 * A1. Events that decide a transaction's state. The first two are documented (section 6), the third name is
 * assumed. Every other name is history: recorded, never refused, without effect.
 */
const effects: ReadonlyMap<string, Effect> = new Map([
  ['transaction.paid', 'paid'],
  ['transaction.refunded', 'refunded'],
  ['transaction.failed', 'failed'],
]);

export const effectOf = (eventName: string): Effect | undefined => effects.get(eventName);

/**
 * A2. Where a payload holds the fields of an order. The document shows them for transaction.paid (section
 * 2.3) and not for any other event, which is assumed to have the same shape and may lack any part of it.
 */
export const payloadPaths = {
  orderId: ['transaction', 'order_id'],
  transactionId: ['transaction', 'id'],
  amount: ['transaction', 'amount'],
  currency: ['transaction', 'currency'],
  createdAt: ['transaction', 'created_at'],
} as const;

/** A3. Currency codes are compared without case; an event without one has the currency of its transaction. */
export const canonicalCurrency = (currency: string): string => currency.toUpperCase();
