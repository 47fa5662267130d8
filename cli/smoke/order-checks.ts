import { type OrderClient, OrderNotFoundError } from '../../client/index.ts';
import { sendMilliseconds } from '../limits.ts';
import { openOrderQuery } from '../order-query/open.ts';
import { CommandError, reasonOf } from '../outcome.ts';
import { deployCommandOf, outputOf } from '../target/stack.ts';
import { type CheckResult, failed, orderIsPaid, passed, skipped } from './check-result.ts';
import type { CheckRunner } from './check-runner.ts';
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
  runner: CheckRunner,
  deployment: Deployment,
  flow: PaymentFlow | undefined,
): Promise<void> {
  let isThere = false;
  for (const [name, step] of steps) {
    const look = () => (flow === undefined ? skipped('no payment was accepted') : step(flow));
    const { status } = await runner.run(name, look);
    if (name === orderIsPaid) isThere = status === 'passed';
  }
  const orderId = orderIdOf(deployment, 'order');
  await runner.run('live orders apart', () =>
    isThere ? liveResult(openOrderQuery(deployment.stack), orderId) : skipped('there is no sandbox order'),
  );
  await runner.run('unsigned query', () =>
    isLocal(deployment) ? skipped(notInLocalMode('IAM')) : unsignedResult(deployment, orderId),
  );
}

async function liveResult(orders: OrderClient, orderId: string): Promise<CheckResult> {
  try {
    await orders.order(orderId, { mode: 'live' });
  } catch (error) {
    if (error instanceof OrderNotFoundError) return passed('the live mode does not know the sandbox order');
    throw error;
  }
  return failed('the live mode tells the sandbox order too', 'docs/architecture.md (live and sandbox)');
}

async function unsignedResult({ stack }: Deployment, orderId: string): Promise<CheckResult> {
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
