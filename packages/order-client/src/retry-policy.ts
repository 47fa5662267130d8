/** When a request is made again, as data. */
export interface RetryPolicy {
  /** The first one included. */
  readonly attemptsMax: number;
  /** For one attempt, from the connection to the last byte of the answer. */
  readonly attemptMillisecondsMax: number;
  /** Statuses that may be different next time. An attempt without an answer is always made again. */
  readonly statuses: readonly number[];
  /** The pause before attempt n + 1 is any time up to `firstPauseMilliseconds` × 2ⁿ⁻¹, … */
  readonly firstPauseMilliseconds: number;
  /** … and never above this. */
  readonly pauseMillisecondsMax: number;
  /** An answer that asks to wait longer is not waited for: the error says how long. */
  readonly retryAfterMillisecondsMax: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attemptsMax: 4,
  // The function behind the API may take 15 s.
  attemptMillisecondsMax: 20_000,
  statuses: [429, 500, 502, 503, 504],
  firstPauseMilliseconds: 200,
  pauseMillisecondsMax: 5_000,
  retryAfterMillisecondsMax: 60_000,
};

/**
 * The pause after a number of attempts. `random` is in [0, 1): callers that failed together must not come
 * back together. What the answer asked for is a least pause, and gets the same spread on top.
 */
export function pauseMilliseconds(
  policy: RetryPolicy,
  attempts: number,
  random: number,
  retryAfterMilliseconds: number,
): number {
  const { firstPauseMilliseconds, pauseMillisecondsMax } = policy;
  const spread = Math.min(firstPauseMilliseconds * 2 ** (attempts - 1), pauseMillisecondsMax);
  return retryAfterMilliseconds + Math.round(spread * random);
}

/** RFC 9110, 10.2.3: whole seconds, or a date. `undefined` for what is neither, or is over. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const milliseconds = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return milliseconds > 0 ? milliseconds : undefined;
}
