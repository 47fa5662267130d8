import { rmSync } from 'node:fs';
import { devNull } from 'node:os';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { credentials, region } from '@payhooks/cdk-local';
import {
  createSqsEvent,
  createTable,
  startSecretsManager,
  startSqs,
  type TableModel,
} from '@payhooks/cdk-local/emulators';
import { variables } from '../../lambdas/contract/environment.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { startTables } from '../../test/doubles/local-tables.ts';
import { selfSigned } from '../../test/doubles/self-signed.ts';
import { startCallCounter } from '../cost-model/call-counter.ts';
import { bundlePipelines } from './bundles.ts';
import type { FunctionCode } from './instance.ts';

export type PipelineName = 'payhooks' | 'baseline';
export type Stack = Awaited<ReturnType<typeof startStack>>;

/** Keeps both apart, and is as long as a real one. */
const privateKey = `pri_${'0123456789abcdef'.repeat(2)}`;
const signatureHeader = 'x-signature';
const secretName = 'private-key';

/** Both pipelines on emulators of AWS, each with tables and a queue of its own. */
export async function startStack() {
  const bundles = await bundlePipelines();
  const tables = await startTables();
  for (const table of baselineTables) await createTable(table, tables.client);
  const [queues, secrets] = await Promise.all([startSqs(), startSecretsManager()]);
  const sqs = new SQS({ endpoint: queues.endpoint, region, credentials });
  const secretsManager = new SecretsManager({ endpoint: secrets.endpoint, region, credentials });
  await secretsManager.createSecret({ Name: secretName, SecretString: privateKey });
  // AWS is called over TLS, whose first connection costs CPU time.
  const front = await startCallCounter(
    { dynamodb: tables.emulator.endpoint, sqs: queues.endpoint, secretsmanager: secrets.endpoint },
    baselineTables,
    selfSigned(),
  );
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
      await front.stop();
      for (const one of [queues, secrets, tables]) await one.close();
      rmSync(bundles.folder, { recursive: true });
    },
  };
}

async function createQueue(sqs: SQS, QueueName: string): Promise<string> {
  const { QueueUrl } = await sqs.createQueue({ QueueName });
  if (QueueUrl === undefined) throw new Error(`SQS gave no URL for the queue ${QueueName}.`);
  return QueueUrl;
}

const baselineTables = Object.entries({ events: 'id', orders: 'order_id', idempotency: 'id' }).map(
  ([name, key]): TableModel => ({
    name: `baseline-${name}`,
    keySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    attributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    globalIndexes: [],
    localIndexes: [],
  }),
);

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

/** What the API passes on: of an HTTP API for payhooks, of a REST API for the baseline. */
export function webhookEvent(
  name: PipelineName,
  body: Uint8Array,
  signature = sign(createSigningKey(privateKey), body),
): object {
  const headers = { 'content-type': 'application/json', [signatureHeader]: signature };
  const common = { isBase64Encoded: false, headers, body: Buffer.from(body).toString() };
  // As long as API Gateway's.
  const requestId = 'JKJaXmPLvHcESHA=';
  if (name === 'payhooks') return { ...common, requestContext: { requestId, http: {} } };
  const path = '/webhooks/payments';
  return { ...common, httpMethod: 'POST', path, resource: path, requestContext: { requestId, path } };
}

/** So many messages of a pipeline's queue, each as a batch of its own; the queue then forgets them. */
export async function takeBatches({ sqs, queueUrls }: Stack, name: PipelineName, count: number) {
  const QueueUrl = queueUrls[name];
  const all = { MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['All' as const] };
  const batches: object[] = [];
  while (batches.length < count) {
    const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10, ...all });
    for (const message of Messages) {
      await sqs.deleteMessage({ QueueUrl, ReceiptHandle: message.ReceiptHandle });
      batches.push(createSqsEvent([message], 'arn:aws:sqs:us-east-1:000000000000:events'));
    }
  }
  return batches;
}
