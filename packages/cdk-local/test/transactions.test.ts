import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { startDynamoDb } from '../src/emulators/dynamodb.ts';
import { createTable } from '../src/emulators/resources.ts';
import { connect } from './harness.ts';

async function startTable() {
  const { client } = connect(await startDynamoDb(), DynamoDB);
  await createTable(
    {
      name: 'events',
      keySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      attributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      globalIndexes: [],
      localIndexes: [],
    },
    client,
  );
  const rows = async () => (await client.scan({ TableName: 'events' })).Items;
  return { client, rows };
}

const putIfAbsent = (id: string) => ({
  Put: {
    TableName: 'events',
    Item: { id: { S: id } },
    ConditionExpression: 'attribute_not_exists(id)',
  },
});
const count = (id: string) => ({
  Update: {
    TableName: 'events',
    Key: { id: { S: id } },
    UpdateExpression: 'ADD seen :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  },
});

it('carries out every write of a transaction', async () => {
  const { client, rows } = await startTable();
  await client.transactWriteItems({ TransactItems: [putIfAbsent('event-1'), count('order-1')] });
  await client.transactWriteItems({
    TransactItems: [{ Delete: { TableName: 'events', Key: { id: { S: 'event-1' } } } }, count('order-1')],
  });
  expect(await rows()).toEqual([{ id: { S: 'order-1' }, seen: { N: '2' } }]);
});

it('carries out none of the writes when a condition of one does not hold', async () => {
  const { client, rows } = await startTable();
  await client.putItem({ TableName: 'events', Item: { id: { S: 'event-1' } } });
  const again = client.transactWriteItems({ TransactItems: [count('order-1'), putIfAbsent('event-1')] });
  await expect(again).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    message: expect.stringContaining('[None, ConditionalCheckFailed]'),
  });
  const check = {
    ConditionCheck: {
      TableName: 'events',
      Key: { id: { S: 'event-2' } },
      ConditionExpression: 'attribute_exists(id)',
    },
  };
  const unchecked = client.transactWriteItems({ TransactItems: [count('order-1'), check] });
  await expect(unchecked).rejects.toMatchObject({ name: 'TransactionCanceledException' });
  expect(await rows()).toEqual([{ id: { S: 'event-1' } }]);
});
