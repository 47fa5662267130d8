/** What the model takes for granted, because this machine cannot measure it. */

/** The stack of every table; all else by default. */
export const settings = { keepData: true } as const;

/** Billed milliseconds of a warm invocation with one record, and with ten: their calls run in parallel. */
export const milliseconds = {
  verifier: [15, 15],
  consumer: [25, 60],
  'order-feed': [20, 40],
  'order-query': [25, 25],
  'webhook-audit': [600, 600],
  'waiting-count': [40, 40],
  heartbeat: [60, 60],
} as const;
export type Stage = keyof typeof milliseconds;

/** An audit waits this long for a page of the payment service's history, and looks up its events. */
export const historyPageMilliseconds = 150;

/** A cold start adds 300 ms to one invocation in a hundred; Lambda bills it. */
export const coldStartMilliseconds = 0.01 * 300;

/** With a maximum concurrency, Lambda polls an empty queue over five connections, 20 s each (AWS). */
export const emptyPollsPerSecond = 5 / 20;

/** A month's webhooks: new payments, refunds of earlier ones, second deliveries. */
export const webhookShares = { paid: 0.93, refund: 0.05, duplicate: 0.02 } as const;

/** How long DynamoDB uses the key of a table before it calls KMS again (AWS). */
export const tableKeySeconds = 300;

/** What Lambda logs about each invocation with `logLevel` `info` (start and report, as JSON). */
export const platformLogBytes = 355;
/** A value in an access log. */
export const accessLogValueBytes = 9;
