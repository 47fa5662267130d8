import { createDynamoDb } from '../aws/dynamodb.ts';
import { createPostpone } from '../aws/queues.ts';
import { createSecretReader } from '../aws/secret-reader.ts';
import { createTables } from '../aws/tables.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalCount, optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { readEventMeanings } from '../contract/event-meanings.ts';
import { withoutTransactions } from '../projection/without-transactions.ts';
import { createKeyRing, sealKeys } from '../verifier/key-ring.ts';
import { createConsumer } from './consumer.ts';
import { createClassify } from './receive.ts';

const tables = {
  events: requiredVariable(variables.eventsTableName),
  orders: requiredVariable(variables.ordersTableName),
};

const { store, ...ports } = createTables(createDynamoDb(), tables);
const hasTransactions = optionalVariable(variables.noTransactionRows) === undefined;
const telemetry = createTelemetry();
const readSecret = createSecretReader(requiredVariable(variables.sealSecretArn));

export const handler = createConsumer({
  ...ports,
  store: hasTransactions ? store : withoutTransactions(store),
  eventRetentionDays: optionalCount(variables.eventRetentionDays),
  sealKeys: createKeyRing({ readSecret, source: sealKeys, now: Date.now, telemetry }),
  now: () => new Date(),
  classify: createClassify(readEventMeanings(optionalVariable(variables.eventMeanings))),
  postpone: createPostpone(requiredVariable(variables.eventQueueUrl)),
  telemetry,
});
