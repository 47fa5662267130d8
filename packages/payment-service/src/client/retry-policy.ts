import { type PaymentServiceError, StatusError, UnreachableError } from './errors.ts';
import type { Repeat } from './operations.ts';

export interface RetryPolicy {
  /** The first attempt counts. */
  readonly attemptsMax: number;
  /** Connection, answer and body together. */
  readonly attemptMillisecondsMax: number;
  /** The pause before the second attempt is drawn from up to this; it doubles with each further one. */
  readonly pauseMilliseconds: number;
  readonly pauseMillisecondsMax: number;
  /** A service that asks for more patience than this gets none: the error says how long it asked to wait. */
  readonly retryAfterMillisecondsMax: number;
  /** Answers that may be others the next time, for each kind of operation. */
  readonly statuses: Readonly<Record<Repeat, readonly number[]>>;
}

export const defaultRetryPolicy: RetryPolicy = {
  attemptsMax: 3,
  attemptMillisecondsMax: 10_000,
  pauseMilliseconds: 250,
  pauseMillisecondsMax: 5_000,
  retryAfterMillisecondsMax: 20_000,
  // Who is told to slow down was not served; of any other fault nobody knows how far the service had come.
  statuses: { always: [408, 429, 500, 502, 503, 504], unexecuted: [429] },
};

export interface FailedAttempt {
  /** Counts from 1. */
  readonly number: number;
  readonly error: PaymentServiceError;
  readonly repeat: Repeat;
  /** In [0, 1). */
  readonly random: number;
}

/** How long to wait before the next attempt, or `undefined` when there must be none. */
export function pauseAfter(policy: RetryPolicy, failed: FailedAttempt): number | undefined {
  if (failed.number >= policy.attemptsMax || !isWorthRepeating(policy, failed)) return undefined;
  const ceiling = Math.min(policy.pauseMilliseconds * 2 ** (failed.number - 1), policy.pauseMillisecondsMax);
  // The upper half is drawn, so that callers who failed together do not come back together.
  const pause = Math.round(ceiling * (1 + failed.random) * 0.5);
  const asked = failed.error instanceof StatusError ? (failed.error.retryAfterMilliseconds ?? 0) : 0;
  return asked > policy.retryAfterMillisecondsMax ? undefined : Math.max(pause, asked);
}

function isWorthRepeating(policy: RetryPolicy, { error, repeat }: FailedAttempt): boolean {
  if (error instanceof UnreachableError) return repeat === 'always' || !error.maybeExecuted;
  return error instanceof StatusError && policy.statuses[repeat].includes(error.status);
}

/** RFC 9110, 10.2.3: whole seconds or an HTTP date. Anything else counts as no header at all. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse reads far more than HTTP dates; each of their three forms begins with a weekday.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // The oldest form names no time zone and means GMT; Date.parse would take the machine's own.
  const moment = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now);
}
