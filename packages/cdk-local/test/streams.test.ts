import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { startDynamoDb } from '../src/emulators/dynamodb.ts';
import { createTable } from '../src/emulators/resources.ts';
import type { StreamPosition } from '../src/emulators/table-stream.ts';
import type { StreamModel } from '../src/template/resources.ts';
import { connect, temporaryDirectory } from './harness.ts';

const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-01T00:00:00.000';

/** A table with the keys `id` and `part`, and its stream. */
async function open(viewType: StreamModel['viewType'] = 'NEW_AND_OLD_IMAGES', path?: string) {
  const emulator = await startDynamoDb(path);
  const { client, stop } = connect(emulator, DynamoDB);
  const keySchema = [
    { AttributeName: 'id', KeyType: 'HASH' },
    { AttributeName: 'part', KeyType: 'RANGE' },
  ];
  const attributeDefinitions = [
    { AttributeName: 'id', AttributeType: 'S' },
    { AttributeName: 'part', AttributeType: 'N' },
  ];
  const keys = { keySchema, attributeDefinitions, globalIndexes: [], localIndexes: [] };
  await createTable({ name: 'Orders', ...keys, stream: { arn, viewType } }, client);
  const stream = emulator.streamAt(arn) ?? expect.unreachable('There is no stream.');
  const positions: StreamPosition[] = [];
  stream.follow((position) => positions.push(position));
  return { client, stream, positions, stop, records: () => stream.read(positions) };
}

const TableName = 'Orders';
const key = (id: string, part = '1') => ({ id: { S: id }, part: { N: part } });
const item = (id: string, value: string) => ({ ...key(id), value: { S: value } });
const put = (id: string, value: string) => ({ TableName, Item: item(id, value) });
const addFact = (id: string, fact: string) => ({
  ...{ TableName, Key: key(id), UpdateExpression: 'ADD facts :fact' },
  ExpressionAttributeValues: { ':fact': { SS: [fact] } },
});

async function putChangeDelete(client: DynamoDB): Promise<void> {
  await client.putItem(put('a', 'one'));
  await client.updateItem(addFact('a', 'x'));
  await client.deleteItem({ TableName, Key: key('a') });
}

describe('the stream of a table', () => {
  it('has a record of each write in the form of Lambda', async () => {
    const { client, records } = await open();
    await putChangeDelete(client);
    const [inserted, modified, removed] = await records();
    expect(inserted).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: arn,
      dynamodb: {
        ApproximateCreationDateTime: expect.closeTo(Date.now() / 1000, -2),
        Keys: { id: { S: 'a' }, part: { N: '1' } },
        NewImage: { id: { S: 'a' }, part: { N: '1' }, value: { S: 'one' } },
        SequenceNumber: expect.stringMatching(/^\d{21}$/),
        // The keys twice, also in the image: 2 × (3 + 6), and 8 for the value.
        SizeBytes: 26,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    });
    expect(Number.isInteger(inserted?.dynamodb.ApproximateCreationDateTime)).toBe(true);
    const changed = { ...item('a', 'one'), facts: { SS: ['x'] } };
    const modify = { OldImage: item('a', 'one'), NewImage: changed };
    expect(modified).toMatchObject({ eventName: 'MODIFY', dynamodb: modify });
    const remove = { Keys: key('a'), OldImage: changed };
    expect(removed).toMatchObject({ eventName: 'REMOVE', dynamodb: remove });
    expect(removed?.dynamodb).not.toHaveProperty('NewImage');
    expect(new Set([inserted, modified, removed].map((record) => record?.eventID)).size).toBe(3);
  });

  it('has no record of a write that changed nothing or was refused', async () => {
    const { client, positions } = await open();
    await client.putItem(put('a', 'one'));
    await client.putItem(put('a', 'one'));
    await client.deleteItem({ TableName, Key: key('nowhere') });
    const ConditionExpression = 'attribute_not_exists(id)';
    const refused = client.putItem({ ...put('a', 'two'), ConditionExpression });
    await expect(refused).rejects.toThrow('The conditional request failed');
    expect(positions).toHaveLength(1);
  });

  it('keeps 50 concurrent writes to one item in order, each with the image before it', async () => {
    const { client, records } = await open();
    await Promise.all(Array.from({ length: 50 }, (_, n) => client.updateItem(addFact('hot', `fact-${n}`))));
    const images = (await records()).map(({ dynamodb }) => dynamodb);
    const numbers = images.map(({ SequenceNumber }) => SequenceNumber);
    expect(numbers).toEqual([...new Set(numbers)].toSorted());
    const sizes = images.map(({ NewImage }) => Object(NewImage?.['facts']?.['SS']).length);
    expect(sizes).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    const before = images.slice(1).map(({ OldImage }) => OldImage);
    expect(before).toEqual(images.slice(0, -1).map(({ NewImage }) => NewImage));
  });

  it('has one position hash per partition key, whatever the sort key', async () => {
    const { client, positions } = await open();
    for (const Item of [key('a', '1'), key('a', '2'), key('a', '3'), key('b')])
      await client.putItem({ TableName, Item });
    const [first, second, third, other] = positions.map(({ keyHash }) => keyHash);
    expect([second, third]).toEqual([first, first]);
    expect(other).not.toBe(first);
  });

  it('keeps in a data directory what was not removed, and continues with higher numbers', async () => {
    const path = await temporaryDirectory();
    const first = await open('NEW_IMAGE', path);
    for (const id of ['a', 'b', 'c']) await first.client.putItem(put(id, 'one'));
    await first.stream.remove(first.positions.slice(0, 1));
    const written = await first.records();
    await first.stop();

    const second = await open('NEW_IMAGE', path);
    expect(second.positions).toEqual(first.positions.slice(1));
    expect(await second.records()).toEqual(written.slice(1));
    await second.client.putItem(put('d', 'one'));
    const numbers = second.positions.map(({ sequenceNumber }) => sequenceNumber);
    expect(numbers).toHaveLength(3);
    expect(numbers).toEqual(numbers.toSorted());
  });
});
