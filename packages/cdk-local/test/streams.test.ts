import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { credentials, region } from '../src/account.ts';
import { type DynamoDbEmulator, startDynamoDb } from '../src/emulators/dynamodb.ts';
import { createTable } from '../src/emulators/resources.ts';
import type { StreamPosition, StreamRecord, TableStream } from '../src/emulators/table-stream.ts';
import type { StreamModel } from '../src/template/model.ts';

const streamArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-01T00:00:00.000';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Opened {
  readonly client: DynamoDBClient;
  readonly stream: TableStream;
  readonly positions: StreamPosition[];
  readonly records: () => Promise<StreamRecord[]>;
}

/** A table with the keys `id` and `part`, and its stream. */
async function open(
  viewType: StreamModel['viewType'] = 'NEW_AND_OLD_IMAGES',
  path?: string,
): Promise<Opened> {
  const emulator: DynamoDbEmulator = await startDynamoDb(path);
  const client = new DynamoDBClient({ endpoint: emulator.endpoint, region, credentials });
  closing.push(async () => {
    client.destroy();
    await emulator.close();
  });
  const keySchema = [
    { AttributeName: 'id', KeyType: 'HASH' },
    { AttributeName: 'part', KeyType: 'RANGE' },
  ];
  const attributeDefinitions = [
    { AttributeName: 'id', AttributeType: 'S' },
    { AttributeName: 'part', AttributeType: 'N' },
  ];
  await createTable(
    { name: 'Orders', keySchema, attributeDefinitions, globalIndexes: [], localIndexes: [] },
    client,
  );
  const stream = await emulator.openStream({
    tableName: 'Orders',
    keyNames: ['id', 'part'],
    stream: { arn: streamArn, viewType },
  });
  const positions: StreamPosition[] = [];
  stream.follow((position) => positions.push(position));
  return { client, stream, positions, records: () => stream.read(positions) };
}

const key = (id: string, part = '1') => ({ id: { S: id }, part: { N: part } });
const item = (id: string, value: string) => ({ ...key(id), value: { S: value } });
const put = (id: string, value: string) => new PutItemCommand({ TableName: 'Orders', Item: item(id, value) });

/** Put, changed and deleted. */
async function writeThreeTimes(client: DynamoDBClient): Promise<void> {
  await client.send(put('a', 'one'));
  await client.send(
    new UpdateItemCommand({
      TableName: 'Orders',
      Key: key('a'),
      UpdateExpression: 'ADD facts :fact',
      ExpressionAttributeValues: { ':fact': { SS: ['x'] } },
    }),
  );
  await client.send(new DeleteItemCommand({ TableName: 'Orders', Key: key('a') }));
}

describe('a stream', () => {
  it('tells of each write as Lambda hands it over', async () => {
    const { client, records } = await open();
    await writeThreeTimes(client);
    const [inserted, modified, removed] = await records();
    expect(inserted).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: streamArn,
      dynamodb: {
        ApproximateCreationDateTime: expect.closeTo(Date.now() / 1000, -2),
        Keys: { id: { S: 'a' }, part: { N: '1' } },
        NewImage: { id: { S: 'a' }, part: { N: '1' }, value: { S: 'one' } },
        SequenceNumber: expect.stringMatching(/^\d{21}$/),
        // The keys once for themselves and once in the image: 2 × (3 + 6), and 8 for the value.
        SizeBytes: 26,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    });
    expect(Number.isInteger(inserted?.dynamodb.ApproximateCreationDateTime)).toBe(true);
    const facts = { facts: { SS: ['x'] } };
    expect(modified).toMatchObject({
      eventName: 'MODIFY',
      dynamodb: { OldImage: item('a', 'one'), NewImage: { ...item('a', 'one'), ...facts } },
    });
    expect(removed).toMatchObject({
      eventName: 'REMOVE',
      dynamodb: { Keys: key('a'), OldImage: { ...item('a', 'one'), ...facts } },
    });
    expect(removed?.dynamodb).not.toHaveProperty('NewImage');
    expect(new Set([inserted, modified, removed].map((record) => record?.eventID)).size).toBe(3);
  });

  it.each([
    ['KEYS_ONLY', [[], [], []]],
    ['NEW_IMAGE', [['NewImage'], ['NewImage'], []]],
    ['OLD_IMAGE', [[], ['OldImage'], ['OldImage']]],
    ['NEW_AND_OLD_IMAGES', [['NewImage'], ['NewImage', 'OldImage'], ['OldImage']]],
  ] as const)('of the view type %s holds these images and no others', async (viewType, expected) => {
    const { client, records } = await open(viewType);
    await writeThreeTimes(client);
    const images = (await records()).map(({ dynamodb }) =>
      Object.keys(dynamodb).filter((name) => name.endsWith('Image')),
    );
    expect(images).toEqual(expected);
  });

  it('has no record of a write that changed nothing, or was refused', async () => {
    const { client, positions } = await open();
    await client.send(put('a', 'one'));
    await client.send(put('a', 'one'));
    await client.send(new DeleteItemCommand({ TableName: 'Orders', Key: key('nowhere') }));
    const refused = new PutItemCommand({
      TableName: 'Orders',
      Item: item('a', 'two'),
      ConditionExpression: 'attribute_not_exists(id)',
    });
    await expect(client.send(refused)).rejects.toThrow('The conditional request failed');
    expect(positions).toHaveLength(1);
  });

  it('has every write of a batch', async () => {
    const { client, records } = await open();
    const writes = ['a', 'b', 'c'].map((id) => ({ PutRequest: { Item: item(id, 'one') } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { Orders: writes } }));
    const ids = (await records()).map(({ dynamodb }) => dynamodb.Keys['id']?.['S']);
    expect(ids.toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('has the writes to one item in their order, each with the image that the one before left', async () => {
    const { client, records } = await open();
    const add = (n: number) =>
      client.send(
        new UpdateItemCommand({
          TableName: 'Orders',
          Key: key('hot'),
          UpdateExpression: 'ADD facts :fact',
          ExpressionAttributeValues: { ':fact': { SS: [`fact-${n}`] } },
        }),
      );
    await Promise.all(Array.from({ length: 50 }, (_, n) => add(n)));
    const images = (await records()).map(({ dynamodb }) => dynamodb);
    const numbers = images.map(({ SequenceNumber }) => SequenceNumber);
    expect(numbers).toEqual(numbers.toSorted());
    expect(new Set(numbers).size).toBe(50);
    const sizes = images.map(({ NewImage }) => Object(NewImage?.['facts']?.['SS']).length);
    expect(sizes).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    expect(images.slice(1).map(({ OldImage }) => OldImage)).toEqual(
      images.slice(0, -1).map(({ NewImage }) => NewImage),
    );
  });

  it('puts records of one partition key into one place, whatever the sort key', async () => {
    const { client, positions } = await open();
    for (const part of ['1', '2', '3']) {
      await client.send(new PutItemCommand({ TableName: 'Orders', Item: key('a', part) }));
    }
    await client.send(new PutItemCommand({ TableName: 'Orders', Item: key('b') }));
    expect(new Set(positions.slice(0, 3).map(({ keyHash }) => keyHash)).size).toBe(1);
    expect(positions[3]?.keyHash).not.toBe(positions[0]?.keyHash);
  });
});

describe('a stream in a data directory', () => {
  it('holds after a restart what was not removed before, and goes on with higher numbers', async () => {
    const path = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
    const first = await open('NEW_IMAGE', path);
    for (const id of ['a', 'b', 'c']) await first.client.send(put(id, 'one'));
    await first.stream.remove(first.positions.slice(0, 1));
    const written = await first.records();
    await closing.pop()?.();

    const second = await open('NEW_IMAGE', path);
    closing.unshift(() => rm(path, { recursive: true }));
    expect(second.positions).toEqual(first.positions.slice(1));
    expect(await second.records()).toEqual(written.slice(1));
    await second.client.send(put('d', 'one'));
    const numbers = second.positions.map(({ sequenceNumber }) => sequenceNumber);
    expect(numbers).toHaveLength(3);
    expect(numbers).toEqual(numbers.toSorted());
  });
});
