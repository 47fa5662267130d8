import { createDynamoDb } from '../aws/dynamodb.ts';
import { createSecretReader } from '../aws/secret-reader.ts';
import { createTables } from '../aws/tables.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { createClassify } from '../consumer/receive.ts';
import { optionalCount, optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { readEventMeanings } from '../contract/event-meanings.ts';
import { sha256Of } from '../domain/fact.ts';
import { createForgeryCheck } from '../http-api/own-requests.ts';
import { createOperations } from './routes.ts';

const eventMeanings = optionalVariable(variables.eventMeanings);
const meaningOf = readEventMeanings(eventMeanings);
const events = requiredVariable(variables.eventsTableName);
const orders = requiredVariable(variables.ordersTableName);

const forgeryOf = createForgeryCheck({
  ownApi: requiredVariable(variables.ownApi),
  readProof: createSecretReader(requiredVariable(variables.proofSecretArn)),
});
const parts = {
  ...createTables(createDynamoDb(), { events, orders }, optionalCount(variables.sequenceBase)),
  classify: createClassify(meaningOf),
  meaningOf,
  meaningsId: sha256Of(eventMeanings ?? '').slice(0, 16),
  eventRetentionDays: optionalCount(variables.eventRetentionDays),
  now: () => new Date(),
  telemetry: createTelemetry(),
};

export const handler = createOperations(parts, forgeryOf);
