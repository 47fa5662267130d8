import { type OrderClient, OrderNotFoundError } from '@payhooks/order-client';
import { type CheckResult, failed, passed, skipped } from '../../operator/check-result.ts';
import { reasonOf } from '../../operator/explain-error.ts';
import { sendMilliseconds } from '../../operator/limits.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { openOrderQuery } from '../../operator/order-query.ts';
import { deployCommandOf, outputOf } from '../../operator/stack/stack.ts';
import type { CheckRunner } from './check-runner.ts';
import { type Deployment, isLocal, notInLocalMode, orderIdOf } from './deployment.ts';
import type { PaymentFlow } from './payment-flow.ts';
import { orderIsPaid } from './report.ts';

/** Follows an accepted sandbox payment to its order and its refund. `flow` is `undefined` without one. */
export async function checkOrders(
  runner: CheckRunner,
  deployment: Deployment,
  flow: PaymentFlow | undefined,
): Promise<void> {
  const run = (name: string, step: (flow: PaymentFlow) => Promise<CheckResult>) =>
    runner.run(name, () => (flow === undefined ? skipped('no payment was accepted') : step(flow)));
  const { status } = await run(orderIsPaid, (accepted) => accepted.becomesPaid());
  await run('bytes are kept', (accepted) => accepted.bytesAreKept());
  await run('repeated delivery', (accepted) => accepted.staysTheSame());
  await run('refund', (accepted) => accepted.becomesRefunded());
  const orderId = orderIdOf(deployment, 'order');
  await runner.run('live mode untouched', () =>
    status === 'passed'
      ? liveResult(openOrderQuery(deployment.stack), orderId)
      : skipped('there is no sandbox order'),
  );
  await runner.run('unsigned query', () =>
    isLocal(deployment) ? skipped(notInLocalMode('IAM')) : unsignedResult(deployment, orderId),
  );
}

async function liveResult(orders: OrderClient, orderId: string): Promise<CheckResult> {
  try {
    await orders.order(orderId, { mode: 'live' });
  } catch (error) {
    if (error instanceof OrderNotFoundError) return passed('the live mode does not have the sandbox order');
    throw error;
  }
  return failed('the live mode has the sandbox order too', 'docs/architecture.md (live and sandbox)');
}

async function unsignedResult({ stack }: Deployment, orderId: string): Promise<CheckResult> {
  const url = `${outputOf(stack, 'OrderQueryUrl')}/orders/${orderId}?mode=sandbox`;
  const signal = AbortSignal.timeout(sendMilliseconds);
  const { status } = await fetch(url, { redirect: 'manual', signal }).catch((cause: unknown) => {
    throw new CommandError('unreachable', `${url} did not respond: ${reasonOf(cause)}.`, { cause });
  });
  if (status === 403) return passed('an unsigned request gets a 403');
  return failed(
    `an unsigned request gets a ${status}, expected 403: anyone can read orders`,
    `${deployCommandOf(stack)}; docs/threat-model.md`,
  );
}
