import { createDynamoDb } from '../aws/dynamodb.ts';
import { createReaders } from '../aws/tables.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalCount, optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { createOrderQuery } from './routes.ts';

const events = requiredVariable(variables.eventsTableName);
const orders = requiredVariable(variables.ordersTableName);

const readers = createReaders(createDynamoDb(), { events, orders }, optionalCount(variables.sequenceBase));

export const handler = createOrderQuery({
  ...readers,
  transactions:
    optionalVariable(variables.noTransactionRows) === undefined ? readers.transactions : undefined,
  changes: optionalVariable(variables.noChangesIndex) === undefined ? readers.changes : undefined,
  now: Date.now,
  telemetry: createTelemetry(),
});
