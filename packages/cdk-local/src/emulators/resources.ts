import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  type LocalSecondaryIndex,
  ResourceInUseException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import {
  CreateSecretCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import {
  CreateQueueCommand,
  QueueNameExists,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { QueueModel, SecretModel, StackModel, TableModel } from '../template/model.ts';
import type { AwsClients } from './emulators.ts';

/** What a data directory holds does not fit the template. */
export class KeptResourceError extends Error {
  override readonly name = 'KeptResourceError';
}

/**
 * Creates what the template describes. What an earlier run left is kept: queues take the new settings,
 * secrets keep their value, and a table whose keys have changed is a `KeptResourceError`.
 */
export async function createResources(model: StackModel, clients: AwsClients): Promise<void> {
  const { sqs, dynamodb, secretsManager } = clients;
  // A dead-letter queue exists before the queue that names it.
  const queues = model.queues.toSorted(
    (left, right) => Number(left.deadLetterArn !== undefined) - Number(right.deadLetterArn !== undefined),
  );
  for (const queue of queues) await createQueue(queue, sqs);
  await Promise.all(model.tables.map((table) => createTable(table, dynamodb)));
  await Promise.all(model.secrets.map((secret) => createSecret(secret, secretsManager)));
}

async function createQueue({ name, url, attributes }: QueueModel, sqs: SQSClient): Promise<void> {
  const Attributes = { ...attributes };
  try {
    await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }));
  } catch (error) {
    if (!(error instanceof QueueNameExists)) throw error;
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes }));
  }
}

/** Creates a table, or keeps the one that is there, and resolves once it takes requests. */
export async function createTable(table: TableModel, dynamodb: DynamoDBClient): Promise<void> {
  const GlobalSecondaryIndexes = [...table.globalIndexes] as GlobalSecondaryIndex[];
  const LocalSecondaryIndexes = [...table.localIndexes] as LocalSecondaryIndex[];
  try {
    await dynamodb.send(
      new CreateTableCommand({
        TableName: table.name,
        KeySchema: [...table.keySchema] as KeySchemaElement[],
        AttributeDefinitions: [...table.attributeDefinitions] as AttributeDefinition[],
        BillingMode: 'PAY_PER_REQUEST',
        ...(GlobalSecondaryIndexes.length === 0 ? {} : { GlobalSecondaryIndexes }),
        ...(LocalSecondaryIndexes.length === 0 ? {} : { LocalSecondaryIndexes }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  const kept = await activeTable(table.name, dynamodb);
  if (keysOf(kept) !== keysOf(wanted(table))) {
    throw new KeptResourceError(
      `The data directory holds a table ${table.name} with other keys or indexes than the template's; ` +
        'choose another folder with --data-dir.',
    );
  }
}

const tableChecksMax = 200;
const tableCheckMilliseconds = 5;

async function activeTable(name: string, dynamodb: DynamoDBClient): Promise<TableDescription> {
  for (let check = 0; check < tableChecksMax; check += 1) {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: name }));
    if (Table?.TableStatus === 'ACTIVE') return Table;
    await pause(tableCheckMilliseconds);
  }
  throw new KeptResourceError(
    `The table ${name} was never finished, as when the first start on a data directory is killed; ` +
      'nothing was acknowledged then, so delete that folder.',
  );
}

const wanted = (table: TableModel): TableDescription => ({
  KeySchema: [...table.keySchema] as KeySchemaElement[],
  GlobalSecondaryIndexes: [...table.globalIndexes] as GlobalSecondaryIndex[],
  LocalSecondaryIndexes: [...table.localIndexes] as LocalSecondaryIndex[],
});

/** The part of a table that cannot be changed, as a text to compare. */
function keysOf({ KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes }: TableDescription): string {
  const keys = (schema: KeySchemaElement[] | undefined): string[] =>
    (schema ?? []).map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`);
  const indexes = [...(GlobalSecondaryIndexes ?? []), ...(LocalSecondaryIndexes ?? [])]
    .map((index) => [index.IndexName, ...keys(index.KeySchema)].join(' '))
    .toSorted();
  return JSON.stringify([keys(KeySchema), indexes]);
}

async function createSecret({ name }: SecretModel, secretsManager: SecretsManagerClient): Promise<void> {
  try {
    await secretsManager.send(new CreateSecretCommand({ Name: name }));
  } catch (error) {
    if (!(error instanceof ResourceExistsException)) throw error;
  }
}
