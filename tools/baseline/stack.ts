import { rmSync } from 'node:fs';
import { devNull } from 'node:os';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { credentials, region } from '@payhooks/cdk-local';
import { createTable, startSecretsManager, startSqs } from '@payhooks/cdk-local/emulators';
import { variables } from '../../lambdas/contract/environment.ts';
import { startTables } from '../../test/doubles/local-tables.ts';
import { bundlePipelines } from './bundles.ts';
import { startFront } from './front.ts';
import type { FunctionCode } from './instance.ts';

export type PipelineName = 'payhooks' | 'baseline';
export type Stack = Awaited<ReturnType<typeof startStack>>;

/** Keeps both apart, and is as long as a real one. */
export const privateKey = `pri_${'0123456789abcdef'.repeat(2)}`;
export const signatureHeader = 'x-signature';
const secretName = 'private-key';

/** Both pipelines on emulators of AWS, each with tables and a queue of its own. */
export async function startStack() {
  const bundles = await bundlePipelines();
  const tables = await startTables();
  for (const [name, key] of Object.entries(baselineTables))
    await createTable(tableOf(name, key), tables.client);
  const [queues, secrets] = await Promise.all([startSqs(), startSecretsManager()]);
  const sqs = new SQS({ endpoint: queues.endpoint, region, credentials });
  const secretsManager = new SecretsManager({ endpoint: secrets.endpoint, region, credentials });
  await secretsManager.createSecret({ Name: secretName, SecretString: privateKey });
  const front = await startFront({
    dynamodb: tables.emulator.endpoint,
    sqs: queues.endpoint,
    secretsmanager: secrets.endpoint,
  });
  const queueUrls = {
    payhooks: await createQueue(sqs, 'payhooks'),
    baseline: await createQueue(sqs, 'baseline'),
  };
  const onFront = (name: PipelineName) => queueUrls[name].replace(queues.endpoint, front.url);
  const environment = lambdaEnvironment(front.url);
  const own = { ...environment, ...payhooksVariables(onFront('payhooks')) };
  const usual = { ...environment, ...baselineVariables(onFront('baseline')) };
  const code = (file: string, given: Record<string, string>, service: string): FunctionCode => ({
    file,
    environment: { ...given, [variables.serviceName]: service },
  });
  return {
    functions: {
      payhooks: {
        receive: code(bundles.payhooks.receive, own, 'verifier'),
        record: code(bundles.payhooks.record, own, 'consumer'),
      },
      baseline: {
        receive: code(bundles.baseline.receive, usual, 'receive'),
        record: code(bundles.baseline.record, usual, 'record'),
      },
    },
    sqs,
    queueUrls,
    dynamoDb: tables.client,
    calls: front.calls,
    async stop() {
      for (const client of [sqs, secretsManager]) client.destroy();
      for (const one of [front, queues, secrets, tables]) await one.close();
      rmSync(bundles.folder, { recursive: true });
    },
  };
}

async function createQueue(sqs: SQS, QueueName: string): Promise<string> {
  const { QueueUrl } = await sqs.createQueue({ QueueName });
  if (QueueUrl === undefined) throw new Error(`SQS gave no URL for the queue ${QueueName}.`);
  return QueueUrl;
}

const baselineTables = {
  'baseline-events': 'id',
  'baseline-orders': 'order_id',
  'baseline-idempotency': 'id',
};

const tableOf = (name: string, key: string) => ({
  name,
  keySchema: [{ AttributeName: key, KeyType: 'HASH' }],
  attributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
  globalIndexes: [],
  localIndexes: [],
});

/** What Lambda sets for every function, with the front in place of AWS. */
const lambdaEnvironment = (url: string): Record<string, string> => ({
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'function',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_ENDPOINT_URL_DYNAMODB: url,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
  AWS_ENDPOINT_URL_SQS: url,
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  // The front's certificate is its own.
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  [variables.metricsNamespace]: 'measured',
});

const payhooksVariables = (queueUrl: string): Record<string, string> => ({
  [variables.signatureHeader]: signatureHeader,
  [variables.keySecretArn]: secretName,
  [variables.eventQueueUrl]: queueUrl,
  [variables.eventsTableName]: 'events',
  [variables.ordersTableName]: 'orders',
});

const baselineVariables = (queueUrl: string): Record<string, string> => ({
  SIGNATURE_HEADER: signatureHeader,
  SECRET_ARN: secretName,
  QUEUE_URL: queueUrl,
  EVENTS_TABLE_NAME: 'baseline-events',
  ORDERS_TABLE_NAME: 'baseline-orders',
  IDEMPOTENCY_TABLE_NAME: 'baseline-idempotency',
  POWERTOOLS_LOGGER_LOG_EVENT: 'true',
});
