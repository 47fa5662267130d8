import { setTimeout as pause } from 'node:timers/promises';
import { NoResponseError, ProblemError } from './errors.ts';

/** Which requests are repeated, and when. */
export interface RetryPolicy {
  /** Including the first. */
  readonly attemptsMax: number;
  /** For one attempt, from the connection to the last byte of the response. */
  readonly attemptMillisecondsMax: number;
  /** Statuses worth another attempt. An attempt without a response is always repeated. */
  readonly statuses: readonly number[];
  /** The pause before attempt n + 1 is random, up to `firstPauseMilliseconds` × 2ⁿ⁻¹ … */
  readonly firstPauseMilliseconds: number;
  /** … and to this. It is added to a Retry-After header, so that callers do not return together. */
  readonly pauseMillisecondsMax: number;
  /** A longer Retry-After ends the call; the error holds it. */
  readonly retryAfterMillisecondsMax: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attemptsMax: 4,
  // The function behind the API may take 25 s, and API Gateway waits for 30.
  attemptMillisecondsMax: 30_000,
  statuses: [429, 500, 502, 503, 504],
  firstPauseMilliseconds: 200,
  pauseMillisecondsMax: 5_000,
  retryAfterMillisecondsMax: 60_000,
};

/** Whether the same request may succeed later. */
export function isTransient(error: unknown, { statuses }: RetryPolicy): boolean {
  return (
    error instanceof NoResponseError || (error instanceof ProblemError && statuses.includes(error.status))
  );
}

export const retryAfterOf = (error: unknown): number =>
  error instanceof ProblemError ? (error.retryAfterMilliseconds ?? 0) : 0;

/** The pause after `attempts` attempts; `undefined` when there must not be another one. */
export function pauseAfter(error: unknown, attempts: number, policy: RetryPolicy): number | undefined {
  const retryAfter = retryAfterOf(error);
  const isInTime = attempts < policy.attemptsMax && retryAfter <= policy.retryAfterMillisecondsMax;
  if (!isInTime || !isTransient(error, policy)) return undefined;
  const { firstPauseMilliseconds, pauseMillisecondsMax } = policy;
  const spread = Math.min(firstPauseMilliseconds * 2 ** (attempts - 1), pauseMillisecondsMax);
  return retryAfter + Math.round(spread * Math.random());
}

/** A timer of Node holds no more; a longer one would end at once. */
const timerMillisecondsMax = 2 ** 31 - 1;

/** Resolves after the time, or as soon as the signal aborts. */
export async function pauseUnlessAborted(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const options = signal === undefined ? {} : { signal };
  await pause(Math.min(milliseconds, timerMillisecondsMax), undefined, options).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
}
