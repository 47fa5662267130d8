import ky, { isTimeoutError } from 'ky';
import * as v from 'valibot';
import { parseJson } from '../json.ts';
import { retryAfterMilliseconds } from '../retry-after.ts';
import {
  ForbiddenError,
  PaymentServiceError,
  StatusError,
  UnauthenticatedError,
  UnexpectedResponseError,
  UnreachableError,
} from './errors.ts';
import { type OperationName, operationOf, repeatOf } from './operations.ts';
import { oneLine, redactionOf, safeCause } from './redaction.ts';
import { isWorthRepeating, pauseBeforeRetry, type RetryPolicy } from './retry-policy.ts';

/** The transport. The global `fetch` fits. */
export type Fetch = (request: Request) => Promise<Response>;

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

/** Fifty webhooks are some 20 KB. */
const responseBytesMax = 1024 * 1024;

/** One request in as many attempts as the policy allows. The errors of ky hold the request: none leaves. */
export async function sendWithRetries(
  request: ServiceRequest,
  fetch: Fetch,
  policy: RetryPolicy,
): Promise<ServiceResponse> {
  const { operation, url, headers, body, doneStatuses = [], signal } = request;
  const repeat = repeatOf(operationOf(operation));
  let isOutcomeUnknown = false;
  let retryAfter = 0;
  try {
    const response = await ky(url, {
      method: operationOf(operation).method,
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
      // A redirect would carry the credential to an address that is not configured.
      redirect: 'manual',
      timeout: policy.attemptMillisecondsMax,
      fetch: (attempt) => fetchWhole(fetch, attempt as Request, request),
      retry: {
        limit: policy.attemptsMax - 1,
        methods: ['get', 'post', 'put', 'delete'],
        // Always a boolean: otherwise ky decides, and waits for RateLimit-Reset and similar headers.
        shouldRetry({ error }) {
          const failure = failureOf(error, request, policy);
          if (failure === undefined) return false;
          isOutcomeUnknown ||= maybeExecuted(failure);
          retryAfter = failure instanceof StatusError ? (failure.retryAfterMilliseconds ?? 0) : 0;
          return isWorthRepeating(policy, repeat, failure);
        },
        delay: (retryCount) => Math.max(pauseBeforeRetry(policy, retryCount), retryAfter),
      },
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    const failure = failureOf(error, request, policy) ?? unreachable(request, error);
    if (isOutcomeUnknown && failure instanceof StatusError && doneStatuses.includes(failure.status)) {
      return { status: failure.status, body: '' };
    }
    throw failure;
  }
}

/**
 * One attempt with its body, which can be cut off or take too long as well. It throws for a status other than
 * 2xx: a Response cannot have one above 599, and ky reads JSON only with its content type.
 */
async function fetchWhole(fetch: Fetch, attempt: Request, request: ServiceRequest): Promise<Response> {
  let response: Response;
  let bytes: Buffer<ArrayBuffer> | undefined;
  try {
    response = await fetch(attempt);
    bytes = await boundedBody(response);
  } catch (cause) {
    request.signal?.throwIfAborted();
    throw unreachable(request, cause);
  }
  if (!response.ok) throw statusError(response, bytes, request);
  if (bytes === undefined) {
    const mismatch = { path: '$', expected: `no more than ${responseBytesMax} bytes`, found: 'larger' };
    throw new UnexpectedResponseError(`the response of ${request.operation}`, mismatch);
  }
  return new Response(bytes.byteLength > 0 ? bytes : null, { status: response.status });
}

function unreachable({ operation, secrets }: ServiceRequest, cause: unknown): UnreachableError {
  const safe = safeCause(cause, redactionOf(secrets));
  return new UnreachableError(operation, !neverConnected(cause), { cause: safe });
}

async function boundedBody({ body }: Response): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (bytes > responseBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** `undefined` for errors of other origin, such as the reason of an abort. */
function failureOf(
  error: unknown,
  request: ServiceRequest,
  policy: RetryPolicy,
): PaymentServiceError | undefined {
  if (error instanceof PaymentServiceError) return error;
  if (!isTimeoutError(error)) return undefined;
  const cause = new DOMException(`no response within ${policy.attemptMillisecondsMax} ms`, 'TimeoutError');
  return new UnreachableError(request.operation, true, { cause });
}

/** Section 7: an object with one field, `message`. Bodies of other errors are not shown; many have it too. */
const errorBody = v.object({ message: v.string() });
/** RFC 6749, 5.2. */
const errorCodeBody = v.object({ error: v.pipe(v.string(), v.regex(/^[a-z]+(_[a-z]+){0,4}$/)) });

function statusError(
  { status, headers }: Response,
  bytes: Buffer | undefined,
  { operation, secrets }: ServiceRequest,
): StatusError {
  // Whatever the content type: not every proxy sets it.
  const body = parseJson(bytes?.toString() ?? '');
  const redact = redactionOf(secrets);
  const failed = {
    operation,
    status,
    serviceMessage: v.is(errorBody, body) ? oneLine(redact(body.message)) : undefined,
    errorCode: v.is(errorCodeBody, body) ? redact(body.error) : undefined,
    retryAfterMilliseconds: retryAfterMilliseconds(headers),
  };
  if (status === 401) return new UnauthenticatedError(failed);
  return status === 403 ? new ForbiddenError(failed, operationOf(operation).scope) : new StatusError(failed);
}

function maybeExecuted(error: PaymentServiceError): boolean {
  if (error instanceof UnreachableError) return error.maybeExecuted;
  return error instanceof StatusError && error.status >= 500;
}

/** Whether the request cannot have left: no address, or no connection. Any other failure counts as sent. */
function neverConnected(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false;
  if (error instanceof AggregateError) return error.errors.every((one) => neverConnected(one, depth + 1));
  const { syscall, code } = error as { readonly syscall?: unknown; readonly code?: unknown };
  if (syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  return neverConnected(error.cause, depth + 1);
}
