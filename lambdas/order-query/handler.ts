import { createDynamoDb } from '../aws/dynamodb.ts';
import { createQueryTables } from '../aws/query-tables.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalVariable, requiredCount, requiredVariable, variables } from '../contract/environment.ts';
import { readEventMeanings } from '../contract/event-meanings.ts';
import { createOrderQuery } from './order-query.ts';

export const handler = createOrderQuery({
  ...createQueryTables(createDynamoDb(), {
    events: requiredVariable(variables.eventsTableName),
    orders: requiredVariable(variables.ordersTableName),
  }),
  now: Date.now,
  changesSettleSeconds: requiredCount(variables.changesSettleSeconds),
  meaningOf: readEventMeanings(optionalVariable(variables.eventMeanings)),
  telemetry: createTelemetry(),
});
