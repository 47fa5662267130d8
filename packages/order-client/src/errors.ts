import type {
  ConflictProblem,
  OrderAct,
  OrderNotFoundProblem,
  ParameterProblem,
  Problem,
  WaitingEvent,
} from './openapi-types.ts';

/** The base of every error of this client. An aborted call rejects with the reason of its signal instead. */
export class OrderClientError extends Error {
  override readonly name: string = 'OrderClientError';
}

/** The request cannot be sent, and repeating it will not help: an id, a URL or a setting is wrong. */
export class InvalidRequestError extends OrderClientError {
  override readonly name: string = 'InvalidRequestError';
}

/** The AWS SDK or your credential provider returned no credentials; see `cause`. */
export class CredentialsError extends OrderClientError {
  override readonly name: string = 'CredentialsError';
}

/** No attempt got a response: refused, cut off or timed out. `cause` is the error of the last attempt. */
export class NoResponseError extends OrderClientError {
  override readonly name: string = 'NoResponseError';
}

/** A successful response that is not the order query's: usually the baseUrl belongs to another service. */
export class UnexpectedResponseError extends OrderClientError {
  override readonly name: string = 'UnexpectedResponseError';
}

/** What `parseOrderChange` got is not an event of the order feed, or lacks fields. */
export class UnexpectedEventError extends OrderClientError {
  override readonly name: string = 'UnexpectedEventError';
}

/** An error response. Where API Gateway sent it, the problem is built from its message. */
export class ProblemError extends OrderClientError {
  override readonly name: string = 'ProblemError';
  readonly problem: Problem | ParameterProblem | OrderNotFoundProblem | ConflictProblem;
  /** From the Retry-After header. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(problem: ProblemError['problem'], retryAfterMilliseconds?: number) {
    super(`${problem.status} ${problem.title}: ${problem.detail}`);
    this.problem = problem;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** payhooks itself responded that no event counts in this order so far. */
export class OrderNotFoundError extends ProblemError {
  override readonly name: string = 'OrderNotFoundError';
  declare readonly problem: OrderNotFoundProblem;

  /** The events that name the order and wait for a person. */
  get waiting(): readonly WaitingEvent[] {
    return this.problem.waiting;
  }

  /** What operators did with events that named the order. */
  get acts(): readonly OrderAct[] {
    return this.problem.acts;
  }
}

/** payhooks itself responded that nothing was received under this event id. */
export class EventNotFoundError extends ProblemError {
  override readonly name: string = 'EventNotFoundError';
}

/** payhooks itself responded that it knows neither an order of this transaction nor an event without one. */
export class TransactionNotFoundError extends ProblemError {
  override readonly name: string = 'TransactionNotFoundError';
}

/** The state forbids the act; the message names it and what to do. Only the operations API responds so. */
export class ConflictError extends ProblemError {
  override readonly name: string = 'ConflictError';

  /** After which the same request may succeed, because its subject is changing now; otherwise `undefined`. */
  get retryAfterSeconds(): number | undefined {
    return 'retry_after_seconds' in this.problem ? this.problem.retry_after_seconds : undefined;
  }
}
