/**
 * When the simulator sends again. The API document does not show the payment service's schedule (section
 * 6), so this one is invented and is data: a test or a benchmark passes its own.
 */
export interface RetrySchedule {
  /**
   * The pause before the second attempt, before the third, and so on;
   * when it is used up, the delivery has failed.
   */
  readonly pausesMilliseconds: readonly number[];
  /** A receiver that asks for more patience than this gets no more than this. */
  readonly retryAfterMillisecondsMax: number;
  readonly attemptTimeoutMilliseconds: number;
}

export const defaultRetrySchedule: RetrySchedule = {
  pausesMilliseconds: [500, 1_000, 2_000, 4_000, 8_000, 16_000],
  retryAfterMillisecondsMax: 30_000,
  attemptTimeoutMilliseconds: 10_000,
};

/** One attempt and nothing after it. */
export const noRetries: RetrySchedule = { ...defaultRetrySchedule, pausesMilliseconds: [] };

export interface FailedAttempt {
  /** Counts from 1. */
  readonly number: number;
  /** The Retry-After header of the answer, or `null` without one. */
  readonly retryAfter: string | null;
  readonly now: number;
}

/** How long to wait after a failed attempt, or `undefined` when it was the last one. */
export function pauseAfter(schedule: RetrySchedule, failed: FailedAttempt): number | undefined {
  const pause = schedule.pausesMilliseconds[failed.number - 1];
  if (pause === undefined) return undefined;
  const asked = parseRetryAfter(failed.retryAfter, failed.now);
  if (asked === undefined) return pause;
  // The receiver may ask for more time; it cannot ask to be hurried.
  return Math.max(pause, Math.min(asked, schedule.retryAfterMillisecondsMax));
}

/** RFC 9110, 10.2.3: whole seconds or an HTTP date. Anything else counts as no header at all. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse reads far more than an HTTP date, "-1" for one; each of
  // the three HTTP forms begins with a weekday.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}
