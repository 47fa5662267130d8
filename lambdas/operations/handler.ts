import { createDynamoDb } from '../aws/dynamodb.ts';
import { createOperatorTables } from '../aws/operator-tables.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalCount, optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { readEventMeanings } from '../contract/event-meanings.ts';
import { createOperations } from './operations.ts';

export const handler = createOperations({
  ...createOperatorTables(createDynamoDb(), {
    events: requiredVariable(variables.eventsTableName),
    orders: requiredVariable(variables.ordersTableName),
  }),
  meaningOf: readEventMeanings(optionalVariable(variables.eventMeanings)),
  eventRetentionDays: optionalCount(variables.eventRetentionDays),
  now: () => new Date(),
  telemetry: createTelemetry(),
});
