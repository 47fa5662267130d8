import { type PaymentServiceError, StatusError, UnreachableError } from './errors.ts';
import type { Repeat } from './operations.ts';

export interface RetryPolicy {
  /** Including the first one. */
  readonly attemptsMax: number;
  /** Connection, response and body together. */
  readonly attemptMillisecondsMax: number;
  /** The ceiling of the pause before the second attempt; it doubles with each further one. */
  readonly pauseMilliseconds: number;
  readonly pauseMillisecondsMax: number;
  /** A longer Retry-After ends the call. */
  readonly retryAfterMillisecondsMax: number;
  /** The statuses after which each kind of operation is repeated. */
  readonly statuses: Readonly<Record<Repeat, readonly number[]>>;
}

export const defaultRetryPolicy: RetryPolicy = {
  attemptsMax: 3,
  attemptMillisecondsMax: 10_000,
  pauseMilliseconds: 250,
  pauseMillisecondsMax: 5_000,
  retryAfterMillisecondsMax: 20_000,
  // A 429 means that the request was not carried out; after other errors it may have been.
  statuses: { always: [408, 429, 500, 502, 503, 504], unexecuted: [429] },
};

/** Without Retry-After, which can only make it longer. The first retry is number 1. */
export function pauseBeforeRetry(policy: RetryPolicy, retry: number): number {
  const ceiling = Math.min(policy.pauseMilliseconds * 2 ** (retry - 1), policy.pauseMillisecondsMax);
  // The upper half is drawn: callers that failed together do not return together.
  return (ceiling * (1 + Math.random())) / 2;
}

export function isWorthRepeating(policy: RetryPolicy, repeat: Repeat, error: PaymentServiceError): boolean {
  if (error instanceof UnreachableError) return repeat === 'always' || !error.maybeExecuted;
  if (!(error instanceof StatusError) || !policy.statuses[repeat].includes(error.status)) return false;
  return (error.retryAfterMilliseconds ?? 0) <= policy.retryAfterMillisecondsMax;
}
