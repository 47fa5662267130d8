import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable, startDynamoDb } from '@payhooks/cdk-local/emulators';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { createTables } from '../../lambdas/aws/tables.ts';
import { tables } from '../../tools/simulation/aws/dynamodb/tables.ts';
import type { MemoryPorts } from './memory-store.ts';

export type LocalTables = Awaited<ReturnType<typeof startTables>>;

/** The ports of both tables, with the tables behind them. */
export const openTables = (client: DynamoDBClient, sequenceBase = 0): MemoryPorts =>
  createTables(client, { events: 'events', orders: 'orders' }, sequenceBase);

/** Without the time limit of an attempt: on a loaded machine a request that was carried out would be repeated. */
function createPatientHandler(): NodeHttpHandler {
  const handler = new NodeHttpHandler();
  const handle = handler.handle.bind(handler);
  handler.handle = (request, { abortSignal: _, ...options } = {}) => handle(request, options);
  return handler;
}

/** The tables `events` and `orders` in an embedded database, with the keys and the indexes of the template. */
export async function startTables() {
  const emulator = await startDynamoDb();
  const client = new DynamoDBClient({
    endpoint: emulator.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    requestHandler: createPatientHandler(),
  });
  for (const table of Object.values(tables)) {
    const { TableName: name, KeySchema: keySchema, AttributeDefinitions: attributeDefinitions } = table;
    const indexes = { globalIndexes: table.GlobalSecondaryIndexes, localIndexes: [] };
    await createTable({ name, keySchema, attributeDefinitions, ...indexes }, client);
  }
  return {
    client,
    emulator,
    async close(): Promise<void> {
      client.destroy();
      await emulator.close();
    },
  };
}
