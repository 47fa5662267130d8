import { setTimeout as pause } from 'node:timers/promises';
import { createAttentionTable } from '../aws/attention-table.ts';
import { createDynamoDb } from '../aws/dynamodb.ts';
import { createEventBus } from '../aws/event-bus.ts';
import { createOrderReader } from '../aws/order-table.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalCount, requiredVariable, variables } from '../contract/environment.ts';
import { createOrderFeed } from './order-feed.ts';

const client = createDynamoDb();
const table = { client, name: requiredVariable(variables.ordersTableName) };
const sequenceBase = optionalCount(variables.sequenceBase) ?? 0;

export const handler = createOrderFeed({
  bus: createEventBus(requiredVariable(variables.feedBusName)),
  orders: createOrderReader(table, sequenceBase),
  markAttention: createAttentionTable({ client, name: requiredVariable(variables.eventsTableName) }),
  pause,
  sequenceBase,
  telemetry: createTelemetry(),
});
