import ky, { isHTTPError, isNetworkError } from 'ky';
import { CredentialsError, NoResponseError, type ProblemError } from './errors.ts';
import { problemErrorOf } from './problem-response.ts';
import { parseRetryAfter, type RetryPolicy } from './retry-policy.ts';
import type { Sign } from './signer.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (request: Request) => Promise<Response>;

export interface Transport {
  readonly fetch: Fetch;
  readonly sign: Sign;
  readonly policy: RetryPolicy;
}

export interface GetRequest {
  readonly url: URL;
  /** The error for payhooks' own 404. */
  readonly NotFound: typeof ProblemError;
  readonly signal: AbortSignal | undefined;
}

export type Get = (request: GetRequest) => Promise<string>;

/** Resolves with the body of a successful response, after as many attempts as the policy allows. */
export function createGet({ fetch, sign, policy }: Transport): Get {
  const statuses = [...policy.statuses];
  const http = ky.create({
    headers: { accept: 'application/json, application/problem+json' },
    redirect: 'manual',
    timeout: policy.attemptMillisecondsMax,
    retry: {
      limit: policy.attemptsMax - 1,
      statusCodes: statuses,
      afterStatusCodes: statuses,
      delay: (attempts) => policy.firstPauseMilliseconds * 2 ** (attempts - 1),
      backoffLimit: policy.pauseMillisecondsMax,
      // Also bounds the wait for RateLimit-Reset, which ky honours too.
      maxRetryAfter: policy.retryAfterMillisecondsMax,
      // Callers that failed together must not come back together.
      jitter: true,
      shouldRetry: ({ error }) => shouldRetry(error, policy),
    },
    fetch: (request) => attempt(request as Request),
  });

  async function attempt(request: Request): Promise<Response> {
    const headers = await sign(new URL(request.url));
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    const response = await fetch(request);
    // The body belongs to the attempt: it too can be cut off or never end.
    const body = await response.text();
    return new Response(body === '' ? null : body, response);
  }

  return async function get({ url, NotFound, signal }) {
    signal?.throwIfAborted();
    try {
      return await http(url, signal === undefined ? {} : { signal }).text();
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof CredentialsError) throw error;
      if (isHTTPError(error)) throw problemErrorOf(error.response, error.data, NotFound);
      const cause = isNetworkError(error) ? error.cause : error;
      throw new NoResponseError(`No response from ${url.origin} to GET ${url.pathname}.`, { cause });
    }
  };
}

/** `undefined` leaves the decision to ky: by the status, after the time in Retry-After. */
function shouldRetry(error: Error, { retryAfterMillisecondsMax }: RetryPolicy): boolean | undefined {
  if (!isHTTPError(error)) return !(error instanceof CredentialsError);
  const retryAfter = parseRetryAfter(error.response.headers.get('retry-after'), Date.now()) ?? 0;
  return retryAfter > retryAfterMillisecondsMax ? false : undefined;
}
