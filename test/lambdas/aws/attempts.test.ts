import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchAttempts } from '../../../lambdas/aws/dynamodb.ts';
import type { createConsumer } from '../../../lambdas/consumer/consumer.ts';
import { bundleSdk, credentials, installed, type Sdk } from '../../doubles/bundled-sdk.ts';
import { createPatientHandler } from '../../doubles/local-tables.ts';
import { sqsRecord } from '../../doubles/sqs-event.ts';

const refused = (status: number, name: string): Scripted => ({
  status,
  json: { __type: `com.amazonaws.dynamodb.v20120810#${name}` },
});
const throughput = refused(400, 'ProvisionedThroughputExceededException');
const throttling = refused(400, 'ThrottlingException');
const done: Scripted = { json: {} };

let bundle: Awaited<ReturnType<typeof bundleSdk>>;
beforeAll(async () => {
  bundle = await bundleSdk();
});
afterAll(() => bundle.remove());
// The pause before a further attempt is a random part of a second or two.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

/** A write against a service that responds with the script: how often it was throttled, and how it ended. */
async function write(sdk: Sdk, ...script: Scripted[]) {
  const { baseUrl } = await startService(...script);
  const requestHandler = createPatientHandler();
  const options = { endpoint: baseUrl, region: 'eu-central-1', credentials, maxAttempts: 3, requestHandler };
  let throttles = 0;
  const client = watchAttempts(new sdk.DynamoDBClient(options), () => {
    throttles += 1;
  });
  const command = new sdk.UpdateItemCommand({
    TableName: 'orders',
    Key: { order_key: { S: 'live:order:1' } },
  });
  const outcome = await client.send(command).then(
    () => 'done',
    (error: Error) => error.name,
  );
  client.destroy();
  return { throttles, outcome };
}

describe.each([
  ['installed', () => installed],
  ['bundled', () => bundle.sdk],
] as const)('the watch for throttles, in the %s client of DynamoDB,', (_, sdk) => {
  it('sees each throttled attempt of a call that the next attempt saves', async () => {
    const ended = await write(sdk(), throughput, throttling, done);
    expect(ended).toEqual({ throttles: 2, outcome: 'done' });
  });

  it('sees each attempt of a call that fails after all its attempts, and passes the error on', async () => {
    const ended = await write(sdk(), throughput, throughput, throughput, throughput);
    expect(ended).toEqual({ throttles: 3, outcome: 'ProvisionedThroughputExceededException' });
  });

  it('sees none in a call that succeeds, fails for another reason, or finds a condition not met', async () => {
    expect(await write(sdk(), done)).toEqual({ throttles: 0, outcome: 'done' });
    expect(await write(sdk(), refused(500, 'InternalServerError'), done)).toMatchObject({ throttles: 0 });
    const condition = refused(400, 'ConditionalCheckFailedException');
    expect(await write(sdk(), condition)).toEqual({
      throttles: 0,
      outcome: 'ConditionalCheckFailedException',
    });
  });
});

describe.each([
  ['installed', () => installed],
  ['bundled', () => bundle.sdk],
] as const)('the %s client of DynamoDB', (_, sdk) => {
  it('repeats a single write that met a transaction on the same item, three times in all', async () => {
    const conflict = refused(400, 'TransactionConflictException');
    expect(await write(sdk(), conflict, conflict, done)).toEqual({ throttles: 0, outcome: 'done' });
    const ended = await write(sdk(), conflict, conflict, conflict, done);
    expect(ended).toEqual({ throttles: 0, outcome: 'TransactionConflictException' });
  });
});

describe('the consumer', () => {
  it('counts the attempts that DynamoDB throttled, in a metric of its log', async () => {
    const { baseUrl } = await startService(throughput);
    const variables = {
      AWS_ENDPOINT_URL: baseUrl,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      EVENTS_TABLE_NAME: 'events',
      ORDERS_TABLE_NAME: 'orders',
      EVENT_QUEUE_URL: `${baseUrl}/000000000000/events`,
      POWERTOOLS_SERVICE_NAME: 'consumer',
      POWERTOOLS_METRICS_NAMESPACE: 'payhooks/test',
    };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    // The query makes it a module of its own, which no other file has loaded with other variables.
    const module: string = '../../../lambdas/consumer/handler.ts?throttled';
    const { handler } = (await import(module)) as { handler: ReturnType<typeof createConsumer> };
    const record = sqsRecord({ body: bytesOf(paidEvent({ orderId: 'order-1' })), messageId: 'm1' });
    expect(await handler({ Records: [record] })).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    const metrics = lines.map((line) => JSON.parse(line)).find((line) => 'TablesThrottled' in line);
    const { TablesThrottled, service } = metrics ?? {};
    expect(service).toBe('consumer');
    expect([TablesThrottled].flat()).toContain(1);
  });
});
