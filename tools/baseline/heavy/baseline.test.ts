import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrderTable } from '../../../lambdas/aws/order-table.ts';
import { variables } from '../../../lambdas/contract/environment.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { webhookEvent } from '../../cost-model/production.ts';
import { runInstance } from '../instance.ts';
import { measureQueries } from '../query-time.ts';
import { otherBuilds, type PipelineName, type Stack, startStack, takeBatches } from '../stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

/** Handles the next message of a pipeline's queue, in a new process. */
async function record(name: PipelineName) {
  const batches = await takeBatches(stack, name, { messages: 1 });
  const { calls } = await runInstance(stack.functions[name].record, batches);
  return calls[0]?.response;
}

/** Delivers a webhook through both functions. */
async function deliver(name: PipelineName, body: Uint8Array) {
  const { calls } = await runInstance(stack.functions[name].receive, [webhookEvent(body)]);
  return [calls[0]?.response, await record(name)];
}

/** The status of an order. */
async function statusIn(name: PipelineName, id: string): Promise<string | undefined> {
  if (name === 'payhooks') {
    const table = stack.functions.payhooks.record.environment[variables.ordersTableName] ?? '';
    const row = await createOrderTable({ client: stack.dynamoDb, name: table }).get({ mode: 'live', id });
    return row && foldOrder(row.facts).status;
  }
  const { Items = [] } = await stack.dynamoDb.send(new ScanCommand({ TableName: `${name}-orders` }));
  return Items.find(({ order_id }) => order_id?.S === id)?.['order_status']?.S;
}

const good = [expect.objectContaining({ statusCode: 202 }), { batchItemFailures: [] }];
const failed = { batchItemFailures: [expect.anything()] };

describe.each(['payhooks', ...otherBuilds] as const)('the pipeline %s', (name) => {
  it('records a payment, its refund and a duplicate, each through receiver, queue and consumer', async () => {
    const options = { orderId: `${name} in order`, seed: `${name} in order` };
    const paid = bytesOf(paidEvent(options));
    expect(await deliver(name, paid)).toEqual(good);
    expect(await statusIn(name, options.orderId)).toBe('paid');
    expect(await deliver(name, bytesOf(refundedEvent(options)))).toEqual(good);
    expect(await deliver(name, paid)).toEqual(good);
    expect(await statusIn(name, options.orderId)).toBe('refunded');
  });

  it('refuses a webhook with a signature of another body', async () => {
    const forged = webhookEvent(bytesOf(paidEvent({ orderId: 'forged' })), '0'.repeat(64));
    const { calls } = await runInstance(stack.functions[name].receive, [forged]);
    expect(calls[0]?.response).toMatchObject({ statusCode: 403 });
  });

  it.each(['receive', 'record'] as const)('loads undici only in the usual build: %s', async (stage) => {
    const { loadsUndici } = await runInstance(stack.functions[name][stage], []);
    expect(loadsUndici).toBe(name === 'usual');
  });

  // What docs/cost.md says that the other builds do not guarantee.
  const isOurs = name === 'payhooks';

  it('ends in the right state after events out of order, if it is payhooks', async () => {
    const options = { orderId: `${name} late`, seed: `${name} late` };
    await deliver(name, bytesOf(refundedEvent(options)));
    await deliver(name, bytesOf(paidEvent(options)));
    expect(await statusIn(name, options.orderId)).toBe(isOurs ? 'refunded' : 'paid');
  });

  it('finishes after a failure between its two writes, if it is payhooks', async () => {
    const options = { orderId: `${name} halfway`, seed: `${name} halfway` };
    const { receive, record: code } = stack.functions[name];
    await runInstance(receive, [webhookEvent(bytesOf(paidEvent(options)))]);
    const batches = await takeBatches(stack, name, { messages: 1 });
    const environment = { ...code.environment, [variables.ordersTableName]: 'no-such-table' };
    const { calls } = await runInstance({ ...code, environment }, batches);
    expect(calls[0]?.response).toEqual(failed);
    const again = await runInstance(code, batches);
    expect(again.calls[0]?.response).toEqual(good[1]);
    expect(await statusIn(name, options.orderId)).toBe(isOurs ? 'paid' : undefined);
  });

  it('applies a refund without an order id, if it is payhooks', async () => {
    const seed = `${name} orderless`;
    await deliver(name, bytesOf(paidEvent({ orderId: seed, seed })));
    const [, recorded] = await deliver(name, bytesOf(refundedEvent({ orderId: '', seed })));
    expect(recorded).toEqual(isOurs ? good[1] : failed);
    expect(await statusIn(name, seed)).toBe(isOurs ? 'refunded' : 'paid');
  });

  it('believes a message that it did not put into its queue, unless it is payhooks', async () => {
    const orderId = `${name} injected`;
    const MessageBody = JSON.stringify(paidEvent({ orderId }));
    await stack.sqs.send(new SendMessageCommand({ QueueUrl: stack.queueUrls[name], MessageBody }));
    await record(name);
    expect(await statusIn(name, orderId)).toBe(isOurs ? undefined : 'paid');
  });
});

it('the verifier of payhooks reads its keys while it starts; when that fails, with the first webhook', async () => {
  const { receive } = stack.functions.payhooks;
  const calls = async (environment: Readonly<Record<string, string>>, ...events: object[]) => {
    const before = stack.calls.length;
    await runInstance({ ...receive, environment: { ...receive.environment, ...environment } }, events);
    return stack.calls.slice(before);
  };
  const webhook = webhookEvent(bytesOf(paidEvent({ orderId: 'started' })));
  const [read, sent] = [{ secretReads: 1 }, { queueRequests: 1 }];
  // The private keys, and the keys of seals.
  expect(await calls({})).toEqual([read, read]);
  expect(await calls({}, webhook, webhook)).toEqual([read, read, sent, sent]);
  const failing = await calls({ [variables.keySecretArn]: 'no-such-secret' }, webhook);
  expect(failing).toEqual([read, read, read]);
});

it('measures queries that return what is stored', async () => {
  const bodies = (await measureQueries(stack, 1)).map(({ response }) => JSON.parse((response as Body).body));
  const [none, page, , large] = bodies;
  expect([none.orders, page.orders.length, large.events.length]).toEqual([[], 50, 1_000]);
});
type Body = { readonly body: string };
