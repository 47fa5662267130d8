import { createDynamoDb } from '../aws/dynamodb.ts';
import { createEventTable } from '../aws/event-table.ts';
import { createKeyUseTable } from '../aws/key-use-table.ts';
import { createOrderTable } from '../aws/order-table.ts';
import { createPostpone } from '../aws/postpone.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { createTransactionTable } from '../aws/transaction-table.ts';
import { optionalCount, optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { readEventMeanings } from '../contract/event-meanings.ts';
import { createConsumer } from './consumer.ts';

const dynamoDb = createDynamoDb();
const eventsTableName = requiredVariable(variables.eventsTableName);

export const handler = createConsumer({
  events: createEventTable(dynamoDb, eventsTableName),
  transactions: createTransactionTable(dynamoDb, eventsTableName),
  orders: createOrderTable(dynamoDb, requiredVariable(variables.ordersTableName)),
  keyUses: createKeyUseTable(dynamoDb, eventsTableName),
  eventRetentionDays: optionalCount(variables.eventRetentionDays),
  now: () => new Date(),
  meaningOf: readEventMeanings(optionalVariable(variables.eventMeanings)),
  postpone: createPostpone(requiredVariable(variables.eventQueueUrl)),
  telemetry: createTelemetry(),
});
