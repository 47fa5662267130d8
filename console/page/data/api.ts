/** The API responded with an error. `status` is 0 when there is no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The problem details as received, for what a route adds to them, such as `waiting`. */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(status: number, detail: string, problem: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.status = status;
    this.problem = problem;
  }
}

/** The API was not called, because no URL leads to the id. What has the id may exist all the same. */
export class NoAddressError extends ApiError {
  constructor() {
    super(
      0,
      'A URL cannot contain "." or ".." as an id, so the APIs have no address for it. ' +
        'The lists and the waiting room show what is known of it.',
    );
  }
}

export function failureTitle(error: ApiError): string {
  if (error instanceof NoAddressError) return 'This id cannot be looked up';
  if (error.status === 403) return 'Not allowed';
  if (error.status === 0) return 'Not connected';
  if (error.status === 503 || error.status === 504) return 'No response from the stack';
  if (error.status === 404) return 'Not found';
  return `The server responded with an error (${error.status})`;
}

/** What was thrown, as an error that a page can show. */
export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, String(error));
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** `path` with the parameters of `query` that are given. */
export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
  );
  if (given.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}

/** Reads JSON. Throws an `ApiError` whose message is the sentence for the reader. */
export function getApi<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return request<T>(withQuery(path, query), signal === undefined ? {} : { signal });
}

/** Sends JSON. Throws an `ApiError` whose message is the sentence for the reader. */
export function postApi<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return request<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function request<T>(url: string, init: RequestInit): Promise<T> {
  // The browser would request another path.
  if (/\/\.{1,2}(?=[/?]|$)/.test(url)) throw new NoAddressError();
  const response = await fetch(url, init).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error;
    throw new ApiError(0, `No response from ${url}: the console's server is not reachable.`);
  });
  const text = await response.text();
  const body = parsed(text);
  if (!response.ok) throw new ApiError(response.status, sentenceOf(response.status, body), objectOf(body));
  if (body === undefined && text !== '') {
    throw new ApiError(response.status, `The response of ${url} is not JSON.`);
  }
  return body as T;
}

/** Problem details have a `detail`; API Gateway responds with a `message`. */
function sentenceOf(status: number, body: unknown): string {
  const { detail, message, title } = objectOf(body);
  if (typeof detail === 'string') return detail;
  if (status === 403) return 'Your credentials lack the permission for this request.';
  const words = [title, message].find((text) => typeof text === 'string');
  return words === undefined
    ? `The server responded with status ${status}.`
    : `The server responded with status ${status}: ${words}.`;
}

function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
