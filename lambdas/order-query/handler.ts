import { createDynamoDb } from '../aws/dynamodb.ts';
import { createQueryTables } from '../aws/tables.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalCount, requiredCount, requiredVariable, variables } from '../contract/environment.ts';
import { createOrderQuery } from './order-query.ts';

export const handler = createOrderQuery({
  ...createQueryTables(
    createDynamoDb(),
    {
      events: requiredVariable(variables.eventsTableName),
      orders: requiredVariable(variables.ordersTableName),
    },
    { sequenceBase: optionalCount(variables.sequenceBase) ?? 0 },
  ),
  now: Date.now,
  changesSettleSeconds: requiredCount(variables.changesSettleSeconds),
  telemetry: createTelemetry(),
});
