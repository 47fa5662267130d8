import {
  createOperationsClient,
  type OperationsClient,
  OrderClientError,
  ProblemError,
} from '@payhooks/order-client';
import type { CommandError } from './operator-error.ts';
import { explainClientError } from './order-query.ts';
import { outputOf, type Stack } from './stack/stack.ts';

/** The errors of this API, with the method that got them: those of the order query have the same classes. */
const own = new WeakMap<object, string>();

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
        if (error instanceof OrderClientError) own.set(error, name);
        throw error;
      }),
  ]);
  return Object.fromEntries(methods);
}

type Method = (...given: unknown[]) => Promise<unknown>;

/** What an error of the operations API means to the operator; `undefined` for other errors. */
export function explainOperationsError(error: unknown): CommandError | undefined {
  const method = error instanceof OrderClientError ? own.get(error) : undefined;
  if (!(error instanceof OrderClientError) || method === undefined) return undefined;
  const message =
    error instanceof ProblemError ? explainProblem(error) : `The operations API: ${error.message}`;
  const of = acts.includes(method) ? `POST /operations/${method} of ` : '';
  return explainClientError(error, { message, invoked: `${of}the output OperationsInvokeArn` });
}

/** The methods that are named after their route. */
const acts = ['admit', 'dismiss', 'resolve', 'replay', 'verify', 'erase'];

/** The options that hold the fields of a request. */
const options: Readonly<Record<string, string>> = {
  order_id: '--order ORDER_ID',
  body_sha256: '--body-sha256 HASH',
  reason: '--reason TEXT',
};

/** What the state forbids, or the operator left out, is no fault of the API: the detail names what to do. */
function explainProblem({ problem, status, message }: ProblemError): string {
  if (status === 404) {
    const isLive = /^No live /.test(problem.detail);
    return isLive ? `${problem.detail} For a sandbox one add --sandbox.` : problem.detail;
  }
  const option = 'parameter' in problem ? options[problem.parameter ?? ''] : undefined;
  if (status === 400 && option !== undefined) return `${problem.detail} To give it: ${option}`;
  return status === 409 ? problem.detail : `The operations API: ${message}`;
}
