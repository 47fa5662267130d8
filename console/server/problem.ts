import { STATUS_CODES } from 'node:http';
import { ProblemError } from '@payhooks/order-client';
import { explainError } from '../../operator/explain-error.ts';
import type { CommandError } from '../../operator/operator-error.ts';
import type { ApiProblem } from '../contract.ts';

/** An error with the status and the sentence that the page shows. */
export class ConsoleProblem extends Error {
  override readonly name = 'ConsoleProblem';
  readonly status: number;

  /** After which the same request may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, detail: string, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(detail, options);
    this.status = status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

const statuses: Readonly<Record<CommandError['failure'], number>> = {
  wrongUsage: 400,
  refused: 403,
  failed: 500,
  unreachable: 503,
};

/** Any error as problem details. Credentials that AWS refuses are 403: 401 is for the console's own key. */
export function problemOf(error: unknown, env: NodeJS.ProcessEnv): ApiProblem {
  if (error instanceof ConsoleProblem) {
    const { status, message, retryAfterSeconds: seconds } = error;
    return { ...apiProblem(status, message), ...(seconds !== undefined && { retry_after_seconds: seconds }) };
  }
  // What an API responds needs no words of the command line, apart from the missing permission.
  if (error instanceof ProblemError && error.status !== 403) {
    return apiProblem(error.status, error.problem.detail);
  }
  const { failure, message } = explainError(error, env);
  return apiProblem(statuses[failure], message);
}

const apiProblem = (status: number, detail: string): ApiProblem => ({
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
});
