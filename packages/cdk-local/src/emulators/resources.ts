import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  type LocalSecondaryIndex,
  ResourceInUseException,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { ResourceExistsException } from '@aws-sdk/client-secrets-manager';
import { QueueNameExists, type SQS } from '@aws-sdk/client-sqs';
import type { QueueModel, TableModel } from '../template/resources.ts';
import type { StageVariable } from '../template/stage-variables.ts';
import type { StackModel } from '../template/template.ts';
import type { Emulators } from './emulators.ts';

/** The content of a data directory does not fit the template. */
export class KeptResourceError extends Error {
  override readonly name = 'KeptResourceError';
}

/**
 * Creates the resources of the template. What an earlier run left is kept: queues get the new settings,
 * secrets keep their value, and a table whose keys have changed is a `KeptResourceError`.
 */
export async function createResources(
  model: StackModel,
  { clients, eventBridge }: Pick<Emulators, 'clients' | 'eventBridge'>,
): Promise<void> {
  const { sqs, dynamodb, secretsManager } = clients;
  for (const { name } of model.buses) eventBridge.createBus(name);
  // A dead-letter queue exists before the queue that names it.
  const queues = model.queues.toSorted(
    (left, right) => Number(left.deadLetterArn !== undefined) - Number(right.deadLetterArn !== undefined),
  );
  for (const queue of queues) await createQueue(queue, sqs);
  await Promise.all(model.tables.map((table) => createTable(table, dynamodb)));
  for (const { name: Name, value: SecretString } of model.secrets) {
    const created = secretsManager.createSecret({ Name, ...(SecretString && { SecretString }) });
    await created.catch(unless(ResourceExistsException));
  }
}

/** The variables of every stage, by API, with the current values of secrets. */
export async function resolveStageVariables(
  { stageVariables }: Pick<StackModel, 'stageVariables'>,
  { clients: { secretsManager } }: Pick<Emulators, 'clients'>,
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const resolve = async ({ name, value, secretArn: SecretId }: StageVariable) => {
    const resolved = SecretId === undefined ? undefined : await secretsManager.getSecretValue({ SecretId });
    return [name, resolved?.SecretString ?? value] as const;
  };
  const stages = [...stageVariables].map(async ([apiId, variables]) => {
    return [apiId, Object.fromEntries(await Promise.all(variables.map(resolve)))] as const;
  });
  return new Map(await Promise.all(stages));
}

/** Passes over one kind of error. */
function unless(expected: abstract new (...given: never[]) => Error): (error: unknown) => undefined {
  return function rethrowOthers(error) {
    if (!(error instanceof expected)) throw error;
  };
}

async function createQueue({ name, url, attributes }: QueueModel, sqs: SQS): Promise<void> {
  const Attributes = { ...attributes };
  const create = sqs.createQueue({ QueueName: name, Attributes });
  if ((await create.catch(unless(QueueNameExists))) !== undefined) return;
  await sqs.setQueueAttributes({ QueueUrl: url, Attributes });
}

/** Creates a table, or keeps an existing one, and resolves once it is active. */
export async function createTable(table: TableModel, dynamodb: DynamoDBClient): Promise<void> {
  const { KeySchema, GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = wanted(table);
  const create = new CreateTableCommand({
    TableName: table.name,
    KeySchema,
    AttributeDefinitions: [...table.attributeDefinitions] as AttributeDefinition[],
    BillingMode: 'PAY_PER_REQUEST',
    ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
    ...(LocalSecondaryIndexes.length > 0 && { LocalSecondaryIndexes }),
  });
  await dynamodb.send(create).catch(unless(ResourceInUseException));
  const existing = await activeTable(table.name, dynamodb);
  if (keysOf(existing) !== keysOf(wanted(table))) {
    throw new KeptResourceError(
      `The data directory holds a table ${table.name} with other keys or indexes than the template's; ` +
        'choose another data directory.',
    );
  }
  await setFeatures(table, existing, dynamodb);
}

/** What CreateTable does not set here. */
async function setFeatures(
  table: TableModel,
  existing: TableDescription,
  dynamodb: DynamoDBClient,
): Promise<void> {
  const { name: TableName, isProtected = false, isRecoverable = false, expiryAttribute, stream } = table;
  const isNewStream = stream !== undefined && existing.LatestStreamArn === undefined;
  const StreamSpecification = { StreamEnabled: true, StreamViewType: stream?.viewType };
  await dynamodb.send(
    new UpdateTableCommand({
      ...{ TableName, DeletionProtectionEnabled: isProtected },
      ...(isNewStream && { StreamSpecification }),
    }),
  );
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: isRecoverable };
  await dynamodb.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  const described = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }));
  if (expiryAttribute === described.TimeToLiveDescription?.AttributeName) return;
  const AttributeName = expiryAttribute ?? described.TimeToLiveDescription?.AttributeName;
  const TimeToLiveSpecification = { Enabled: expiryAttribute !== undefined, AttributeName };
  await dynamodb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
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
    `The table ${name} is incomplete: the first start on this data directory was killed. ` +
      'Nothing was acknowledged then, so delete the folder.',
  );
}

const wanted = (table: TableModel) => ({
  KeySchema: [...table.keySchema] as KeySchemaElement[],
  GlobalSecondaryIndexes: [...table.globalIndexes] as GlobalSecondaryIndex[],
  LocalSecondaryIndexes: [...table.localIndexes] as LocalSecondaryIndex[],
});

/** The part of a table that cannot be changed, as text. */
function keysOf({ KeySchema, GlobalSecondaryIndexes, LocalSecondaryIndexes }: TableDescription): string {
  const keys = (schema: KeySchemaElement[] | undefined): string[] =>
    (schema ?? []).map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`);
  const indexes = [...(GlobalSecondaryIndexes ?? []), ...(LocalSecondaryIndexes ?? [])]
    .map((index) => [index.IndexName, ...keys(index.KeySchema)].join(' '))
    .toSorted();
  return JSON.stringify([keys(KeySchema), indexes]);
}
