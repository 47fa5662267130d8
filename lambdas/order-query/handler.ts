import { createChangeIndex } from '../aws/change-index.ts';
import { createDynamoDb } from '../aws/dynamodb.ts';
import { createEventTable } from '../aws/event-table.ts';
import { createOrderTable } from '../aws/order-table.ts';
import { createOrderWaiting } from '../aws/order-waiting.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalVariable, requiredCount, requiredVariable, variables } from '../contract/environment.ts';
import { readEventMeanings } from '../contract/event-meanings.ts';
import { createOrderQuery } from './order-query.ts';

const dynamoDb = createDynamoDb();
const eventsTableName = requiredVariable(variables.eventsTableName);
const ordersTableName = requiredVariable(variables.ordersTableName);

export const handler = createOrderQuery({
  changes: createChangeIndex(dynamoDb, ordersTableName),
  orders: createOrderTable(dynamoDb, ordersTableName),
  events: createEventTable(dynamoDb, eventsTableName),
  waiting: createOrderWaiting(dynamoDb, eventsTableName),
  now: Date.now,
  changesSettleSeconds: requiredCount(variables.changesSettleSeconds),
  meaningOf: readEventMeanings(optionalVariable(variables.eventMeanings)),
  telemetry: createTelemetry(),
});
