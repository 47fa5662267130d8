import type { ParameterProblem, Problem } from './openapi-types.ts';

/** Whatever this client throws on its own account; an abort throws the signal's reason. */
export class OrderClientError extends Error {
  override readonly name: string = 'OrderClientError';
}

/** The call cannot be made, and no repetition will change that: an id, an address or a setting is wrong. */
export class UnaskableError extends OrderClientError {
  override readonly name: string = 'UnaskableError';
}

/** The AWS SDK, or the caller's own provider, gave no credentials; `cause` says why. */
export class CredentialsError extends OrderClientError {
  override readonly name: string = 'CredentialsError';
}

/** No answer in any attempt: refused, cut off or out of time. `cause` is what the last attempt met. */
export class NoAnswerError extends OrderClientError {
  override readonly name: string = 'NoAnswerError';
}

/** An answer of success that is not the order query's: most often the address is another service's. */
export class ForeignAnswerError extends OrderClientError {
  override readonly name: string = 'ForeignAnswerError';
}

/** An answer that is an error. Where API Gateway answered, the problem is made from its message. */
export class ProblemError extends OrderClientError {
  override readonly name: string = 'ProblemError';
  readonly problem: Problem | ParameterProblem;
  /** What the answer asked to wait, when it did. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(problem: Problem | ParameterProblem, retryAfterMilliseconds?: number) {
    super(`${problem.status} ${problem.title}: ${problem.detail}`);
    this.problem = problem;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** payhooks itself says that no event has named this order so far. */
export class OrderNotFoundError extends ProblemError {
  override readonly name: string = 'OrderNotFoundError';
}

/** payhooks itself says that nothing was received under this event id, or that its row has expired. */
export class EventNotFoundError extends ProblemError {
  override readonly name: string = 'EventNotFoundError';
}
