/**
 * Decisions about events that API document v2 does not show. `docs/assumptions.md` has the reason for each;
 * to correct one, change only this file.
 */

/**
 * What an event means for the money of its transaction. `disputed` changes no state and asks for a person;
 * `history` has no effect.
 */
export const meanings = ['paid', 'refunded', 'failed', 'disputed', 'history'] as const;
export type Meaning = (typeof meanings)[number];

/** The meaning of an event name; `undefined` for a name that has none: recorded, without effect, reported. */
export type MeaningOf = (eventName: string) => Meaning | undefined;

/**
 * A1. The names that have a meaning without a setting. The first two are documented (section 6), the others
 * are assumed.
 */
export const builtInMeanings: Readonly<Record<string, Meaning>> = {
  'transaction.paid': 'paid',
  'transaction.refunded': 'refunded',
  'transaction.failed': 'failed',
  'transaction.disputed': 'disputed',
  'transaction.charged_back': 'disputed',
};

/** The built-in meanings, with those of the setting `eventMeanings` in addition. */
export function createMeaningOf(configured: Readonly<Record<string, Meaning>> = {}): MeaningOf {
  const all = new Map(Object.entries({ ...builtInMeanings, ...configured }));
  return (eventName) => all.get(eventName);
}

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
