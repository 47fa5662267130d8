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

/** DynamoDB refuses values and names that no expression uses. */
const used = (given: Attributes) =>
  Object.keys(given).length === 0 ? {} : { ExpressionAttributeValues: given };

describe('a condition', () => {
  it.each<[string, boolean, Attributes?]>([
    ['attribute_not_exists(gone)', true],
    ['attribute_not_exists(version)', false],
    ['version = :n', true, { ':n': number(3) }],
    ['version = :n', false, { ':n': number(4) }],
    ['gone = :n', false, { ':n': number(4) }],
    ['size(facts) < :max', true, { ':max': number(3) }],
    ['size(facts) < :max', false, { ':max': number(2) }],
    ['size(gone) < :max', false, { ':max': number(2) }],
    ['attribute_not_exists(gone) OR size(gone) < :max', true, { ':max': number(2) }],
    ['contains(facts, :x)', true, { ':x': text('b') }],
    ['contains(facts, :x)', false, { ':x': text('c') }],
    ['NOT contains(facts, :x)', true, { ':x': text('c') }],
    ['NOT contains(gone, :x)', true, { ':x': text('c') }],
    ['facts = :ss', true, { ':ss': set('b', 'a') }],
    ['facts = :ss', false, { ':ss': set('a') }],
    ['facts = :ss', false, { ':ss': set('a', 'c') }],
    ['facts = :ss', false, { ':ss': set('a', 'b', 'c') }],
    ['facts <> :ss', false, { ':ss': set('b', 'a') }],
    [
      'attribute_type(facts, :t) AND form IN (:a, :b)',
      true,
      { ':t': text('SS'), ':a': text('x'), ':b': text('paid') },
    ],
    ['version BETWEEN :a AND :b', true, { ':a': number(3), ':b': number(9) }],
  ])('%s is %s', async (ConditionExpression, holds, values = {}) => {
    const client = await startTable(row);
    const written = client.deleteItem({ TableName, Key, ConditionExpression, ...used(values) }).then(
      () => true,
      ({ name }: Error) => name !== 'ConditionalCheckFailedException' && name,
    );
    expect(await written).toBe(holds);
  });
});

describe('an update', () => {
  it.each<[string, Attributes, Attributes, Attributes]>([
    [
      'ADD facts :s, seen :one SET a = :b, c = if_not_exists(c, :d)',
      { facts: set('a') },
      { ':s': set('a', 'b'), ':one': number(1), ':b': text('b'), ':d': text('d') },
      { facts: set('a', 'b'), seen: number(1), a: text('b'), c: text('d') },
    ],
    [
      'ADD facts :s, seen :one SET a = :b, c = if_not_exists(c, :d)',
      { c: text('kept'), seen: number(7) },
      { ':s': set('b'), ':one': number(1), ':b': text('b'), ':d': text('d') },
      { c: text('kept'), seen: number(8), facts: set('b'), a: text('b') },
    ],
    ['DELETE facts :s', { facts: set('a', 'b') }, { ':s': set('b', 'c') }, { facts: set('a') }],
    ['DELETE facts :s', { facts: set('a', 'b') }, { ':s': set('b', 'a') }, {}],
    ['DELETE facts :s', {}, { ':s': set('b') }, {}],
    ['SET facts = :ss REMOVE form, gone', row, { ':ss': set('x') }, { version: number(3), facts: set('x') }],
    [
      'SET version = version + :one, #former = version',
      { version: number(3) },
      { ':one': number(1) },
      { version: number(4), former: number(3) },
    ],
    [
      'SET version = if_not_exists(version, :zero) + :one',
      {},
      { ':one': number(1), ':zero': number(0) },
      { version: number(1) },
    ],
  ])('%s of %o works', async (UpdateExpression, before, values, after) => {
    const client = await startTable(before);
    const names = UpdateExpression.includes('#') ? { ExpressionAttributeNames: { '#former': 'former' } } : {};
    await client.updateItem({ TableName, Key, UpdateExpression, ...names, ...used(values) });
    expect((await client.getItem({ TableName, Key })).Item).toEqual({ ...Key, ...after });
  });

  it('creates the item when there is none', async () => {
    const client = await startTable({});
    const other = { id: text('order-2') };
    const values = { ':s': set('x'), ':one': number(1) };
    await client.updateItem({
      TableName,
      Key: other,
      UpdateExpression: 'ADD facts :s, seen :one',
      ...used(values),
    });
    const { Item } = await client.getItem({ TableName, Key: other });
    expect(Item).toEqual({ ...other, facts: set('x'), seen: number(1) });
  });
});

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
