import {
  ConflictError,
  createOperationsClient,
  type OperationsClient,
  OrderClientError,
} from '@payhooks/order-client';
import type { CommandError } from './command-error.ts';
import { explainClientError } from './order-query.ts';
import { outputOf, type Stack } from './target/stack.ts';

/** The errors of this API: those of the order query have the same classes. */
const own = new WeakSet<object>();

/** Requests are signed with the operator's AWS credentials; local mode needs none. */
export function openOperations(stack: Stack): OperationsClient {
  const client =
    stack.localUrl === undefined
      ? createOperationsClient({ baseUrl: outputOf(stack, 'OperationsUrl'), region: stack.region })
      : createOperationsClient({ baseUrl: stack.localUrl, credentials: false });
  const methods = Object.entries(client).map(([name, method]: [string, Method]) => [
    name,
    async (...given: unknown[]) =>
      method(...given).catch((error: unknown) => {
        if (error instanceof OrderClientError) own.add(error);
        throw error;
      }),
  ]);
  return Object.fromEntries(methods);
}

type Method = (...given: unknown[]) => Promise<unknown>;

/** What an error of the operations API means to the operator; `undefined` for other errors. */
export function explainOperationsError(error: unknown): CommandError | undefined {
  if (!(error instanceof OrderClientError) || !own.has(error)) return undefined;
  // What the state forbids is no fault of the API: the detail names it and what to do.
  const message =
    error instanceof ConflictError ? error.problem.detail : `The operations API: ${error.message}`;
  return explainClientError(error, { message, invokeOutput: 'OperationsInvokeArn' });
}
