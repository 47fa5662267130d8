import { GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrderTable } from '../../../lambdas/aws/order-table.ts';
import { variables } from '../../../lambdas/contract/environment.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { otherBuilds } from '../../cost-model/prices.ts';
import { baselineBill, totalOf } from '../cost.ts';
import { measureCpuTime } from '../cpu-time.ts';
import { runInstance } from '../instance.ts';
import { measureQueries } from '../query-time.ts';
import { type PipelineName, type Stack, startStack, takeBatches, webhookEvent } from '../stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const options = { orderId: 'order-1', seed: 'happy path' };
const paid = bytesOf(paidEvent(options));

/** Delivers a webhook through both functions, each in a new process. */
async function deliver(name: PipelineName, body: Uint8Array) {
  const { receive, record } = stack.functions[name];
  const received = await runInstance(receive, [webhookEvent(name, body)]);
  const recorded = await runInstance(record, await takeBatches(stack, name, 1));
  return [received, recorded].map(({ calls }) => calls[0]?.response);
}

/** The status of the order, and how many events there are. */
async function recordedBy(name: PipelineName) {
  const { [variables.eventsTableName]: events = '', [variables.ordersTableName]: orders = '' } =
    stack.functions.payhooks.record.environment;
  const TableName = name === 'payhooks' ? events : 'baseline-events';
  const { Items = [] } = await stack.dynamoDb.send(new ScanCommand({ TableName }));
  const count = Items.filter(({ record }) => record === undefined || record.S === 'event').length;
  if (name === 'payhooks') {
    const row = await createOrderTable({ client: stack.dynamoDb, name: orders }).get({
      mode: 'live',
      id: 'order-1',
    });
    return [row && foldOrder(row.facts).status, count];
  }
  const Key = { order_id: { S: 'order-1' } };
  const { Item } = await stack.dynamoDb.send(new GetItemCommand({ TableName: 'baseline-orders', Key }));
  return [Item?.['status']?.S, count];
}

describe.each(['payhooks', 'baseline'] as const)('the pipeline of %s', (name) => {
  it('records a payment, its refund and a duplicate, each through receiver, queue and consumer', async () => {
    const good = [expect.objectContaining({ statusCode: 202 }), { batchItemFailures: [] }];
    expect(await deliver(name, paid)).toEqual(good);
    expect(await recordedBy(name)).toEqual(['paid', 1]);
    expect(await deliver(name, bytesOf(refundedEvent(options)))).toEqual(good);
    expect(await deliver(name, paid)).toEqual(good);
    expect(await recordedBy(name)).toEqual(['refunded', 2]);
  });

  it('refuses a webhook with a signature of another body', async () => {
    const { calls } = await runInstance(stack.functions[name].receive, [
      webhookEvent(name, paid, '0'.repeat(64)),
    ]);
    expect(calls[0]?.response).toMatchObject({ statusCode: 403 });
  });

  it.each(['receive', 'record'] as const)('loads undici only in the baseline: %s', async (stage) => {
    const { loadsUndici } = await runInstance(stack.functions[name][stage], []);
    expect(loadsUndici).toBe(name === 'baseline');
  });
});

it('the verifier of payhooks reads its keys while it starts; when that fails, with the first webhook', async () => {
  const { receive } = stack.functions.payhooks;
  const calls = async (environment: Readonly<Record<string, string>>, ...events: object[]) => {
    const before = stack.calls.length;
    await runInstance({ ...receive, environment: { ...receive.environment, ...environment } }, events);
    return stack.calls.slice(before);
  };
  const webhook = webhookEvent('payhooks', paid);
  const [read, sent] = [{ secretReads: 1 }, { queueRequests: 1 }];
  // The private keys, and the keys of seals.
  expect(await calls({})).toEqual([read, read]);
  expect(await calls({}, webhook, webhook)).toEqual([read, read, sent, sent]);
  const failing = await calls({ [variables.keySecretArn]: 'no-such-secret' }, webhook);
  expect(failing).toEqual([read, read, read]);
});

// The limits are far from what `npm run benchmark` prints: a busy machine moves each figure by some percent.
it('starts and works with less CPU time than the baseline', async () => {
  const rows = await measureCpuTime(stack, 5, 10);
  const ratioOf = (title: string): number => rows.find((row) => row.title === title)?.ratio ?? Number.NaN;
  expect(ratioOf('verifier: first call')).toBeLessThan(0.4);
  expect(ratioOf('verifier: cold start, both')).toBeLessThan(0.75);
  expect(ratioOf('consumer: cold start, both')).toBeLessThan(0.85);
});

it('measures queries that return what is stored', async () => {
  const bodies = (await measureQueries(stack, 1)).map(({ response }) => JSON.parse((response as Body).body));
  const [none, page, , large] = bodies;
  expect([none.orders, page.orders.length, large.events.length]).toEqual([[], 50, 1_000]);
});
type Body = { readonly body: string };

it('costs in the baseline what docs/cost.md compares payhooks with', async () => {
  expect(totalOf(await baselineBill(stack))).toBeCloseTo(otherBuilds.baseline, 1);
});
