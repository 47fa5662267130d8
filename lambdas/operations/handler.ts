import { createDynamoDb } from '../aws/dynamodb.ts';
import { createEventTable } from '../aws/event-table.ts';
import { createOrderTable } from '../aws/order-table.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { createTransactionTable } from '../aws/transaction-table.ts';
import { createWaitingIndex } from '../aws/waiting-index.ts';
import { optionalCount, optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { readEventMeanings } from '../contract/event-meanings.ts';
import { createOperations } from './operations.ts';

const dynamoDb = createDynamoDb();
const eventsTableName = requiredVariable(variables.eventsTableName);

export const handler = createOperations({
  events: createEventTable(dynamoDb, eventsTableName),
  transactions: createTransactionTable(dynamoDb, eventsTableName),
  orders: createOrderTable(dynamoDb, requiredVariable(variables.ordersTableName)),
  waiting: createWaitingIndex(dynamoDb, eventsTableName),
  meaningOf: readEventMeanings(optionalVariable(variables.eventMeanings)),
  eventRetentionDays: optionalCount(variables.eventRetentionDays),
  now: () => new Date(),
  telemetry: createTelemetry(),
});
