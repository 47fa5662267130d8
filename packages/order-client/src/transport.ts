import { setTimeout as pause } from 'node:timers/promises';
import { NoResponseError, ProblemError } from './errors.ts';
import { problemErrorOf } from './problem-response.ts';
import { isTransient, pauseMilliseconds, type RetryPolicy } from './retry-policy.ts';
import type { Sign } from './signer.ts';

/**
 * The part of `fetch` that the client uses. It gets the signal of the request once more: Node refers only
 * weakly from a signal to a Request, so after a garbage collection that of the Request ends nothing.
 */
export type Fetch = (request: Request, init?: { readonly signal: AbortSignal | null }) => Promise<Response>;

export interface Transport {
  readonly fetch: Fetch;
  readonly sign: Sign;
  readonly policy: RetryPolicy;
}

export interface ApiRequest {
  readonly url: URL;
  /** JSON; its request is a POST, one without it a GET. */
  readonly body?: string | undefined;
  /** The error for payhooks' own 404. */
  readonly NotFound: typeof ProblemError;
  readonly signal: AbortSignal | undefined;
}

export type Send = (request: ApiRequest) => Promise<string>;

/**
 * Resolves with the body of a 200, after as many attempts as the policy allows: all requests may be repeated.
 */
export function createSend(transport: Transport): Send {
  const { policy } = transport;
  return async function send(request) {
    for (let attempts = 1; ; attempts += 1) {
      const result = await attempt(transport, request);
      if (typeof result === 'string') return result;
      const retryAfter = result instanceof ProblemError ? (result.retryAfterMilliseconds ?? 0) : 0;
      const isInTime = attempts < policy.attemptsMax && retryAfter <= policy.retryAfterMillisecondsMax;
      if (!isInTime || !isTransient(result, policy)) throw result;
      await pauseUnlessAborted(pauseMilliseconds(policy, attempts, retryAfter), request.signal);
      request.signal?.throwIfAborted();
    }
  };
}

/** Returns its error. Throws the reason of an abort, and what `sign` throws: a retry would not help. */
async function attempt(
  { fetch, sign, policy }: Transport,
  { url, body, NotFound, signal }: ApiRequest,
): Promise<string | NoResponseError | ProblemError> {
  signal?.throwIfAborted();
  const method = body === undefined ? 'GET' : 'POST';
  const headers = {
    accept: 'application/json, application/problem+json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(await sign({ method, url, body })),
  };
  const timeout = AbortSignal.timeout(policy.attemptMillisecondsMax);
  const end = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    const init = { method, headers, body: body ?? null, redirect: 'manual', signal: end } as const;
    const response = await fetch(new Request(url, init), { signal: end });
    // The body belongs to the attempt: it too can be cut off or never end.
    const text = await response.text();
    return response.status === 200 ? text : problemErrorOf(response, text, NotFound);
  } catch (cause) {
    signal?.throwIfAborted();
    return new NoResponseError(`No response from ${url.origin} to ${method} ${url.pathname}.`, { cause });
  }
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
