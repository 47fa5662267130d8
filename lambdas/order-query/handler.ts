import { createDynamoDb } from '../aws/dynamodb.ts';
import { createReaders } from '../aws/tables.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalCount, requiredVariable, variables } from '../contract/environment.ts';
import { createOrderQuery } from './routes.ts';

const events = requiredVariable(variables.eventsTableName);
const orders = requiredVariable(variables.ordersTableName);

export const handler = createOrderQuery({
  ...createReaders(createDynamoDb(), { events, orders }, optionalCount(variables.sequenceBase)),
  now: Date.now,
  telemetry: createTelemetry(),
});
