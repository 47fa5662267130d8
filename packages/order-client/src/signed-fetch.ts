import type { OrderClientOptions } from './options.ts';
import { parseBaseUrl, pathSegment, type Query, requestUrl } from './request-url.ts';
import { createSigner } from './signer.ts';

export interface SignedRequest {
  readonly method: 'GET' | 'POST';
  /** The segments of the path, not encoded: `['orders', 'order/1']`. */
  readonly path: readonly string[];
  readonly query?: Query | undefined;
  /** JSON. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type SignedFetch = (request: SignedRequest) => Promise<Response>;

/**
 * Sends single requests, signed and encoded as the clients do, for a program that passes requests on. It
 * resolves with any response as it is, does not follow redirects and repeats nothing. It throws
 * InvalidRequestError, CredentialsError, or what `fetch` throws.
 */
export function createSignedFetch(options: Omit<OrderClientOptions, 'retry'>): SignedFetch {
  const { region, credentials, fetch = globalThis.fetch } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  const sign = createSigner({ baseUrl, region, credentials });
  return async function signedFetch({ method, path, query = {}, body, signal }) {
    const segments = path.map((segment) => pathSegment('segment of the path', segment));
    const url = requestUrl(baseUrl, segments, query);
    const headers = {
      accept: 'application/json, application/problem+json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(await sign({ method, url, body })),
    };
    const init = { method, headers, body: body ?? null, redirect: 'manual', signal: signal ?? null } as const;
    return fetch(new Request(url, init), { signal: init.signal });
  };
}
