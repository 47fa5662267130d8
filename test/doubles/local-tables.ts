import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable, type DynamoDbEmulator, startDynamoDb } from '@payhooks/cdk-local/emulators';
import { changesIndexName, eventAttributes, orderAttributes } from '../../lambdas/contract/schema.ts';

export interface LocalTables {
  readonly client: DynamoDBClient;
  readonly emulator: DynamoDbEmulator;
  close(): Promise<void>;
}

/** The tables `events` and `orders` in an embedded database, with the keys and the index of `schema.ts`. */
export async function startTables(): Promise<LocalTables> {
  const emulator = await startDynamoDb();
  const client = new DynamoDBClient({
    endpoint: emulator.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  });
  const events = keys(eventAttributes.key, eventAttributes.record);
  await createTable({ name: 'events', ...events, globalIndexes: [], localIndexes: [] }, client);
  const index = keys(orderAttributes.changeShard, orderAttributes.updatedAt);
  const { attributeDefinitions, keySchema } = keys(orderAttributes.key);
  const orders = {
    name: 'orders',
    attributeDefinitions: [...attributeDefinitions, ...index.attributeDefinitions],
    keySchema,
    globalIndexes: [
      {
        IndexName: changesIndexName,
        KeySchema: index.keySchema,
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
    localIndexes: [],
  };
  await createTable(orders, client);
  return {
    client,
    emulator,
    async close() {
      client.destroy();
      await emulator.close();
    },
  };
}

function keys(...names: string[]) {
  return {
    attributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    keySchema: names.map((AttributeName, index) => ({
      AttributeName,
      KeyType: index === 0 ? 'HASH' : 'RANGE',
    })),
  };
}
