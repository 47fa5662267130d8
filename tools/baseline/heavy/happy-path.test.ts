import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variables } from '../../../lambdas/contract/environment.ts';
import { runInstance } from '../instance.ts';
import { deliver, statusOf, webhookEvent } from '../pipelines.ts';
import { type Stack, startStack } from '../stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const options = { orderId: 'order-1', seed: 'happy path' };
const paid = bytesOf(paidEvent(options));
const refunded = bytesOf(refundedEvent(options));

async function eventRows(name: 'payhooks' | 'baseline'): Promise<number> {
  const TableName = name === 'payhooks' ? 'events' : 'baseline-events';
  const { Items = [] } = await stack.dynamoDb.send(new ScanCommand({ TableName }));
  return Items.filter(({ record }) => record === undefined || record.S === 'event').length;
}

describe.each(['payhooks', 'baseline'] as const)('the pipeline of %s', (name) => {
  it('records a payment, its refund and a duplicate, each through receiver, queue and consumer', async () => {
    const first = await deliver(stack, name, paid);
    expect(first.receive.calls[0]?.response).toMatchObject({ statusCode: 202 });
    expect(first.record.calls[0]?.response).toEqual({ batchItemFailures: [] });
    expect(await statusOf(stack, name, 'order-1')).toBe('paid');

    await deliver(stack, name, refunded);
    expect(await statusOf(stack, name, 'order-1')).toBe('refunded');

    const again = await deliver(stack, name, paid);
    expect(again.record.calls[0]?.response).toEqual({ batchItemFailures: [] });
    expect(await statusOf(stack, name, 'order-1')).toBe('refunded');
    expect(await eventRows(name)).toBe(2);
  });

  it('refuses a webhook with a signature of another body', async () => {
    const forged = webhookEvent(name, paid, '0'.repeat(64));
    const { calls } = await runInstance(stack.functions[name].receive, [forged]);
    expect(calls[0]?.response).toMatchObject({ statusCode: 403 });
  });
});

const operationsSince = (count: number): string[] =>
  stack.calls.slice(count).map(({ operation }) => operation);

describe('the verifier of payhooks', () => {
  const forThisStack = webhookEvent('payhooks', paid);

  it('reads its keys while it starts, and the first webhook reads nothing', async () => {
    const before = stack.calls.length;
    await runInstance(stack.functions.payhooks.receive, []);
    expect(operationsSince(before)).toEqual(['GetSecretValue']);
    await runInstance(stack.functions.payhooks.receive, [forThisStack, forThisStack]);
    expect(operationsSince(before + 1)).toEqual(['GetSecretValue', 'SendMessage', 'SendMessage']);
  });

  it('starts without its keys, and reads them with the first webhook', async () => {
    const { file, environment } = stack.functions.payhooks.receive;
    const code = { file, environment: { ...environment, [variables.keySecretArn]: 'no-such-secret' } };
    const before = stack.calls.length;
    const { calls } = await runInstance(code, [forThisStack]);
    expect(calls[0]?.response).toMatchObject({ statusCode: 503 });
    expect(operationsSince(before)).toEqual(['GetSecretValue', 'GetSecretValue']);
  });
});
