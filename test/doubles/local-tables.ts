import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { changesIndexName, eventAttributes, orderAttributes } from '../../lambdas/schema.ts';
import { type DynamoDbEmulator, startDynamoDb } from '../../local/emulators/dynamodb.ts';

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
  await client.send(
    new CreateTableCommand({ TableName: 'events', ...keys(eventAttributes.key, eventAttributes.record) }),
  );
  const index = keys(orderAttributes.changeShard, orderAttributes.updatedAt);
  const table = keys(orderAttributes.key);
  await client.send(
    new CreateTableCommand({
      TableName: 'orders',
      ...table,
      AttributeDefinitions: [...table.AttributeDefinitions, ...index.AttributeDefinitions],
      GlobalSecondaryIndexes: [
        {
          IndexName: changesIndexName,
          KeySchema: index.KeySchema,
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
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
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
    KeySchema: names.map((AttributeName, index) => ({
      AttributeName,
      KeyType: index === 0 ? ('HASH' as const) : ('RANGE' as const),
    })),
    BillingMode: 'PAY_PER_REQUEST' as const,
  };
}
