import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  createTable,
  type DynamoDbEmulator,
  startDynamoDb,
  type TableModel,
} from '@payhooks/cdk-local/emulators';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { createTables } from '../../lambdas/aws/tables.ts';
import {
  changesIndexName,
  eventAttributes,
  orderAttributes,
  waitingAttributes,
  waitingIndexName,
} from '../../lambdas/contract/schema.ts';
import type { MemoryPorts } from './memory-store.ts';

export interface LocalTables {
  readonly client: DynamoDBClient;
  readonly emulator: DynamoDbEmulator;
  close(): Promise<void>;
}

/** The ports of both tables, with the tables behind them. */
export const openTables = (client: DynamoDBClient, sequenceBase = 0): MemoryPorts =>
  createTables(client, { events: 'events', orders: 'orders' }, sequenceBase);

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
  const listed = { ProjectionType: 'INCLUDE', NonKeyAttributes: [...waitingAttributes] };
  await createTable(
    tableModel('events', events, { name: waitingIndexName, ...waiting, projection: listed }),
    client,
  );
  const keysOnly = { ProjectionType: 'KEYS_ONLY' };
  await createTable(
    tableModel('orders', orders, { name: changesIndexName, ...changes, projection: keysOnly }),
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
  index: Keys & { name: string; projection: object },
): TableModel {
  return {
    name,
    keySchema: table.keySchema,
    attributeDefinitions: [...table.attributeDefinitions, ...index.attributeDefinitions],
    globalIndexes: [
      {
        IndexName: index.name,
        KeySchema: index.keySchema,
        Projection: index.projection,
      },
    ],
    localIndexes: [],
  };
}
