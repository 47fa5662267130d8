/**
 * What the model cannot measure on this machine, and takes for granted. `docs/cost.md` shows it, and what follows
 * from another value.
 */

export type Stage = 'verifier' | 'consumer' | 'order-feed' | 'order-query' | 'webhook-audit';

/** Billed milliseconds of one warm invocation. A clock on this machine would say nothing about Lambda. */
export const warmMilliseconds: Readonly<Record<Stage, number>> = {
  verifier: 15,
  consumer: 25,
  'order-feed': 20,
  'order-query': 25,
  'webhook-audit': 600,
};

/** The same for ten records in one invocation: their calls run side by side. */
export const fullBatchMilliseconds: Readonly<Partial<Record<Stage, number>>> = {
  consumer: 60,
  'order-feed': 40,
};

/** Cold starts: their share of all invocations, and what one adds; Lambda bills it. */
export const coldStartShare = 0.01;
export const coldStartMilliseconds = 300;

/** Lambda's pollers on a queue with a maximum concurrency (AWS: never fewer than five), and their long poll. */
export const idlePollers = 5;
export const pollSeconds = 20;

/** How much of a month's webhooks are what: a new payment, a refund of an earlier one, a second delivery. */
export const webhookShares = { paid: 0.93, refund: 0.05, duplicate: 0.02 } as const;

/** How far the busiest seconds of a month stand above its mean. */
export const peakFactor = 5;

/** DynamoDB keeps the key of a table for this long per connection before it asks KMS again (AWS). */
export const tableKeySeconds = 300;
