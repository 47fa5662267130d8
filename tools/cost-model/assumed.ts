/** What the model takes for granted, because this machine cannot measure it. */

import { consumerBatchRecordsMax } from '../../lambdas/contract/limits.ts';

/** The stack of every table; all else by default. */
export const settings = { keepData: true } as const;

/** Billed milliseconds of a warm invocation with one record, and with ten: their calls run in parallel. */
export const milliseconds = {
  verifier: [15, 15],
  consumer: [25, 60],
  'order-feed': [20, 40],
  'order-query': [15, 15],
  'webhook-audit': [600, 600],
  'waiting-count': [40, 40],
  heartbeat: [60, 60],
  'heartbeat-return': [60, 60],
  'self-check': [8_000, 8_000],
} as const;
export type Stage = keyof typeof milliseconds;

/** A cold start adds 300 ms to one invocation in a hundred; Lambda bills it. */
export const coldStartMilliseconds = 0.01 * 300;

/** Free of charge in every account and month, not only in the first year (general knowledge, 2026). */
export const freeAMonth: Readonly<Record<string, number>> = {
  ...{ alarmMetrics: 10, ownMetrics: 10, keyRequests: 20_000, logs: 5 },
  ...{ queueRequests: 1_000_000, invocations: 1_000_000, gigabyteSeconds: 400_000, scheduled: 14_000_000 },
};

/** DynamoDB keeps the key of a table that is in use for five minutes (AWS). */
export const tableKeyMinutes = 5;

/** Own metrics that have data all month: DecisionsWaiting and WebhookAuditFindings. */
export const idleMetrics = 2;

/** With a maximum concurrency, Lambda polls a queue over five connections, an empty one 20 s each (AWS). */
const connections = 5;
export const emptyPollsPerSecond = connections / 20;

/**
 * What each connection finds: the events since its last batch, which took 30 ms, and those of the window. The
 * feed's batches are alike.
 */
export const batchOf = (eventsPerSecond: number, windowSeconds: number): number =>
  Math.min(consumerBatchRecordsMax, 1 + (eventsPerSecond * (0.03 + windowSeconds)) / connections);

/** What Lambda logs about each invocation with `logLevel` `info` (start and report, as JSON). */
export const platformLogBytes = 355;
/** A value in an access log. */
export const accessLogValueBytes = 9;
