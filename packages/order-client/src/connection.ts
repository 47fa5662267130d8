import { createPathBasedClient } from 'openapi-fetch';
import {
  ConflictError,
  InvalidRequestError,
  NoResponseError,
  OrderClientError,
  ProblemError,
  UnexpectedResponseError,
} from './errors.ts';
import type { paths } from './openapi-types.ts';
import { defaultRetryPolicy, pauseAfter, pauseUnlessAborted, type RetryPolicy } from './retry-policy.ts';
import { createSignedFetch, parseBaseUrl, type SignedFetchOptions } from './signed-fetch.ts';

export interface OrderClientOptions extends SignedFetchOptions {
  /** Overrides parts of `defaultRetryPolicy`. */
  readonly retry?: Partial<RetryPolicy> | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

type Reads = { [Path in keyof paths]: paths[Path] extends { get: object } ? Path : never }[keyof paths];
type QueryOf<Path extends Reads> = NonNullable<paths[Path]['get']['parameters']['query']>;

/** The documented query parameters of a route, and a signal. An undefined parameter is not sent. */
export type ReadOptions<Path extends Reads> = CallOptions & {
  readonly [Name in keyof QueryOf<Path>]?: QueryOf<Path>[Name] | undefined;
};
type Given<Options> = { [Name in Exclude<keyof Options, 'signal'>]?: Exclude<Options[Name], undefined> };

/** What openapi-fetch takes for one request, and what it returns. */
type Init = { readonly signal: AbortSignal; readonly fetch: (request: Request) => Promise<Response> };
type Result<Data> = { readonly data?: Data; readonly error?: unknown; readonly response: Response };

interface Expected<Data> {
  /** A field by which the response is recognised. */
  readonly field: keyof Data & string;
  /** The error for payhooks' own 404. */
  readonly NotFound?: typeof ProblemError;
}

/** The documented routes of an API, with signatures, retries and errors. */
export function connect(options: OrderClientOptions, api: string) {
  const { origin, href: baseUrl } = parseBaseUrl(options.baseUrl);
  const policy = { ...defaultRetryPolicy, ...options.retry };
  const signedFetch = createSignedFetch(options);
  const routes = createPathBasedClient<paths>({
    ...{ baseUrl, redirect: 'manual', pathSerializer: serializePath },
    headers: { accept: 'application/json, application/problem+json' },
  });

  /** Resolves with the body of a 200, after as many attempts as the policy allows: all may be repeated. */
  async function call<Data extends object, Options extends CallOptions>(
    expected: Expected<NoInfer<Data>>,
    options: Options | undefined,
    request: (init: Init, query: Given<Options>) => Promise<Result<Data>>,
  ): Promise<Data> {
    const { signal, ...query } = { ...options };
    for (let attempts = 1; ; attempts += 1) {
      signal?.throwIfAborted();
      const attempt = (init: Init) => request(init, query as Given<Options>);
      const result = await tryOnce(expected, signal, attempt);
      if (!(result instanceof Error)) return result;
      const milliseconds = pauseAfter(result, attempts, policy);
      if (milliseconds === undefined) throw result;
      await pauseUnlessAborted(milliseconds, signal);
    }
  }

  /** Returns its error. Throws the reason of an abort, and an error that no repetition would change. */
  async function tryOnce<Data extends object>(
    { field, NotFound = ProblemError }: Expected<Data>,
    signal: AbortSignal | undefined,
    attempt: (init: Init) => Promise<Result<Data>>,
  ): Promise<Data | OrderClientError> {
    const timeout = AbortSignal.timeout(policy.attemptMillisecondsMax);
    const end = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    try {
      // The body belongs to the attempt: it too can be cut off or never end.
      const result = await attempt({
        signal: end,
        fetch: (request) => signedFetch(request, { signal: end }),
      });
      const { data, error, response } = result;
      if (response.status !== 200) return problemErrorOf(response, error, NotFound);
      if (isObject(data) && field in data) return data;
      throw new UnexpectedResponseError(`The response has no ${field}; is the baseUrl that of the ${api}?`);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof OrderClientError) throw cause;
      if (cause instanceof SyntaxError) {
        throw new UnexpectedResponseError(`The response is not JSON; is the baseUrl that of the ${api}?`, {
          cause,
        });
      }
      return new NoResponseError(`No response from ${origin}: ${reasonOf(cause)}.`, { cause });
    }
  }

  return { routes, call, policy };
}

/** `fetch failed` explains nothing; its cause does, such as `connect ECONNREFUSED 127.0.0.1:4800`. */
function reasonOf(error: unknown): string {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(reason instanceof Error)) return String(reason);
  // When a name has several addresses, the error for all of them has a code and no message.
  return reason.message || ('code' in reason ? String(reason.code) : reason.name);
}

/** Fills in the `{names}` of a documented path. */
const serializePath = (path: string, ids: Record<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => pathSegment(String(ids[name])));

/** URLs take `.` and `..` as steps in the path, even percent-encoded: another route would get the request. */
function pathSegment(id: string): string {
  if (['', '.', '..'].includes(id) || !id.isWellFormed()) {
    throw new InvalidRequestError(`A URL cannot contain ${JSON.stringify(id)} as an id.`);
  }
  return encodeURIComponent(id);
}

/**
 * `NotFound` is only for payhooks' own 404: API Gateway also responds 404, to an unknown route, and that does
 * not mean that the order does not exist.
 */
function problemErrorOf(response: Response, body: unknown, NotFound: typeof ProblemError): ProblemError {
  const { status, statusText, headers } = response;
  const retryAfter = parseRetryAfter(headers.get('retry-after'), Date.now());
  if (!headers.get('content-type')?.startsWith('application/problem+json') || !isProblem(body)) {
    const message = isObject(body) && 'message' in body ? body.message : undefined;
    const detail = typeof message === 'string' ? message : 'The response has no message.';
    return new ProblemError(
      { type: 'about:blank', title: statusText || 'Error', status, detail },
      retryAfter,
    );
  }
  if (status === 409) return new ConflictError(body);
  return status === 404 ? new NotFound(body) : new ProblemError(body, retryAfter);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isProblem(body: unknown): body is ProblemError['problem'] {
  const { type, title, status, detail } = (body ?? {}) as Partial<ProblemError['problem']>;
  return [type, title, detail].every((text) => typeof text === 'string') && typeof status === 'number';
}

/** RFC 9110, 10.2.3: seconds or a date. `undefined` for anything else, and for the past. */
function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const milliseconds = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return milliseconds > 0 ? milliseconds : undefined;
}
