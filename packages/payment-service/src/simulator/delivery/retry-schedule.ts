import { retryAfterMilliseconds } from '../../retry-after.ts';

/** When the simulator sends again. The payment service's own schedule is not shown (section 6). */
export interface RetrySchedule {
  /** Before the second attempt, the third, and so on; then the delivery has failed. */
  readonly pausesMilliseconds: readonly number[];
  /** The longest pause that a receiver gets by Retry-After. */
  readonly retryAfterMillisecondsMax: number;
  readonly attemptTimeoutMilliseconds: number;
}

export const defaultRetrySchedule: RetrySchedule = {
  pausesMilliseconds: [500, 1_000, 2_000, 4_000, 8_000, 16_000],
  retryAfterMillisecondsMax: 30_000,
  attemptTimeoutMilliseconds: 10_000,
};

export const noRetries: RetrySchedule = { ...defaultRetrySchedule, pausesMilliseconds: [] };

/** How long to wait after a failed attempt (counted from 1), or `undefined` after the last one. */
export function pauseAfter(schedule: RetrySchedule, number: number, headers: Headers): number | undefined {
  const pause = schedule.pausesMilliseconds[number - 1];
  if (pause === undefined) return undefined;
  // Retry-After lengthens a pause, but does not shorten it.
  return Math.max(pause, Math.min(retryAfterMilliseconds(headers) ?? 0, schedule.retryAfterMillisecondsMax));
}
