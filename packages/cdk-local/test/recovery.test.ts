import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { startDynamoDb } from '../src/emulators/dynamodb.ts';
import { createTable } from '../src/emulators/resources.ts';
import { connect, temporaryDirectory } from './harness.ts';

const TableName = 'Orders';
const TargetTableName = 'Restored';
const index = {
  IndexName: 'by-state',
  KeySchema: [{ AttributeName: 'state', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'KEYS_ONLY' },
};
const model = {
  name: TableName,
  keySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  attributeDefinitions: ['id', 'state'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  globalIndexes: [index],
  localIndexes: [],
};
const recoverable = { ...model, isRecoverable: true } as const;

async function open(table: Parameters<typeof createTable>[0] = recoverable, path?: string) {
  const emulator = await startDynamoDb(path);
  const { client, stop } = connect(emulator, DynamoDB);
  await createTable(table, client);
  return { emulator, client, stop };
}

const item = (id: string, state: string) => ({ id: { S: id }, state: { S: state } });

async function put(client: DynamoDB, id: string, state: string): Promise<void> {
  await client.putItem({ TableName, Item: item(id, state) });
}

async function rowsOf(client: DynamoDB, table: string): Promise<string[]> {
  const { Items = [] } = await client.scan({ TableName: table });
  return Items.map(({ id, state }) => `${id?.S} ${state?.S}`).toSorted();
}

/** Moves the clock on: a table is created for a while. */
async function untilActive(client: DynamoDB, table: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 });
  for (;;) {
    const { Table } = await client.describeTable({ TableName: table });
    if (Table?.TableStatus === 'ACTIVE') return Table;
    await pause(20);
  }
}

describe('a table with point-in-time recovery', () => {
  it('is restored into a new table as it was at a second, without what came later', async () => {
    // AWS restores to a full second: the clock stands before one, and then after it.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T10:00:00.995Z') });
    const { client } = await open();
    await put(client, 'a', 'one');
    await put(client, 'b', 'one');
    await put(client, 'a', 'two');
    const RestoreDateTime = new Date('2026-11-21T10:00:01Z');
    vi.setSystemTime('2026-11-21T10:00:01.005Z');
    await put(client, 'c', 'one');
    await put(client, 'a', 'three');
    await client.deleteItem({ TableName, Key: { id: { S: 'b' } } });
    await client.restoreTableToPointInTime({ SourceTableName: TableName, TargetTableName, RestoreDateTime });
    await untilActive(client, TargetTableName);
    expect(await rowsOf(client, TargetTableName)).toEqual(['a two', 'b one']);
    expect(await rowsOf(client, TableName)).toEqual(['a three', 'c one']);
  });
});

describe('the stream of a table that exists already', () => {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;

  it('has every write from its start on, also after a restart, and is shown with the table', async () => {
    const path = await temporaryDirectory();
    const first = await open(model, path);
    await put(first.client, 'a', 'one');
    await first.client.updateTable({ TableName, StreamSpecification });
    await put(first.client, 'b', 'one');
    const { Table } = await first.client.describeTable({ TableName });
    const arn = Table?.LatestStreamArn ?? '';
    await first.stop();

    const { emulator, client } = await open(model, path);
    await put(client, 'c', 'one');
    const stream = await emulator.streamAt(arn);
    const ids: unknown[] = [];
    stream?.follow((position) => ids.push(position));
    const records = await stream?.read(ids as Parameters<typeof stream.read>[0]);
    expect(records?.map(({ dynamodb }) => dynamodb.Keys['id']?.['S'])).toEqual(['b', 'c']);
  });
});
