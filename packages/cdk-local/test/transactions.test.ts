import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { startDynamoDb } from '../src/emulators/dynamodb.ts';
import { createTable } from '../src/emulators/resources.ts';
import { connect } from './harness.ts';

/** The tables `events` and `orders` with the key `id`; `orders` has an index and a stream. */
async function startTables(directory?: string) {
  const emulator = await startDynamoDb(directory);
  const { client, stop } = connect(emulator, DynamoDB);
  const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
  const keySchema = [{ AttributeName: 'id', KeyType: 'HASH' }];
  const index = {
    IndexName: 'by-state',
    KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }],
    Projection: { ProjectionType: 'ALL' },
  };
  const plain = { keySchema, attributeDefinitions: [text('id')], globalIndexes: [], localIndexes: [] };
  await createTable({ ...plain, name: 'events' }, client);
  const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/2026-01-01T00:00:00.000';
  const indexed = {
    ...{ attributeDefinitions: [text('id'), text('state')], globalIndexes: [index] },
    stream: { arn, viewType: 'KEYS_ONLY' as const },
  };
  await createTable({ ...plain, ...indexed, name: 'orders' }, client);
  const recorded: string[] = [];
  emulator.streamAt(arn)?.follow(({ sequenceNumber }) => recorded.push(sequenceNumber));
  const rows = async (TableName: string) => (await client.scan({ TableName })).Items;
  const transact = (...TransactItems: TransactWriteItem[]) => client.transactWriteItems({ TransactItems });
  return { client, rows, transact, recorded, stop };
}

const key = (id: string) => ({ id: { S: id } });
const put = (id: string, attributes = {}) => ({
  Put: { TableName: 'events', Item: { ...key(id), ...attributes } },
});
const putIfAbsent = (id: string) => ({
  Put: { ...put(id).Put, ConditionExpression: 'attribute_not_exists(id)' },
});
const count = (id: string) => ({
  Update: {
    ...{ TableName: 'orders', Key: key(id), UpdateExpression: 'ADD seen :one SET #s = :new' },
    ExpressionAttributeNames: { '#s': 'state' },
    ExpressionAttributeValues: { ':one': { N: '1' }, ':new': { S: 'new' } },
  },
});
const checkExists = (id: string) => ({
  ConditionCheck: { TableName: 'events', Key: key(id), ConditionExpression: 'attribute_exists(id)' },
});
const counted = (id: string, seen: string) => ({ ...key(id), seen: { N: seen }, state: { S: 'new' } });

describe('a transaction', () => {
  it('writes to two tables, their index and their stream', async () => {
    const { client, transact, rows, recorded } = await startTables();
    await transact(putIfAbsent('event-1'), count('order-1'));
    await transact(checkExists('event-1'), count('order-1'), count('order-2'));
    await transact({ Delete: { TableName: 'events', Key: key('event-1') } });
    expect(await rows('events')).toEqual([]);
    const state = { TableName: 'orders', IndexName: 'by-state', KeyConditionExpression: '#s = :new' };
    const { ExpressionAttributeNames, ExpressionAttributeValues } = count('').Update;
    const values = { ':new': ExpressionAttributeValues[':new'] };
    const query = { ...state, ExpressionAttributeNames, ExpressionAttributeValues: values };
    const found = (await client.query(query)).Items?.toSorted((a, b) =>
      `${a['id']?.S}` < `${b['id']?.S}` ? -1 : 1,
    );
    expect(found).toEqual([counted('order-1', '2'), counted('order-2', '1')]);
    expect(recorded).toHaveLength(3);
  });

  it('writes nothing when conditions fail, and returns a reason for each item in their order', async () => {
    const { client, transact, rows, recorded } = await startTables();
    await transact(put('event-1', { body: { B: Buffer.from('x') } }));
    const returning = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
    const failed = transact(
      ...[count('order-1'), { Put: { ...putIfAbsent('event-1').Put, ...returning } }],
      { ConditionCheck: { ...checkExists('event-2').ConditionCheck, ...returning } },
      { Delete: { TableName: 'events', Key: key('event-3') } },
    );
    const Message = 'The conditional request failed';
    await expect(failed).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
        '[None, ConditionalCheckFailed, ConditionalCheckFailed, None]',
      CancellationReasons: [
        { Code: 'None' },
        {
          ...{ Code: 'ConditionalCheckFailed', Message },
          Item: { id: { S: 'event-1' }, body: { B: new Uint8Array([120]) } },
        },
        { Code: 'ConditionalCheckFailed', Message },
        { Code: 'None' },
      ],
    });
    expect((await client.scan({ TableName: 'events' })).Count).toBe(1);
    expect([await rows('orders'), recorded]).toEqual([[], []]);
  });

  it.each([
    ['a put above 400 KB', put('b', { body: { S: 'x'.repeat(400 * 1024) } }), /^Item size has exceeded/],
    [
      'an update above 400 KB',
      {
        Update: {
          ...{ TableName: 'orders', Key: key('a'), UpdateExpression: 'SET body = :body' },
          ExpressionAttributeValues: { ':body': { S: 'x'.repeat(400 * 1024) } },
        },
      },
      /^Item size to update has exceeded the maximum allowed size/,
    ],
  ])('writes nothing with %s, and names it as a validation error', async (_, item, message) => {
    const { transact, rows } = await startTables();
    await transact(count('kept'));
    await expect(transact(put('a'), item)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'ValidationError', Message: expect.stringMatching(message) },
      ],
    });
    expect([await rows('events'), await rows('orders')]).toEqual([[], [counted('kept', '1')]]);
  });

  it.each([
    ['the same item twice', [put('a'), checkExists('a')], /cannot include multiple operations on one item/],
    ['101 items', Array.from({ length: 101 }, (_, n) => put(`e${n}`)), /'transactItems'/],
  ])('is refused with %s', async (_, items, message) => {
    const { transact, rows } = await startTables();
    const refused = transact(...(items as TransactWriteItem[]));
    await expect(refused).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(message),
    });
    expect([await rows('events'), await rows('orders')]).toEqual([[], []]);
  });

  it('is carried out once under its token, which refuses another transaction', async () => {
    const { client, rows } = await startTables();
    const first = { TransactItems: [count('order-1')], ClientRequestToken: 'token-1' };
    await client.transactWriteItems(first);
    expect(await client.transactWriteItems(first)).toMatchObject({ $metadata: { httpStatusCode: 200 } });
    const other = client.transactWriteItems({ ...first, TransactItems: [count('order-2')] });
    await expect(other).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
    await client.transactWriteItems({ ...first, ClientRequestToken: 'token-2' });
    expect(await rows('orders')).toEqual([counted('order-1', '2')]);
  });

  it('lets no other write between its check and its writes', async () => {
    const { client, transact, rows, recorded } = await startTables();
    const move = (from: string, to: string) =>
      transact(
        { Delete: { TableName: 'events', Key: key(from), ConditionExpression: 'attribute_exists(id)' } },
        ...[putIfAbsent(to), count('order-1')],
      );
    const { TableName, Item } = put('a').Put;
    await client.putItem({ TableName, Item });
    // Each of these ends one of the two states that the others need.
    const tries = Array.from({ length: 30 }, (_, n) => [
      ...[move('a', 'b'), move('b', 'a')],
      client.updateItem(count('order-1').Update),
      n % 2 === 0
        ? client.deleteItem({ TableName, Key: key('b'), ConditionExpression: 'attribute_exists(id)' })
        : client.batchWriteItem({ RequestItems: { events: [{ DeleteRequest: { Key: key('b') } }] } }),
      client.putItem({ TableName, Item, ConditionExpression: 'attribute_not_exists(id)' }),
    ]).flat();
    const outcomes = await Promise.allSettled(tries);
    const moved = outcomes.filter(({ status }, index) => status === 'fulfilled' && index % 5 < 2).length;
    expect(moved).toBeGreaterThan(2);
    expect(await rows('orders')).toEqual([counted('order-1', String(30 + moved))]);
    expect(recorded).toHaveLength(30 + moved);
  });

  it('waits for no other one whose tables come in another order', async () => {
    const { transact, rows } = await startTables();
    const both = [put('a', { n: { N: '1' } }), count('order-1')];
    await Promise.all(Array.from({ length: 20 }, (_, n) => transact(...(n % 2 ? both : both.toReversed()))));
    expect(await rows('orders')).toEqual([counted('order-1', '20')]);
  });
});
