import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  createTable,
  type DynamoDbEmulator,
  startDynamoDb,
  type TableModel,
} from '@payhooks/cdk-local/emulators';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { createEventTable } from '../../lambdas/aws/event-table.ts';
import { createKeyUseTable } from '../../lambdas/aws/key-use-table.ts';
import { createOrderTable } from '../../lambdas/aws/order-table.ts';
import { createTransactionTable } from '../../lambdas/aws/transaction-table.ts';
import type { RowFormat } from '../../lambdas/contract/row-format.ts';
import {
  changesIndexName,
  eventAttributes,
  orderAttributes,
  waitingIndexName,
} from '../../lambdas/contract/schema.ts';
import type { ConsumerStores } from './memory-stores.ts';

export interface LocalTables {
  readonly client: DynamoDBClient;
  readonly emulator: DynamoDbEmulator;
  close(): Promise<void>;
}

/** What the consumer writes to. */
export const tableWriter = (client: DynamoDBClient, format?: RowFormat): ConsumerStores => ({
  ...createKeyUseTable(client, 'events'),
  ...createEventTable(client, 'events', format),
  ...createTransactionTable(client, 'events', format),
  ...createOrderTable(client, 'orders', format),
});

/** Without the time limit of an attempt: on a loaded machine a request that was carried out would be repeated. */
export function createPatientHandler(): NodeHttpHandler {
  const handler = new NodeHttpHandler();
  const handle = handler.handle.bind(handler);
  handler.handle = (request, { abortSignal: _, ...options } = {}) => handle(request, options);
  return handler;
}

/** The tables `events` and `orders` in an embedded database, with the keys and the index of `schema.ts`. */
export async function startTables(): Promise<LocalTables> {
  const emulator = await startDynamoDb();
  const client = new DynamoDBClient({
    endpoint: emulator.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    requestHandler: createPatientHandler(),
  });
  const events = keys(eventAttributes.key, eventAttributes.record);
  const waiting = keys(eventAttributes.waiting, eventAttributes.recordedAt);
  const orders = keys(orderAttributes.key);
  const changes = keys(orderAttributes.changeShard, orderAttributes.updatedAt);
  await createTable(
    tableModel('events', events, { name: waitingIndexName, ...waiting, projection: 'ALL' }),
    client,
  );
  await createTable(
    tableModel('orders', orders, { name: changesIndexName, ...changes, projection: 'KEYS_ONLY' }),
    client,
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
    attributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    keySchema: names.map((AttributeName, index) => ({
      AttributeName,
      KeyType: index === 0 ? 'HASH' : 'RANGE',
    })),
  };
}

type Keys = ReturnType<typeof keys>;

function tableModel(
  name: string,
  table: Keys,
  index: Keys & { name: string; projection: string },
): TableModel {
  return {
    name,
    keySchema: table.keySchema,
    attributeDefinitions: [...table.attributeDefinitions, ...index.attributeDefinitions],
    globalIndexes: [
      {
        IndexName: index.name,
        KeySchema: index.keySchema,
        Projection: { ProjectionType: index.projection },
      },
    ],
    localIndexes: [],
  };
}
