import {
  ForbiddenError,
  StatusError,
  UnauthenticatedError,
  UnexpectedAnswerError,
  UnreachableError,
} from './errors.ts';
import { type OperationName, ruleOf } from './operations.ts';
import { oneLine, type Redact, safeCause } from './redaction.ts';
import { parseRetryAfter, type RetryPolicy } from './retry-policy.ts';

/** What the client needs of `fetch`; the global one fits. */
export type Fetch = (url: URL, init: FetchInit) => Promise<Response>;

export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | FormData;
  /** A redirect would carry the credentials to an address that nobody configured. */
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface Request {
  readonly operation: OperationName;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  readonly redact: Redact;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Fifty webhooks measure some 20 KB. */
const answerBytesMax = 1024 * 1024;

interface Attempting {
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly policy: RetryPolicy;
}

/** One attempt. Its error is a result, for the caller to weigh; the caller's own abort is thrown. */
export async function attempt(
  { fetch, now, policy }: Attempting,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<Answer | StatusError | UnreachableError | UnexpectedAnswerError> {
  signal?.throwIfAborted();
  const { operation, url, redact, body } = request;
  const timeUp = AbortSignal.timeout(policy.attemptMillisecondsMax);
  try {
    const response = await fetch(url, {
      method: ruleOf(operation).method,
      headers: { accept: 'application/json', ...request.headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: signal === undefined ? timeUp : AbortSignal.any([signal, timeUp]),
    });
    // The body belongs to the attempt: it too can be cut off or take for ever.
    const text = await boundedText(response);
    if (!response.ok) return statusError(request, response, { text, now: now() });
    return text === undefined ? tooLarge(operation) : { status: response.status, body: text };
  } catch (cause) {
    signal?.throwIfAborted();
    return new UnreachableError(operation, !neverConnected(cause), { cause: safeCause(cause, redact) });
  }
}

async function boundedText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (bytes > answerBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(operation: OperationName): UnexpectedAnswerError {
  const expected = `no more than ${answerBytesMax} bytes`;
  return new UnexpectedAnswerError({
    source: `the answer of ${operation}`,
    path: '$',
    expected,
    found: 'larger',
  });
}

function statusError(
  { operation, redact }: Request,
  { status, headers }: Response,
  { text, now }: { readonly text: string | undefined; readonly now: number },
): StatusError {
  const message = messageOf(text ?? '');
  const answer = {
    operation,
    status,
    serviceMessage: message === undefined ? undefined : oneLine(redact(message)),
    retryAfterMilliseconds: parseRetryAfter(headers.get('retry-after'), now),
  };
  if (status === 401) return new UnauthenticatedError(answer);
  return status === 403 ? new ForbiddenError(answer, ruleOf(operation).scope) : new StatusError(answer);
}

/** Section 7: an object with one field, `message`. Bodies of other errors are not shown; many have it too. */
function messageOf(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
    return typeof body.message === 'string' ? body.message : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the request cannot have left: no address, or no connection. What is unknown counts as sent. */
function neverConnected(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false;
  if (error instanceof AggregateError) return error.errors.every((one) => neverConnected(one, depth + 1));
  const { syscall, code } = error as { readonly syscall?: unknown; readonly code?: unknown };
  if (syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  return neverConnected(error.cause, depth + 1);
}
