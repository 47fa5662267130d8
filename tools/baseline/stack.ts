import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateQueueCommand, type Message } from '@aws-sdk/client-sqs';
import { createSqsEvent, type TableModel } from '@payhooks/cdk-local/emulators';
import { build as esbuild } from 'esbuild';
import { variables } from '../../lambdas/contract/environment.ts';
import { bundleFileOf } from '../../lib/lean-bundle.ts';
import { selfSigned } from '../../test/doubles/self-signed.ts';
import { signatureHeader, startProduction, takeMessages } from '../cost-model/production.ts';
import type { FunctionCode } from './instance.ts';

export const otherBuilds = ['usual', 'lean'] as const;
export type OtherBuild = (typeof otherBuilds)[number];
export type PipelineName = 'payhooks' | OtherBuild;
export type Stack = Awaited<ReturnType<typeof startStack>>;

const tablesOf = (build: OtherBuild): TableModel[] =>
  Object.entries({ events: 'id', orders: 'order_id' }).map(([name, key]) => ({
    name: `${build}-${name}`,
    keySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    attributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    globalIndexes: [],
    localIndexes: [],
  }));

/** All pipelines on emulators of AWS, each with tables and a queue of its own. */
export async function startStack() {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-builds-'));
  // AWS is called over TLS, whose first connection costs CPU time.
  const production = await startProduction(otherBuilds.flatMap(tablesOf), selfSigned());
  const { emulators, counter, functions, queueUrl } = production;
  const { sqs } = emulators.clients;
  const payhooks = (stage: string): FunctionCode => {
    const { codeDirectory = '', environment = {} } = functions.find((one) => one.stage === stage) ?? {};
    const module = join(codeDirectory, 'index.mjs');
    const file = existsSync(module) ? module : join(codeDirectory, bundleFileOf(stage));
    // The certificate of the counter is its own.
    return { file, environment: { ...environment, NODE_TLS_REJECT_UNAUTHORIZED: '0' } };
  };
  const [receive, record, query] = [payhooks('verifier'), payhooks('consumer'), payhooks('order-query')];
  const startBuild = async (build: OtherBuild) => {
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: build }));
    await bundle(build, join(folder, build));
    const code = (name: string): FunctionCode => ({
      file: join(folder, build, name + extensions[build]),
      environment: {
        ...receive.environment,
        [variables.serviceName]: name,
        [variables.logLevel]: 'INFO',
        POWERTOOLS_METRICS_NAMESPACE: 'Webhooks',
        SIGNATURE_HEADER: signatureHeader,
        SECRET_ARN: receive.environment[variables.keySecretArn] ?? '',
        QUEUE_URL: QueueUrl.replace(emulators.endpoints.sqs, counter.url),
        EVENTS_TABLE_NAME: `${build}-events`,
        ORDERS_TABLE_NAME: `${build}-orders`,
      },
    });
    return { queueUrl: QueueUrl, functions: { receive: code('receive'), record: code('record') } };
  };
  const [usual, lean] = [await startBuild('usual'), await startBuild('lean')];
  return {
    functions: { payhooks: { receive, record, query }, usual: usual.functions, lean: lean.functions },
    ...{ model: production.model, sqs },
    queueUrls: { payhooks: queueUrl, usual: usual.queueUrl, lean: lean.queueUrl },
    dynamoDb: emulators.clients.dynamodb,
    calls: counter.calls,
    async stop() {
      await production.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The usual build has ES modules, the lean one CommonJS, which loads faster. */
const extensions = { usual: '.mjs', lean: '.cjs' } as const;

/** Each function with the SDK. */
async function bundle(build: OtherBuild, outdir: string): Promise<void> {
  const folder = join(import.meta.dirname, 'functions', build);
  const isModule = extensions[build] === '.mjs';
  await esbuild({
    ...{ bundle: true, platform: 'node', target: 'node24', mainFields: ['module', 'main'], minify: true },
    ...{ format: isModule ? 'esm' : 'cjs', outdir, outExtension: { '.js': extensions[build] } },
    entryPoints: ['receive', 'record'].map((name) => join(folder, `${name}.ts`)),
    // Some packages still call `require`, which an ES module does not have.
    banner: isModule ? { js: requireInModules } : {},
  });
}
const requireInModules =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** So many messages of a pipeline's queue, in batches; the queue then forgets them. */
export async function takeBatches(
  { sqs, queueUrls }: Stack,
  name: PipelineName,
  { messages, perBatch = 1 }: { readonly messages: number; readonly perBatch?: number },
) {
  const taken: Message[] = [];
  while (taken.length < messages) taken.push(...(await takeMessages(sqs, queueUrls[name])));
  return Array.from({ length: messages / perBatch }, (_, n) =>
    createSqsEvent(
      taken.slice(n * perBatch, (n + 1) * perBatch),
      'arn:aws:sqs:us-east-1:000000000000:events',
    ),
  );
}
