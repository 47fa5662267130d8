import { parseBaseUrl } from './base-url.ts';
import type { OperationName } from './operations.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry-policy.ts';

/** The transport. The global `fetch` fits. */
export type Fetch = (request: Request) => Promise<Response>;

export interface TransportOptions {
  /** https, or http on a loopback address; without /api/v2. */
  readonly baseUrl: string;
  readonly fetch?: Fetch | undefined;
  readonly policy?: RetryPolicy | undefined;
}

export interface ServiceRequest {
  readonly operation: OperationName;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData | undefined;
  /** Cut out of every error. */
  readonly secrets: readonly string[];
  /** After an attempt with an unknown outcome, these statuses mean that it had succeeded. */
  readonly doneStatuses?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ServiceResponse {
  readonly status: number;
  readonly body: string;
}

/** Makes as many attempts as the policy and the operation allow. */
export function createTransport(options: TransportOptions) {
  const baseUrl = parseBaseUrl(options.baseUrl);
  const { fetch = (request: Request) => globalThis.fetch(request), policy = defaultRetryPolicy } = options;

  async function send(request: ServiceRequest): Promise<ServiceResponse> {
    request.signal?.throwIfAborted();
    // Not loaded before a call needs it: it loads fetch, which costs a cold start 50 ms.
    const { sendWithRetries } = await import('./send.ts');
    return sendWithRetries(request, fetch, policy);
  }

  return { baseUrl, send };
}
