import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { expect, it, vi } from 'vitest';
import { startDynamoDb } from '../src/emulators/dynamodb.ts';
import { createTable } from '../src/emulators/resources.ts';
import { connect } from './harness.ts';

const TableName = 'Orders';
const TargetTableName = 'Restored';

it('a table is restored into a new one as it was at a second, without what came later', async () => {
  // AWS restores to a full second: the clock stands before one, and then after it.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T10:00:00.995Z') });
  const { client } = connect(await startDynamoDb(), DynamoDB);
  const keySchema = [{ AttributeName: 'id', KeyType: 'HASH' }];
  const attributeDefinitions = [{ AttributeName: 'id', AttributeType: 'S' }];
  const keys = { keySchema, attributeDefinitions, globalIndexes: [], localIndexes: [] };
  await createTable({ name: TableName, ...keys, isRecoverable: true }, client);
  const put = (id: string, state: string) =>
    client.putItem({ TableName, Item: { id: { S: id }, state: { S: state } } });
  const rowsOf = async (table: string) => {
    const { Items = [] } = await client.scan({ TableName: table });
    return Items.map(({ id, state }) => `${id?.S} ${state?.S}`).toSorted();
  };
  await put('a', 'one');
  await put('b', 'one');
  await put('a', 'two');
  const RestoreDateTime = new Date('2026-11-21T10:00:01Z');
  vi.setSystemTime('2026-11-21T10:00:01.005Z');
  await put('c', 'one');
  await put('a', 'three');
  await client.deleteItem({ TableName, Key: { id: { S: 'b' } } });
  await client.restoreTableToPointInTime({ SourceTableName: TableName, TargetTableName, RestoreDateTime });
  expect(await rowsOf(TargetTableName)).toEqual(['a two', 'b one']);
  expect(await rowsOf(TableName)).toEqual(['a three', 'c one']);
});
