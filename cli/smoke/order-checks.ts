import { type OrderClient, OrderNotFoundError } from '../../client/index.ts';
import { CommandError } from '../command-error.ts';
import { reasonOf } from '../explain-error.ts';
import { sendMilliseconds } from '../limits.ts';
import { openOrderQuery } from '../order-query.ts';
import { deployCommandOf, outputOf } from '../target/stack.ts';
import { type Finding, failed, orderIsPaid, passed, skipped } from './check.ts';
import type { Checks } from './checks.ts';
import { type Deployment, isLocal, notInLocalMode, orderIdOf } from './deployment.ts';
import type { PaymentFlow } from './payment-flow.ts';

const steps = [
  [orderIsPaid, (flow: PaymentFlow) => flow.becomesPaid()],
  ['bytes are kept', (flow: PaymentFlow) => flow.bytesAreKept()],
  ['repeated delivery', (flow: PaymentFlow) => flow.staysTheSame()],
  ['refund', (flow: PaymentFlow) => flow.becomesRefunded()],
] as const;

/** Follows an accepted sandbox payment to its order, and to its refund; `undefined` when there is none. */
export async function checkOrders(
  checks: Checks,
  deployment: Deployment,
  flow: PaymentFlow | undefined,
): Promise<void> {
  let isThere = false;
  for (const [name, step] of steps) {
    const look = () => (flow === undefined ? skipped('no payment was accepted') : step(flow));
    const { outcome } = await checks.run(name, look);
    if (name === orderIsPaid) isThere = outcome === 'passed';
  }
  const orderId = orderIdOf(deployment, 'order');
  await checks.run('live orders apart', () =>
    isThere ? liveFinding(openOrderQuery(deployment.stack), orderId) : skipped('there is no sandbox order'),
  );
  await checks.run('unsigned query', () =>
    isLocal(deployment) ? skipped(notInLocalMode('IAM')) : unsignedFinding(deployment, orderId),
  );
}

async function liveFinding(orders: OrderClient, orderId: string): Promise<Finding> {
  try {
    await orders.order(orderId, { mode: 'live' });
  } catch (error) {
    if (error instanceof OrderNotFoundError) return passed('the live mode does not know the sandbox order');
    throw error;
  }
  return failed('the live mode tells the sandbox order too', 'docs/architecture.md (live and sandbox)');
}

async function unsignedFinding({ stack }: Deployment, orderId: string): Promise<Finding> {
  const url = `${outputOf(stack, 'OrderQueryUrl')}/orders/${orderId}?mode=sandbox`;
  const signal = AbortSignal.timeout(sendMilliseconds);
  const { status } = await fetch(url, { redirect: 'manual', signal }).catch((cause: unknown) => {
    throw new CommandError('unreachable', `${url} gave no answer: ${reasonOf(cause)}.`, { cause });
  });
  if (status === 403) return passed('an unsigned request is answered 403');
  return failed(
    `an unsigned request is answered ${status}, expected 403: orders are open to whoever asks`,
    `${deployCommandOf(stack)}; docs/security.md`,
  );
}
