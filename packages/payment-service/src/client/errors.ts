import type { OperationName } from './operations.ts';

/**
 * Whatever this client throws on its own account; an abort throws the signal's reason. No message, property
 * or cause of these holds a key, a token or a client secret.
 */
export class PaymentServiceError extends Error {
  override readonly name: string = 'PaymentServiceError';
}

/** The call cannot be made, and no repetition will change that: an argument or a setting is wrong. */
export class UnaskableError extends PaymentServiceError {
  override readonly name: string = 'UnaskableError';
}

export type RefusedKeyReason = 'sandbox_key' | 'not_a_private_key' | 'not_an_access_token';

/** A credential that API v2 would reject, refused before it was sent anywhere. */
export class RefusedKeyError extends PaymentServiceError {
  override readonly name: string = 'RefusedKeyError';
  readonly reason: RefusedKeyReason;

  constructor(reason: RefusedKeyReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** No answer: refused, cut off or out of time. `cause` is what the last attempt met. */
export class UnreachableError extends PaymentServiceError {
  override readonly name: string = 'UnreachableError';
  readonly operation: OperationName;
  /** False only when no connection came about; otherwise the service may have done what it was asked. */
  readonly maybeExecuted: boolean;

  constructor(operation: OperationName, maybeExecuted: boolean, options: ErrorOptions) {
    const outcome = maybeExecuted ? 'it may have been executed' : 'it was not sent';
    super(`${operation} got no answer from the payment service; ${outcome}.`, options);
    this.operation = operation;
    this.maybeExecuted = maybeExecuted;
  }
}

interface Mismatch {
  /** Whose JSON it is, as "the answer of listWebhooks". */
  readonly source: string;
  /** Where in it, as "$.data[0].id". */
  readonly path: string;
  readonly expected: string;
  /** A kind such as "a number", never the value: it may be a secret in the wrong place. */
  readonly found: string;
}

/** JSON that is not what the API document says: a success that cannot be read, or that contradicts itself. */
export class UnexpectedAnswerError extends PaymentServiceError {
  override readonly name: string = 'UnexpectedAnswerError';
  readonly path: string;
  readonly expected: string;
  readonly found: string;

  constructor({ source, path, expected, found }: Mismatch) {
    super(`In ${source} ${path} is ${found}; expected ${expected}.`);
    this.path = path;
    this.expected = expected;
    this.found = found;
  }
}

export interface StatusAnswer {
  readonly operation: OperationName;
  readonly status: number;
  /** The `message` of the body (section 7), when there is one. */
  readonly serviceMessage: string | undefined;
  /** What the answer asked to wait, when it did. */
  readonly retryAfterMilliseconds: number | undefined;
}

/** An answer that is no success. Those that the document names have classes of their own. */
export class StatusError extends PaymentServiceError {
  override readonly name: string = 'StatusError';
  readonly operation: OperationName;
  readonly status: number;
  readonly serviceMessage: string | undefined;
  readonly retryAfterMilliseconds: number | undefined;

  constructor(answer: StatusAnswer, advice = '') {
    const told = answer.serviceMessage === undefined ? 'without a message' : `"${answer.serviceMessage}"`;
    super(`${answer.operation} was answered ${answer.status}, ${told}.${advice}`);
    this.operation = answer.operation;
    this.status = answer.status;
    this.serviceMessage = answer.serviceMessage;
    this.retryAfterMilliseconds = answer.retryAfterMilliseconds;
  }
}

/** 401: the credential is missing, malformed, not a live key, or matches no account (section 7). */
export class UnauthenticatedError extends StatusError {
  override readonly name: string = 'UnauthenticatedError';
}

/** 403: authenticated but not permitted (section 7). */
export class ForbiddenError extends StatusError {
  override readonly name: string = 'ForbiddenError';
  /** The OAuth scope of the operation; the document shows one for listWebhooks only. */
  readonly requiredScope: string | undefined;

  constructor(answer: StatusAnswer, requiredScope: string | undefined) {
    const scope = requiredScope === undefined ? 'a scope' : `the scope ${requiredScope}`;
    super(
      answer,
      ` An OAuth token may lack ${scope}; the account may be inactive or its identity unverified.`,
    );
    this.requiredScope = requiredScope;
  }
}

/** The tokens could not be read, or new ones not be kept; those are then not used either. */
export class TokenStoreError extends PaymentServiceError {
  override readonly name: string = 'TokenStoreError';
}
