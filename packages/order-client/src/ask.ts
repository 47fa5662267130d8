import { setTimeout as pause } from 'node:timers/promises';
import { NoAnswerError, ProblemError } from './errors.ts';
import { problemErrorOf } from './problem-answer.ts';
import { pauseMilliseconds, type RetryPolicy } from './retry-policy.ts';
import type { Signer } from './signer.ts';

/** What the client needs of `fetch`; the global one fits. */
export type Fetch = (url: URL, init: FetchInit) => Promise<Response>;

interface FetchInit {
  readonly method: 'GET';
  readonly headers: Record<string, string>;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface Transport {
  readonly fetch: Fetch;
  readonly sign: Signer;
  readonly policy: RetryPolicy;
  /** In [0, 1). */
  readonly random: () => number;
}

export interface Question {
  readonly url: URL;
  /** What the answer is that payhooks knows no such thing. */
  readonly NotFound: typeof ProblemError;
  readonly signal: AbortSignal | undefined;
}

export type Ask = (question: Question) => Promise<string>;

/** The body of a successful answer, after as many attempts as the policy allows. */
export function createAsk(transport: Transport): Ask {
  const { policy, random } = transport;
  return async (question) => {
    for (let attempts = 1; ; attempts += 1) {
      const result = await attempt(transport, question);
      if (typeof result === 'string') return result;
      const asked = result instanceof ProblemError ? (result.retryAfterMilliseconds ?? 0) : 0;
      const inTime = attempts < policy.attemptsMax && asked <= policy.retryAfterMillisecondsMax;
      if (!inTime || !mayPass(result, policy)) throw result;
      await pauseOrAbort(pauseMilliseconds(policy, attempts, random(), asked), question.signal);
    }
  };
}

/** Whether the same request may succeed later. */
export function mayPass(error: unknown, { statuses }: RetryPolicy): boolean {
  return error instanceof NoAnswerError || (error instanceof ProblemError && statuses.includes(error.status));
}

/** What a timer of Node can hold; a longer one would end at once. */
const timerMillisecondsMax = 2 ** 31 - 1;

/** Resolves after the time; rejects with the signal's own reason when it aborts first. */
export async function pauseOrAbort(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause(
      Math.min(milliseconds, timerMillisecondsMax),
      undefined,
      signal === undefined ? {} : { signal },
    );
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** One attempt. Its error is a result; the caller's abort, and credentials that cannot be had, are thrown. */
async function attempt(
  { fetch, sign, policy }: Transport,
  { url, NotFound, signal }: Question,
): Promise<string | NoAnswerError | ProblemError> {
  signal?.throwIfAborted();
  const headers = { accept: 'application/json, application/problem+json' };
  const signed = { ...headers, ...(await sign(url, headers)) };
  const timeUp = AbortSignal.timeout(policy.attemptMillisecondsMax);
  const ends = signal === undefined ? timeUp : AbortSignal.any([signal, timeUp]);
  try {
    const response = await fetch(url, { method: 'GET', headers: signed, redirect: 'manual', signal: ends });
    // The body belongs to the attempt: it too can be cut off or take for ever.
    const body = await response.text();
    return response.status === 200 ? body : problemErrorOf(response, body, NotFound);
  } catch (cause) {
    signal?.throwIfAborted();
    return new NoAnswerError(`No answer from ${url.origin} to GET ${url.pathname}.`, { cause });
  }
}
