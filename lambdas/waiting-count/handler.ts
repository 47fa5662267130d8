import { createDynamoDb } from '../aws/dynamodb.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { createWaitingIndex } from '../aws/waiting-index.ts';
import { requiredVariable, variables } from '../contract/environment.ts';
import { createWaitingCount } from './waiting-count.ts';

const events = { client: createDynamoDb(), name: requiredVariable(variables.eventsTableName) };

export const handler = createWaitingCount({
  waiting: createWaitingIndex(events),
  telemetry: createTelemetry(),
});
