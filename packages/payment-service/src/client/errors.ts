import { type Mismatch, sentenceOf } from '../json.ts';
import type { OperationName } from './operations.ts';

/**
 * The errors that this client throws; an abort throws the signal's reason. No message, property or cause of
 * them holds a key, a token or a client secret.
 */
export class PaymentServiceError extends Error {
  override readonly name: string = 'PaymentServiceError';
}

/** An argument or a setting is wrong: nothing was sent, and repeating the call does not help. */
export class InvalidRequestError extends PaymentServiceError {
  override readonly name: string = 'InvalidRequestError';
}

/** A credential that API v2 would reject. It was not sent. */
export class RefusedKeyError extends PaymentServiceError {
  override readonly name: string = 'RefusedKeyError';
}

/** No response: refused, cut off or out of time. `cause` is the error of the last attempt. */
export class UnreachableError extends PaymentServiceError {
  override readonly name: string = 'UnreachableError';
  readonly operation: OperationName;
  /** False only when no connection was made; otherwise the service may have carried out the request. */
  readonly maybeExecuted: boolean;

  constructor(operation: OperationName, maybeExecuted: boolean, options: ErrorOptions) {
    const outcome = maybeExecuted ? 'it may have been executed' : 'it was not sent';
    const reason = reasonIn(options.cause);
    super(`${operation} got no response from the payment service; ${outcome}.${reason}`, options);
    this.operation = operation;
    this.maybeExecuted = maybeExecuted;
  }
}

/** The network's error code, such as ECONNREFUSED, in a sentence: the message of `fetch` never has it. */
function reasonIn(cause: unknown, depth = 0): string {
  if (!(cause instanceof Error) || depth > 5) return '';
  const { code } = cause as { readonly code?: unknown };
  if (typeof code === 'string') return ` Network error: ${code}.`;
  const isTimeUp = cause.name === 'TimeoutError';
  return reasonIn(cause.cause, depth + 1) || (isTimeUp ? ' The call took too long.' : '');
}

/** JSON that contradicts the API document. The message has its type, such as "a number", not its value. */
export class UnexpectedResponseError extends PaymentServiceError {
  override readonly name: string = 'UnexpectedResponseError';

  constructor(source: string, mismatch: Omit<Mismatch, 'field'>) {
    super(`In ${source} ${sentenceOf(mismatch)}.`);
  }
}

type FailedResponse = Pick<
  StatusError,
  'operation' | 'status' | 'serviceMessage' | 'errorCode' | 'retryAfterMilliseconds'
>;

/** A response with a status other than 2xx. */
export class StatusError extends PaymentServiceError {
  override readonly name: string = 'StatusError';
  readonly operation: OperationName;
  readonly status: number;
  /** The `message` of the body (section 7), when there is one. */
  readonly serviceMessage: string | undefined;
  /** The `error` of the body, such as `invalid_client` (RFC 6749, 5.2), when there is one. */
  readonly errorCode: string | undefined;
  readonly retryAfterMilliseconds: number | undefined;

  constructor(response: FailedResponse, advice = '') {
    const { operation, status, serviceMessage } = response;
    const text = serviceMessage === undefined ? 'without a message' : `"${serviceMessage}"`;
    super(`${operation} failed with status ${status}, ${text}.${advice}`);
    this.operation = operation;
    this.status = status;
    this.serviceMessage = serviceMessage;
    this.errorCode = response.errorCode;
    this.retryAfterMilliseconds = response.retryAfterMilliseconds;
  }
}

/** 401: the credential is missing, malformed, not a live key, or matches no account (section 7). */
export class UnauthenticatedError extends StatusError {
  override readonly name: string = 'UnauthenticatedError';
}

/** 403: authenticated but not permitted (section 7). */
export class ForbiddenError extends StatusError {
  override readonly name: string = 'ForbiddenError';

  constructor(response: FailedResponse, requiredScope = 'of the operation') {
    const token = `An OAuth token may lack the scope ${requiredScope}`;
    super(response, ` ${token}; the account may be inactive or its identity unverified.`);
  }
}
