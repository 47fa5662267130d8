import { STATUS_CODES } from 'node:http';
import { ProblemError } from '@payhooks/order-client';
import { explainError } from '../../operator/explain-error.ts';
import type { CommandError } from '../../operator/operator-error.ts';
import type { ApiProblem } from '../contract.ts';

/** An error with the status and the sentence that the page shows. */
export class ConsoleProblem extends Error {
  override readonly name = 'ConsoleProblem';
  readonly status: number;

  constructor(status: number, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.status = status;
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
  if (error instanceof ConsoleProblem) return apiProblem(error.status, error.message);
  const { failure, message } = explainError(error, env);
  return apiProblem(error instanceof ProblemError ? error.status : statuses[failure], message);
}

export const apiProblem = (status: number, detail: string): ApiProblem => ({
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
});
