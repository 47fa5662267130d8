import { createHash } from 'node:crypto';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { expect, it } from 'vitest';
import { eventually } from '../acceptance/pipeline.ts';
import { paid } from '../doubles/facts.ts';
import { gatewayEvent } from '../doubles/gateway-event.ts';
import { sqsEvent } from '../doubles/sqs-event.ts';
import { streamRecord } from '../doubles/stream-event.ts';
import { createUser, type Identity, invoke, observeBus } from './aws-calls.ts';
import { clientOptions, physicalId } from './deployment.ts';
import type { Target } from './target.ts';

/** What a user tries who has nothing but `lambda:InvokeFunction`. */
export function proveForgeries(target: () => Target): void {
  let user: Identity | undefined;
  async function invokeAsUser(stage: string, event: object): Promise<unknown> {
    const { ministack } = target();
    user ??= await createUser(ministack, 'invoker', '*', 'lambda:InvokeFunction');
    return invoke(ministack, await physicalId(ministack, `${stage}FunctionLambda`), event, user);
  }

  async function expectMetric(logGroup: string): Promise<void> {
    const { ministack, outputs } = target();
    const logs = new CloudWatchLogsClient(clientOptions(ministack));
    const only = { logGroupName: outputs[logGroup], filterPattern: 'ForgeriesFound' };
    const search = new FilterLogEventsCommand(only);
    const lines = async () => ((await logs.send(search)).events ?? []).map(({ message = '' }) => message);
    const isMetric = (line: string) => line.includes('"ForgeriesFound":1');
    const found = await eventually(lines, (all) => all.some(isMetric));
    logs.destroy();
    expect(found.filter(isMetric)).toHaveLength(1);
  }

  it('with lambda:InvokeFunction alone, nobody makes up a payment, and its bytes from the verifier count', async () => {
    const { pipeline } = target();
    const body = bytesOf(paidEvent({ orderId: 'made-up', transactionId: 'txn-made-up' }));
    // Its seal is one of another stack.
    expect(await invokeAsUser('Consumer', sqsEvent({ body }))).toEqual({ batchItemFailures: [] });
    const hash = createHash('sha256').update(body).digest('hex');
    const waits = await eventually(
      () => pipeline.waiting('unsealed'),
      (keys) => keys.length > 0,
    );
    expect(waits).toEqual([`live:body:${hash}`]);
    expect(await pipeline.rowsOfEvents(`live:event:${JSON.parse(String(body)).id}`)).toEqual([]);
    expect(await pipeline.post(body)).toMatchObject({ status: 202 });
    await pipeline.order('made-up', ({ status, sequence }) => status === 'paid' && sequence === 1);
    await pipeline.operations.dismiss({ body_sha256: hash, reason: 'a forgery of the test' });
  });

  it('with lambda:InvokeFunction alone, nobody publishes an order without a row, and the attempt counts', async () => {
    const { ministack, pipeline, outputs } = target();
    const bus = await observeBus(ministack, outputs['OrderFeedBusArn'] ?? '');
    const record = streamRecord({ orderId: 'forged', after: [paid('forged')] });
    expect(await invokeAsUser('OrderFeed', { Records: [record] })).toEqual({ batchItemFailures: [] });
    await pipeline.post(bytesOf(paidEvent({ orderId: 'genuine' })));
    const seen: unknown[] = [];
    while (!seen.includes('genuine'))
      seen.push(...(await bus.next()).map(({ detail }) => detail['order_id']));
    bus.close();
    expect(seen).not.toContain('forged');
    await expectMetric('OrderFeedLogGroup');
  });

  it('with lambda:InvokeFunction alone, nobody erases in the name of another, and the attempt counts', async () => {
    const { ministack, pipeline, outputs } = target();
    const body = JSON.stringify({ event_id: 'evt-first', reason: 'forged' });
    const userArn = `arn:aws:iam::${ministack.account}:user/someone-else`;
    const event = gatewayEvent({ routeKey: 'POST /operations/erase', body, userArn });
    // No secret: everything about the API is in its address.
    const [apiId = ''] = new URL(outputs['OperationsUrl'] ?? '').host.split('.');
    const requestContext = { ...event.requestContext, apiId, accountId: ministack.account };
    const response = await invokeAsUser('Operations', { ...event, requestContext });
    expect(response).toMatchObject({ statusCode: 403, body: expect.stringContaining('wrong_proof') });
    const { records } = await pipeline.operations.bodies('evt-first');
    expect(records).toMatchObject([{ body_base64: expect.any(String) }]);
    await expectMetric('OperationsLogGroup');
  });
}
