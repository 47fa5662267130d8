import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { closeServer, credentials, listen, region } from '@payhooks/cdk-local';
import {
  createTable,
  type StreamMappingModel,
  startDynamoDb,
  startEventBridge,
  startStreamMapping,
} from '@payhooks/cdk-local/emulators';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventBus } from '../../lambdas/aws/event-bus.ts';
import { createOrderTable } from '../../lambdas/aws/order-table.ts';
import { createOrderFeed } from '../../lambdas/order-feed/order-feed.ts';
import { paid } from '../doubles/facts.ts';
import { recordTelemetry } from '../doubles/telemetry.ts';
import type { FeedEvent } from './feed/feed-reader.ts';

const closing: (() => Promise<void> | void)[] = [];
beforeEach(() => {
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
  // The SDK's pause before a further attempt is a random part of a time that grows.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The response to a request whose entries the bus does not take; `undefined` when it takes them. */
type Fault = (orderIds: readonly string[]) => { status: number; body: object } | undefined;

/** EventBridge that can fail. */
async function startFaultyBus(fault: Fault) {
  const emulator = await startEventBridge();
  emulator.createBus('Bus');
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = await buffer(request);
    const { Entries } = JSON.parse(body.toString()) as { Entries: { Detail: string }[] };
    const failure = fault(Entries.map(({ Detail }) => JSON.parse(Detail).order_id));
    if (failure !== undefined) {
      response.writeHead(failure.status, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(failure.body));
      return;
    }
    const headers = { 'x-amz-target': String(request.headers['x-amz-target']) };
    const taken = await fetch(emulator.endpoint, { method: 'POST', headers, body: new Uint8Array(body) });
    response.writeHead(taken.status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(await taken.text());
  });
  closing.push(() => emulator.close());
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', await listen(server, { host: '127.0.0.1', port: 0 }));
  closing.push(() => closeServer(server));
  return emulator.events;
}

/** The orders table, its stream, a mapping and the real order feed, with a bus that can fail. */
async function startFeed(fault: Fault, changes: Partial<StreamMappingModel> = {}) {
  const events = await startFaultyBus(fault);
  const dynamodb = await startDynamoDb();
  const client = new DynamoDBClient({ endpoint: dynamodb.endpoint, region, credentials });
  closing.push(() => dynamodb.close());
  closing.push(() => client.destroy());
  const keySchema = [{ AttributeName: 'order_key', KeyType: 'HASH' }];
  const attributeDefinitions = [{ AttributeName: 'order_key', AttributeType: 'S' }];
  const model = { name: 'Orders', keySchema, attributeDefinitions, globalIndexes: [], localIndexes: [] };
  await createTable(model, client);
  const stream = { arn: 'stream-arn', viewType: 'NEW_AND_OLD_IMAGES' } as const;
  const opened = await dynamodb.openStream({ tableName: 'Orders', keyNames: ['order_key'], stream });
  const feed = createOrderFeed({
    bus: createEventBus('Bus'),
    // The real one waits for seconds.
    pause: () => pause(1),
    changesSettleSeconds: 30,
    sequenceBase: 0,
    telemetry: recordTelemetry(),
  });
  const discarded: object[] = [];
  const mapping = startStreamMapping({
    model: {
      name: 'Mapping',
      functionName: 'Feed',
      streamArn: stream.arn,
      batchRecordsMax: 10,
      windowSeconds: 0,
      reportsItemFailures: true,
      parallelBatches: 1,
      bisectsBatches: true,
      retriesMax: Number.POSITIVE_INFINITY,
      recordAgeSecondsMax: 43_200,
      ...changes,
    },
    stream: opened,
    functionArn: 'function-arn',
    invoke: async (event) => ({
      ok: true,
      payload: JSON.stringify(await feed(event as DynamoDBStreamEvent)),
    }),
    discard: async (message) => void discarded.push(message),
    onFault: (sentence) => expect.unreachable(sentence),
  });
  closing.push(() => mapping.stop());
  const table = createOrderTable({ client, name: 'Orders' });
  return {
    discarded,
    /** Every published change as `order sequence`, in the order in which the bus took them. */
    published: () =>
      events.after(0, 1_000).map(({ text }) => {
        const { detail } = JSON.parse(text) as FeedEvent;
        return `${detail.order_id} ${detail.sequence}`;
      }),
    /** Adds one payment to an order. */
    async pay(orderId: string): Promise<void> {
      await table.merge({
        order: { mode: 'live', id: orderId },
        facts: [paid(randomUUID(), { transactionId: randomUUID() })],
        now: () => new Date(),
      });
    },
  };
}

const unavailable = { status: 500, body: { __type: 'InternalException', message: 'not now' } };
const withoutRepeats = (changes: readonly string[]): string[] => [...new Set(changes)];

describe('the order feed', () => {
  it('publishes every change in order after EventBridge was unavailable', async () => {
    let requests = 0;
    const { pay, published, discarded } = await startFeed(() => {
      requests += 1;
      return requests <= 20 ? unavailable : undefined;
    });
    for (const orderId of ['a', 'b', 'a', 'c', 'a', 'b']) await pay(orderId);
    await expect.poll(() => withoutRepeats(published())).toEqual(['a 1', 'b 1', 'a 2', 'c 1', 'a 3', 'b 2']);
    expect(requests).toBeGreaterThan(20);
    expect(discarded).toEqual([]);
  });

  const refusing =
    (refused: string, isOver: () => boolean): Fault =>
    (orderIds) => {
      if (isOver() || !orderIds.includes(refused)) return undefined;
      // The other entries are dropped as well, as if the response was lost.
      const Entries = orderIds.map(() => ({ ErrorCode: 'ThrottlingException', ErrorMessage: 'slow down' }));
      return { status: 200, body: { FailedEntryCount: Entries.length, Entries } };
    };

  it('publishes a refused order later, and keeps the changes of each order in sequence', async () => {
    let over = false;
    const { pay, published } = await startFeed(
      refusing('stuck', () => over),
      { batchRecordsMax: 2, parallelBatches: 4 },
    );
    const orderIds = ['stuck', 'a', 'stuck', 'b', 'a', 'c', 'd', 'e', 'f', 'stuck', 'a'];
    for (const orderId of orderIds) await pay(orderId);
    // One of four parallel batches is stuck; the others continue.
    await expect.poll(() => published().length).toBeGreaterThan(0);
    expect(published().filter((change) => change.startsWith('stuck'))).toEqual([]);
    over = true;
    const changes = ['a 1', 'a 2', 'a 3', 'b 1', 'c 1', 'd 1', 'e 1', 'f 1', 'stuck 1', 'stuck 2', 'stuck 3'];
    await expect.poll(() => withoutRepeats(published()).toSorted()).toEqual(changes);
    for (const order of ['a', 'stuck']) {
      const own = withoutRepeats(published()).filter((change) => change.startsWith(order));
      expect(own).toEqual([`${order} 1`, `${order} 2`, `${order} 3`]);
    }
  });

  it('sends a batch to the failure queue after its retries, and continues', async () => {
    const { pay, published, discarded } = await startFeed(
      refusing('stuck', () => false),
      { batchRecordsMax: 1, retriesMax: 2 },
    );
    for (const orderId of ['a', 'stuck', 'b']) await pay(orderId);
    await expect.poll(published).toEqual(['a 1', 'b 1']);
    expect(discarded).toMatchObject([
      {
        requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 3 },
        DDBStreamBatchInfo: { batchSize: 1, streamArn: 'stream-arn' },
      },
    ]);
  });
});
