import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { createEventScan } from '../lambdas/aws/event-scan.ts';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import { createKeyUseReader } from '../lambdas/aws/key-use-reader.ts';
import { createKeyUseTable } from '../lambdas/aws/key-use-table.ts';
import { createReadingTable } from '../lambdas/aws/reading-table.ts';
import { type EventRow, PermanentStoreError } from '../lambdas/ports/stores.ts';
import { failure, startDynamoDbServer, success } from './doubles/dynamodb-server.ts';

const at = '2026-11-21T10:00:00.000Z';
const [key, hash] = ['live:event:e', 'ab'.repeat(32)];
const erased = { by: 'ann', at, reason: 'the customer wants it' };
const row: EventRow = {
  ...{ key, record: 'event', mode: 'live', outcome: 'applied', eventId: 'e', orderId: 'A' },
  ...{ body: Uint8Array.of(1), bodySha256: hash, keyId: 'abc', receivedAt: at, recordedAt: at },
};
const settlement = { key, mode: 'live', bodySha256: hash, outcome: 'applied' } as const;
const refusal = { ...settlement, outcome: 'quarantined', waiting: 'order_refused' } as const;
const isRead = (operation: string): boolean => !['PutItem', 'UpdateItem'].includes(operation);
const failed = failure(400, 'ConditionalCheckFailedException');

type Write = (client: DynamoDBClient) => Promise<unknown>;
const tableOf = (client: DynamoDBClient) => createEventTable(client, 'events');
const put: Write = (client) => tableOf(client).put(row);
const erase: Write = (client) => tableOf(client).eraseBody({ key, record: 'event', erased });
const settle: Write = (client) => tableOf(client).settle(settlement);
const conditional: readonly (readonly [string, Write])[] = [
  ['a body', (client) => tableOf(client).putBody({ key, body: Uint8Array.of(1), bodySha256: hash })],
  ['an event name', (client) => tableOf(client).putEventName({ ...row, eventName: 'n', eventId: 'e' })],
  ['an erasure', erase],
  ['a settlement', settle],
  ['a settlement of what waits', (client) => tableOf(client).settle(refusal)],
  ['the expiry of a body', (client) => tableOf(client).setBodyExpiry({ key, bodySha256: hash }, 1)],
  [
    'a new reading',
    (client) => createReadingTable(client, 'events').reread({ ...settlement, from: 'applied' }),
  ],
  [
    'the use of a key',
    (client) => createKeyUseTable(client, 'events').putKeyUse({ mode: 'live', keyId: 'k', matchedAt: at }),
  ],
];

describe('a write to the events', () => {
  it.each(conditional)('of %s that finds another row changes nothing, and is no error', async (_, write) => {
    const { client } = await startDynamoDbServer(({ operation }) =>
      isRead(operation) ? success({}) : failed,
    );
    expect(await write(client)).toBeUndefined();
  });

  it.each([...conditional, ['a row', put]] as const)(
    'of %s that DynamoDB refuses fails with its error',
    async (_, write) => {
      const { client } = await startDynamoDbServer(({ operation }) =>
        isRead(operation) ? success({}) : failure(400, 'AccessDeniedException'),
      );
      await expect(write(client)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    },
  );

  it.each([...conditional.filter(([name]) => !/erasure|expiry|use/.test(name)), ['a row', put]] as const)(
    'of %s that is too large fails for good',
    async (_, write) => {
      const message = 'Item size to update has exceeded the maximum allowed size';
      const { client } = await startDynamoDbServer(({ operation }) =>
        isRead(operation) ? success({}) : failure(400, 'ValidationException', { message }),
      );
      await expect(write(client)).rejects.toThrow(PermanentStoreError);
    },
  );
});

describe('the row that a put finds', () => {
  it('comes with the response, without another request', async () => {
    const Item = {
      ...{ event_key: { S: key }, record: { S: 'event' }, body_sha256: { S: hash }, key_id: { S: 'abc' } },
      ...{ received_at: { S: at }, recorded_at: { S: at } },
    };
    const { client, requests } = await startDynamoDbServer(() =>
      failure(400, 'ConditionalCheckFailedException', { Item }),
    );
    expect(await put(client)).toMatchObject({ kind: 'present', row: { bodySha256: hash } });
    expect(requests.map(({ input }) => input.ReturnValuesOnConditionCheckFailure)).toEqual(['ALL_OLD']);
  });

  it('is read consistently when the response does not hold it; once it has expired, the put fails', async () => {
    const { client, requests } = await startDynamoDbServer(({ operation }) =>
      isRead(operation) ? success({}) : failed,
    );
    await expect(put(client)).rejects.toThrow(
      'The existing row expired between two calls; the record is retried.',
    );
    const [, read, ...others] = requests;
    const Key = { event_key: { S: key }, record: { S: 'event' } };
    expect(read).toEqual({ operation: 'GetItem', input: { TableName: 'events', Key, ConsistentRead: true } });
    expect(others).toEqual([]);
  });
});

describe('a compact row that begins to wait', () => {
  const Key = { event_key: { S: key }, record: { S: 'event' } };
  const shared = { outcome: { S: 'applied' }, ...Key };
  const compact = {
    ...shared,
    f: { S: 'paid    ' },
    h: { B: 'q6s=' },
    k: { S: 'abc' },
    r: { N: '1' },
    t: { N: '1' },
  };
  const plain = { ...shared, body_sha256: { S: hash }, key_id: { S: 'abc' } };

  it('is read again, consistently, when it was changed while it was rewritten', async () => {
    const responses = [success({ Item: compact }), failed, success({ Item: plain }), success({})];
    const { client, requests } = await startDynamoDbServer((_, count) => responses[count] ?? 'hang up');
    await tableOf(client).settle(refusal);
    const operations = requests.map(({ operation }) => operation);
    expect(operations).toEqual(['GetItem', 'UpdateItem', 'GetItem', 'UpdateItem']);
    const read = { TableName: 'events', Key, ConsistentRead: true };
    expect([requests[0]?.input, requests[2]?.input]).toEqual([read, read]);
  });

  it('stays as it is when DynamoDB refuses to rewrite it', async () => {
    const { client, requests } = await startDynamoDbServer(({ operation }) =>
      isRead(operation) ? success({ Item: compact }) : failure(400, 'AccessDeniedException'),
    );
    await expect(tableOf(client).settle(refusal)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(requests).toHaveLength(2);
  });
});

it('the rows of an id are read page by page, each for as many as are left of 300', async () => {
  const own = {
    record: { S: 'event' },
    outcome: { S: 'applied' },
    body: { B: '' },
    body_encoding: { S: 'none' },
  };
  const item = { ...{ event_key: { S: key }, key_id: { S: 'abc' }, body_sha256: { S: hash } }, ...own };
  const rows = [{ ...item, received_at: { S: at }, recorded_at: { S: at } }];
  const next = { event_key: { S: key }, record: { S: 'event' } };
  const { client, requests } = await startDynamoDbServer((_, count) =>
    success({ ...(count !== 2 && { Items: rows }), ...(count < 3 && { LastEvaluatedKey: next }) }),
  );
  expect(await tableOf(client).find('live', 'e')).toHaveLength(2);
  const pages = requests.map(({ input }) => [input.Limit, input.ExclusiveStartKey]);
  expect(pages).toEqual([
    [undefined, undefined],
    [300, undefined],
    [299, next],
    [299, next],
  ]);
});

it('nothing is found in a response of DynamoDB without items', async () => {
  const { client } = await startDynamoDbServer(() => success({}));
  const table = tableOf(client);
  expect(await table.getRow(key, 'event')).toBeUndefined();
  expect(await table.find('live', 'e')).toEqual([]);
  expect(await table.findBody('live', 'e', hash)).toEqual([]);
  expect(await table.findUnrecognised('live', hash)).toBeUndefined();
  expect(await table.summaries('live', ['e'])).toEqual(new Map());
  expect(await createKeyUseReader(client, 'events').keyUses('live')).toEqual([]);
  const page = createEventScan(client, 'events').page({
    mode: 'live',
    since: undefined,
    until: undefined,
    after: undefined,
  });
  expect(await page).toEqual({ events: [], next: undefined });
});
