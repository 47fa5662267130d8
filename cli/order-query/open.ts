import { createOrderClient, type OrderClient } from '@payhooks/order-client';
import { outputOf, type Stack } from '../target/stack.ts';

/** The order query: signed by the operator's AWS credentials; in local mode it asks for none. */
export function openOrderQuery(stack: Stack): OrderClient {
  return stack.localUrl === undefined
    ? createOrderClient({ baseUrl: outputOf(stack, 'OrderQueryUrl'), region: stack.region })
    : createOrderClient({ baseUrl: stack.localUrl, credentials: false });
}
