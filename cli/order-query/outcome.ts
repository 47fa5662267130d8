import {
  CredentialsError,
  InvalidRequestError,
  NoResponseError,
  OrderClientError,
  ProblemError,
} from '@payhooks/order-client';
import type { Outcome } from '../outcome.ts';

/** What an error of the order query means; `undefined` for other errors. */
export function orderQueryOutcomeOf(error: unknown): Outcome | undefined {
  if (!(error instanceof OrderClientError)) return undefined;
  const says = `The order query: ${error.message}`;
  if (error instanceof InvalidRequestError) return { exitCode: 2, says };
  if (error instanceof NoResponseError) return { exitCode: 4, says };
  if (error instanceof CredentialsError) return { exitCode: 3, says };
  if (error instanceof ProblemError && error.status === 403) {
    const needed = 'It needs execute-api:Invoke on the output OrderQueryInvokeArn.';
    return { exitCode: 3, says: `${says} ${needed}` };
  }
  return { exitCode: 1, says };
}
