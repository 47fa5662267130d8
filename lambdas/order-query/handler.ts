import { createChangeIndex } from '../aws/change-index.ts';
import { createDynamoDb } from '../aws/dynamodb.ts';
import { createEventTable } from '../aws/event-table.ts';
import { createOrderTable } from '../aws/order-table.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { requiredVariable, variables } from '../contract/environment.ts';
import { createOrderQuery } from './order-query.ts';

const dynamoDb = createDynamoDb();
const ordersTableName = requiredVariable(variables.ordersTableName);

export const handler = createOrderQuery({
  changes: createChangeIndex(dynamoDb, ordersTableName),
  orders: createOrderTable(dynamoDb, ordersTableName),
  events: createEventTable(dynamoDb, requiredVariable(variables.eventsTableName)),
  now: Date.now,
  telemetry: createTelemetry(),
});
