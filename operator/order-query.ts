import {
  CredentialsError,
  createOrderClient,
  InvalidRequestError,
  NoResponseError,
  type OrderClient,
  OrderClientError,
  ProblemError,
} from '@payhooks/order-client';
import { explainAwsError } from './aws/errors.ts';
import { CommandError } from './operator-error.ts';
import { outputOf, type Stack } from './stack/stack.ts';

/** Requests are signed with the operator's AWS credentials; local mode needs none. */
export function openOrderQuery(stack: Stack): OrderClient {
  return stack.localUrl === undefined
    ? createOrderClient({ baseUrl: outputOf(stack, 'OrderQueryUrl'), region: stack.region })
    : createOrderClient({ baseUrl: stack.localUrl, credentials: false });
}

/** What an error of the order query means to the operator; `undefined` for other errors. */
export function explainOrderQueryError(error: unknown): CommandError | undefined {
  if (!(error instanceof OrderClientError)) return undefined;
  const message = `The order query: ${error.message}`;
  return explainClientError(error, { message, invoked: 'the output OrderQueryInvokeArn' });
}

interface Explanation {
  readonly message: string;
  /** The resource of `execute-api:Invoke`, such as `the output OrderQueryInvokeArn`. */
  readonly invoked: string;
}

/** For both APIs of a stack. */
export function explainClientError(error: OrderClientError, { message, invoked }: Explanation): CommandError {
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
