import { createDynamoDb } from '../aws/dynamodb.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { createWaitingIndex } from '../aws/waiting-index.ts';
import { optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { readEventMeanings } from '../contract/event-meanings.ts';
import { createWaitingCount } from './waiting-count.ts';

export const handler = createWaitingCount({
  waiting: createWaitingIndex(createDynamoDb(), requiredVariable(variables.eventsTableName)),
  meaningOf: readEventMeanings(optionalVariable(variables.eventMeanings)),
  now: Date.now,
  telemetry: createTelemetry(),
});
