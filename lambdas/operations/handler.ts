import { createDynamoDb } from '../aws/dynamodb.ts';
import { withEvidence } from '../aws/evidence.ts';
import { createSecretReader } from '../aws/secret-reader.ts';
import { createTables } from '../aws/tables.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { createClassify } from '../consumer/receive.ts';
import { optionalCount, optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { readEventMeanings } from '../contract/event-meanings.ts';
import { sha256Of } from '../domain/fact.ts';
import { createForgeryCheck } from '../http-api/own-requests.ts';
import { withoutTransactions } from '../projection/without-transactions.ts';
import { readApprovals } from './approvals.ts';
import { createOperations } from './routes.ts';

const eventMeanings = optionalVariable(variables.eventMeanings);
const meaningOf = readEventMeanings(eventMeanings);
const events = requiredVariable(variables.eventsTableName);
const orders = requiredVariable(variables.ordersTableName);
const telemetry = createTelemetry();
const tables = createTables(createDynamoDb(), { events, orders }, optionalCount(variables.sequenceBase));
const hasTransactions = optionalVariable(variables.noTransactionRows) === undefined;
const store = hasTransactions ? tables.store : withoutTransactions(tables.store);

const forgeryOf = createForgeryCheck({
  ownApi: requiredVariable(variables.ownApi),
  readProof: createSecretReader(requiredVariable(variables.proofSecretArn)),
});
const parts = {
  ...tables,
  store: { ...store, commit: withEvidence(store.commit, telemetry) },
  classify: createClassify(meaningOf),
  meaningOf,
  meaningsId: sha256Of(eventMeanings ?? '').slice(0, 16),
  approvals: readApprovals(optionalVariable(variables.approvals)),
  eventRetentionDays: optionalCount(variables.eventRetentionDays),
  now: () => new Date(),
  telemetry,
};

export const handler = createOperations(parts, forgeryOf);
