import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { createSqsEvent, type TableModel } from '@payhooks/cdk-local/emulators';
import { type BuildOptions, build } from 'esbuild';
import { variables } from '../../lambdas/contract/environment.ts';
import { bundleFileOf } from '../../lib/lean-bundle.ts';
import { selfSigned } from '../../test/doubles/self-signed.ts';
import {
  webhookEvent as httpApiEvent,
  requestId,
  signatureHeader,
  startProduction,
  takeMessages,
} from '../cost-model/production.ts';
import type { FunctionCode } from './instance.ts';

export type PipelineName = 'payhooks' | 'baseline';
export type Stack = Awaited<ReturnType<typeof startStack>>;

const baselineTables = Object.entries({ events: 'id', orders: 'order_id', idempotency: 'id' }).map(
  ([name, key]): TableModel => ({
    name: `baseline-${name}`,
    keySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    attributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    globalIndexes: [],
    localIndexes: [],
  }),
);

/** Both pipelines on emulators of AWS, each with tables and a queue of its own. */
export async function startStack() {
  const bundles = await bundleBaseline();
  // AWS is called over TLS, whose first connection costs CPU time.
  const production = await startProduction(baselineTables, selfSigned());
  const { emulators, counter, functions, queueUrl } = production;
  const { sqs } = emulators.clients;
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'baseline' }));
  const payhooks = (stage: string): FunctionCode => {
    const { codeDirectory = '', environment = {} } = functions.find((one) => one.stage === stage) ?? {};
    const module = join(codeDirectory, 'index.mjs');
    const file = existsSync(module) ? module : join(codeDirectory, bundleFileOf(stage));
    // The certificate of the counter is its own.
    return { file, environment: { ...environment, NODE_TLS_REJECT_UNAUTHORIZED: '0' } };
  };
  const [receive, record, query] = [payhooks('verifier'), payhooks('consumer'), payhooks('order-query')];
  const usual = (file: string, service: string): FunctionCode => ({
    file,
    environment: {
      ...receive.environment,
      [variables.serviceName]: service,
      [variables.logLevel]: 'INFO',
      SIGNATURE_HEADER: signatureHeader,
      SECRET_ARN: receive.environment[variables.keySecretArn] ?? '',
      QUEUE_URL: QueueUrl.replace(emulators.endpoints.sqs, counter.url),
      EVENTS_TABLE_NAME: 'baseline-events',
      ORDERS_TABLE_NAME: 'baseline-orders',
      IDEMPOTENCY_TABLE_NAME: 'baseline-idempotency',
      POWERTOOLS_LOGGER_LOG_EVENT: 'true',
    },
  });
  return {
    functions: {
      payhooks: { receive, record, query },
      baseline: { receive: usual(bundles.receive, 'receive'), record: usual(bundles.record, 'record') },
    },
    sqs,
    queueUrls: { payhooks: queueUrl, baseline: QueueUrl },
    dynamoDb: emulators.clients.dynamodb,
    calls: counter.calls,
    async stop() {
      await production.stop();
      rmSync(bundles.folder, { recursive: true });
    },
  };
}

/** How most people bundle for Lambda: one minified ES module with the SDK. */
const usualOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  // Some packages still call `require`, which an ES module does not have.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
} satisfies BuildOptions;

/** The functions of the baseline. */
async function bundleBaseline() {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-baseline-'));
  const entryPoints = ['receive', 'record'].map((name) => join(import.meta.dirname, `functions/${name}.ts`));
  await build({ ...usualOptions, entryPoints, outdir: folder, outExtension: { '.js': '.mjs' } });
  return { folder, receive: join(folder, 'receive.mjs'), record: join(folder, 'record.mjs') };
}

/** What the API passes on: of an HTTP API for payhooks, of a REST API for the baseline. */
export function webhookEvent(name: PipelineName, body: Uint8Array, signature?: string): object {
  const event = httpApiEvent(body, signature);
  if (name === 'payhooks') return event;
  const path = '/webhooks/payments';
  return { ...event, httpMethod: 'POST', path, resource: path, requestContext: { requestId, path } };
}

/** So many messages of a pipeline's queue, each as a batch of its own; the queue then forgets them. */
export async function takeBatches({ sqs, queueUrls }: Stack, name: PipelineName, count: number) {
  const batches: object[] = [];
  while (batches.length < count)
    for (const message of await takeMessages(sqs, queueUrls[name]))
      batches.push(createSqsEvent([message], 'arn:aws:sqs:us-east-1:000000000000:events'));
  return batches;
}
