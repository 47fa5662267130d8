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

/** The pause after `attempts` attempts, in milliseconds. */
export function pauseMilliseconds(policy: RetryPolicy, attempts: number, retryAfter: number): number {
  const { firstPauseMilliseconds, pauseMillisecondsMax } = policy;
  const spread = Math.min(firstPauseMilliseconds * 2 ** (attempts - 1), pauseMillisecondsMax);
  return retryAfter + Math.round(spread * Math.random());
}

/** Whether the same request may succeed later. */
export function isTransient(error: unknown, { statuses }: RetryPolicy): boolean {
  return (
    error instanceof NoResponseError || (error instanceof ProblemError && statuses.includes(error.status))
  );
}

/** RFC 9110, 10.2.3: seconds or a date. `undefined` for anything else, and for the past. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const milliseconds = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return milliseconds > 0 ? milliseconds : undefined;
}
