import { createDynamoDb } from '../aws/dynamodb.ts';
import { createEventTable } from '../aws/event-table.ts';
import { createOrderTable } from '../aws/order-table.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { requiredVariable, variables } from '../environment.ts';
import { createOrderQuery } from './order-query.ts';

const dynamoDb = createDynamoDb();

export const handler = createOrderQuery({
  orders: createOrderTable(dynamoDb, requiredVariable(variables.ordersTableName)),
  events: createEventTable(dynamoDb, requiredVariable(variables.eventsTableName)),
  telemetry: createTelemetry(),
});
