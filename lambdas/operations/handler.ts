import { createDynamoDb } from '../aws/dynamodb.ts';
import { createOperatorTables } from '../aws/operator-tables.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalCount, optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { readEventMeanings } from '../contract/event-meanings.ts';
import { readRowFormat } from '../contract/row-format.ts';
import { createOperations } from './operations.ts';

const tables = {
  events: requiredVariable(variables.eventsTableName),
  orders: requiredVariable(variables.ordersTableName),
};
const rowFormat = readRowFormat();

export const handler = createOperations({
  ...createOperatorTables(createDynamoDb(), tables, rowFormat),
  rowFormat,
  meaningOf: readEventMeanings(optionalVariable(variables.eventMeanings)),
  eventRetentionDays: optionalCount(variables.eventRetentionDays),
  now: () => new Date(),
  telemetry: createTelemetry(),
});
