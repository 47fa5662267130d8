import type { Authentication } from './authentication.ts';
import { addressOf, parseBaseUrl, type Query } from './base-url.ts';
import { UnauthenticatedError } from './errors.ts';
import type { OperationName } from './operations.ts';
import { type Redact, redactionOf, secretsOf } from './redaction.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry-policy.ts';
import type { Fetch, ServiceRequest, ServiceResponse } from './send.ts';

export interface TransportOptions {
  /** https, or http on a loopback address; without /api/v2. */
  readonly baseUrl: string;
  readonly fetch?: Fetch | undefined;
  readonly policy?: RetryPolicy | undefined;
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

export interface AuthenticatedOptions extends TransportOptions {
  readonly authentication: Authentication;
}

export interface CallOptions {
  /** Ends the call with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
}

interface CallParts extends CallOptions {
  readonly query?: Query;
  readonly json?: unknown;
  readonly doneStatuses?: readonly number[];
}

/** Calls an operation with the credential; after a 401 once more with another one, where there is one. */
export function createCall({ authentication, ...options }: AuthenticatedOptions) {
  const transport = createTransport(options);
  return async function call(
    operation: OperationName,
    path: readonly string[],
    { query, json, doneStatuses, signal }: CallParts,
  ): Promise<ServiceResponse & { readonly redact: Redact }> {
    signal?.throwIfAborted();
    const url = addressOf(transport.baseUrl, path, query);
    const send = async (authorization: string) => {
      const secrets = secretsOf(authorization);
      const response = await transport.send({
        operation,
        url,
        headers: { authorization, ...(json !== undefined && { 'content-type': 'application/json' }) },
        body: JSON.stringify(json),
        ...{ secrets, doneStatuses, signal },
      });
      return { ...response, redact: redactionOf(secrets) };
    };
    const header = await unlessAborted(authentication.authorization(), signal);
    try {
      return await send(header);
    } catch (error) {
      if (!(error instanceof UnauthenticatedError) || authentication.renew === undefined) throw error;
      return await send(await unlessAborted(authentication.renew(header), signal));
    }
  };
}

/** Stops waiting, but not the promise: a refresh serves all calls and must come to its end. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
