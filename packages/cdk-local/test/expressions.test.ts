import { type AttributeValue, DynamoDB } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { startDynamoDb } from '../src/emulators/dynamodb.ts';
import { createTable } from '../src/emulators/resources.ts';
import { connect } from './harness.ts';

type Attributes = Record<string, AttributeValue>;

const text = (S: string): AttributeValue => ({ S });
const number = (n: number): AttributeValue => ({ N: String(n) });
const set = (...SS: string[]): AttributeValue => ({ SS });
const TableName = 'orders';
const Key = { id: text('order-1') };
const row = { version: number(3), facts: set('a', 'b'), form: text('paid') };

/** A table with one item, which is `attributes` and its key. */
async function startTable(attributes: Attributes) {
  const { client } = connect(await startDynamoDb(), DynamoDB);
  const keySchema = [{ AttributeName: 'id', KeyType: 'HASH' }];
  const attributeDefinitions = [{ AttributeName: 'id', AttributeType: 'S' }];
  await createTable(
    { name: TableName, keySchema, attributeDefinitions, globalIndexes: [], localIndexes: [] },
    client,
  );
  await client.putItem({ TableName, Item: { ...Key, ...attributes } });
  return client;
}

describe('ReturnValuesOnConditionCheckFailure', () => {
  const writes: Readonly<Record<string, (client: DynamoDB, options: object) => Promise<unknown>>> = {
    PutItem: (client, options) => client.putItem({ TableName, Item: Key, ...options }),
    UpdateItem: (client, options) =>
      client.updateItem({ TableName, Key, UpdateExpression: 'REMOVE form', ...options }),
    DeleteItem: (client, options) => client.deleteItem({ TableName, Key, ...options }),
  };
  it.each(Object.entries(writes))('returns the item that made %s fail', async (_, write) => {
    const client = await startTable(row);
    const fail = (options: object) =>
      write(client, { ConditionExpression: 'attribute_not_exists(id)', ...options }).catch(
        (error: object) => error,
      );
    const name = 'ConditionalCheckFailedException';
    const returned = await fail({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
    expect(returned).toMatchObject({ name, Item: { ...Key, ...row } });
    expect(await fail({})).toMatchObject({ name, Item: undefined });
    const ConditionExpression = 'attribute_exists(gone)';
    await client.deleteItem({ TableName, Key });
    const absent = await fail({ ConditionExpression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
    expect(absent).toMatchObject({ name, Item: undefined });
  });
});
