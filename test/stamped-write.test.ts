import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrderTable } from '../lambdas/aws/order-table.ts';

type Responder = (response: ServerResponse) => void;

const respond =
  (status: number, body: object): Responder =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(body));
  };
const fault = (status: number, name: string, message = name): Responder =>
  respond(status, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message });
const stored = respond(200, { Attributes: { facts: { SS: ['a fact'] } } });
const silent: Responder = () => {};
const hangUp: Responder = (response) => response.destroy();

/** The order table over a server that sends these responses in turn, and repeats the last one. */
async function setUp(...responders: readonly [Responder, ...Responder[]]) {
  const stamps: string[] = [];
  let requests = 0;
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { ExpressionAttributeValues: values } = JSON.parse(Buffer.concat(chunks).toString());
    if (values !== undefined) stamps.push(values[':at'].S);
    const responder = responders[Math.min(requests, responders.length - 1)] ?? silent;
    requests += 1;
    responder(response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    requestHandler: { requestTimeout: 100, throwOnRequestTimeout: true },
    maxAttempts: 3,
  });
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  const table = createOrderTable(client, 'orders');
  let seconds = 0;
  const now = (): Date => {
    seconds += 1;
    return new Date(Date.UTC(2026, 10, 21, 10, 0, seconds));
  };
  const order = { mode: 'live', id: 'order-1' } as const;
  const merge = () => table.merge({ order, facts: ['a fact'], status: 'paid', now });
  return { table, order, merge, stamps, connections: () => connections };
}

const attempts = ['2026-11-21T10:00:01.000Z', '2026-11-21T10:00:02.000Z', '2026-11-21T10:00:03.000Z'];

describe('a merge into an order', () => {
  it.each([
    ['a 500', fault(500, 'InternalServerError')],
    ['a 503', fault(503, 'ServiceUnavailable')],
    ['a throttle', fault(400, 'ProvisionedThroughputExceededException')],
    ['a request limit', fault(400, 'RequestLimitExceeded')],
    ['a closed connection', hangUp],
    ['no response in time', silent],
  ])('is repeated with a new time stamp after %s', async (_, failure) => {
    const { merge, stamps } = await setUp(failure, failure, stored);
    expect(await merge()).toMatchObject({ facts: ['a fact'], changed: true });
    expect(stamps).toEqual(attempts);
  });

  it('fails after three attempts, with the error of the last one', async () => {
    const { merge, stamps } = await setUp(
      fault(503, 'ServiceUnavailable'),
      fault(500, 'InternalServerError'),
    );
    await expect(merge()).rejects.toMatchObject({ name: 'InternalServerError' });
    expect(stamps).toEqual(attempts);
  });

  it.each([
    [
      'ValidationException',
      'PermanentStoreError',
      'Item size to update has exceeded the maximum allowed size',
    ],
    ['AccessDeniedException', 'AccessDeniedException', ''],
    ['ResourceNotFoundException', 'ResourceNotFoundException', ''],
  ])('is not repeated after %s', async (code, name, message) => {
    const { merge, stamps } = await setUp(fault(400, code, message));
    await expect(merge()).rejects.toMatchObject({ name });
    expect(stamps).toHaveLength(1);
  });

  it('is not repeated when the order has every fact already', async () => {
    const { merge, stamps } = await setUp(
      respond(400, {
        __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
        Item: { facts: { SS: ['a fact'] } },
      }),
    );
    expect(await merge()).toMatchObject({ facts: ['a fact'], changed: false });
    expect(stamps).toHaveLength(1);
  });

  it('uses the connection of the reads', async () => {
    const { merge, table, order, connections } = await setUp(respond(200, {}), stored);
    expect(await table.get(order)).toBeUndefined();
    await merge();
    expect(connections()).toBe(1);
  });
});
