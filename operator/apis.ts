import {
  CredentialsError,
  createOperationsClient,
  createOrderClient,
  InvalidRequestError,
  NoResponseError,
  type OperationsClient,
  type OrderClient,
  OrderClientError,
  ProblemError,
} from '@payhooks/order-client';
import { explainAwsError } from './aws/errors.ts';
import { CommandError } from './operator-error.ts';
import { outputOf, type Stack } from './stack/stack.ts';

/** Requests are signed with the operator's AWS credentials; local mode needs none. */
const connectionTo = (stack: Stack, output: string) =>
  stack.localUrl === undefined
    ? { baseUrl: outputOf(stack, output), region: stack.region }
    : { baseUrl: stack.localUrl, credentials: false as const };

export const openOrderQuery = (stack: Stack): OrderClient =>
  createOrderClient(connectionTo(stack, 'OrderQueryUrl'));

/** The errors of the operations API, with the method that got them: both APIs have the same classes. */
const own = new WeakMap<object, string>();

export function openOperations(stack: Stack): OperationsClient {
  const client = createOperationsClient(connectionTo(stack, 'OperationsUrl'));
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

/** What an error of either API means to the operator; `undefined` for other errors. */
export function explainApiError(error: unknown): CommandError | undefined {
  if (!(error instanceof OrderClientError)) return undefined;
  const method = own.get(error);
  const api = method === undefined ? 'The order query' : 'The operations API';
  const message = error instanceof ProblemError ? explainProblem(error, api) : `${api}: ${error.message}`;
  if (method === undefined) return explained(error, message, 'the output OrderQueryInvokeArn');
  const of = acts.includes(method) ? `POST /operations/${method} of ` : '';
  return explained(error, message, `${of}the output OperationsInvokeArn`);
}

/** `invoked` is the resource of `execute-api:Invoke`. */
function explained(error: OrderClientError, message: string, invoked: string): CommandError {
  if (error instanceof InvalidRequestError) return new CommandError('wrongUsage', message);
  if (error instanceof NoResponseError) return new CommandError('unreachable', message);
  if (error instanceof CredentialsError) {
    return explainAwsError(error.cause) ?? new CommandError('refused', message);
  }
  if (error instanceof ProblemError && error.status === 403) {
    const needed = `It needs execute-api:Invoke on ${invoked}.`;
    return new CommandError('refused', `${message.replace(/\.?$/, '.')} ${needed}`);
  }
  return new CommandError('failed', message);
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
function explainProblem({ problem, status, message }: ProblemError, api: string): string {
  if (status === 404) {
    const isLive = /^No live /.test(problem.detail);
    return isLive ? `${problem.detail} For a sandbox one add --sandbox.` : problem.detail;
  }
  const option = 'parameter' in problem ? options[problem.parameter ?? ''] : undefined;
  if (status === 400 && option !== undefined) return `${problem.detail} To give it: ${option}`;
  return status === 409 ? problem.detail : `${api}: ${message}`;
}
