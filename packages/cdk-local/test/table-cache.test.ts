import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { startDynamoDb } from '../src/emulators/dynamodb.ts';
import { createTable } from '../src/emulators/resources.ts';
import { connect } from './harness.ts';

it('a table that is deleted and created with another key takes items with the new key only', async () => {
  const { client } = connect(await startDynamoDb(), DynamoDB);
  const create = (key: string) =>
    createTable(
      {
        name: 'orders',
        keySchema: [{ AttributeName: key, KeyType: 'HASH' }],
        attributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
        globalIndexes: [],
        localIndexes: [],
      },
      client,
    );
  const put = (key: string) => client.putItem({ TableName: 'orders', Item: { [key]: { S: 'order-1' } } });
  await create('id');
  await put('id');
  await client.deleteTable({ TableName: 'orders' });
  await expect(put('id')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  await create('order_id');
  await put('order_id');
  await expect(put('id')).rejects.toThrow('Missing the key order_id in the item');
});
