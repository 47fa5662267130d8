import { join } from 'node:path';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { StackModel, StreamPosition, TableModel } from '@payhooks/cdk-local';
import {
  createResources,
  createSqsEvent,
  type Emulators,
  readTemplate,
  startEmulators,
} from '@payhooks/cdk-local';
import { createSimulator } from '@payhooks/payment-service/simulator';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { findResources } from '../../local/pipeline/resources.ts';
import { putSecret } from '../../local/pipeline/secret-values.ts';
import { synthesise } from '../../local/pipeline/synthesise.ts';
import { type RecordedCall, recordCalls } from '../doubles/call-recorder.ts';
import { gatewayEvent } from '../doubles/gateway-event.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import { type CountedTable, type DatabaseCall, startCountingDynamoDb } from './counting-dynamodb.ts';
import { loadHandlers } from './handlers.ts';
import { holdClock } from './held-clock.ts';

/** One invocation of a function, and everything of it that AWS bills but its duration. */
export interface Invocation {
  readonly stage: string;
  readonly database: readonly DatabaseCall[];
  /** Calls of every other service. */
  readonly calls: readonly RecordedCall[];
  readonly lines: readonly string[];
  readonly answer: unknown;
}

const webhookRoute = 'POST /webhooks/payments';
/** Between two invocations; all of them stay within the time for which the verifier keeps its keys. */
const stepMilliseconds = 100;
const privateKey = `pri_${'0123456789abcdef'.repeat(2)}`;
const address = 'https://webhooks.shop.example';

export type Bench = Awaited<ReturnType<typeof startBench>>;

type Closing = (() => unknown)[];

/**
 * The deployed functions on this machine, one invocation at a time: the production template and its bundles, over
 * the emulators of local mode. What local mode does by itself, polling and batching, is left to the caller.
 */
export async function startBench() {
  const closing: Closing = [];
  const stop = async (): Promise<void> => {
    for (const close of closing.splice(0).toReversed()) await close();
  };
  try {
    return { ...(await startParts(closing)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(closing: Closing) {
  const clock = holdClock('2026-11-21T10:00:00.000Z');
  closing.push(() => clock.release());
  const { template, model, emulators } = await startStack(closing);
  const resources = findResources(model);
  await putSecret(emulators.clients.secretsManager, { id: resources.keySecretId, value: privateKey });
  const { dynamodb: endpoint } = emulators.endpoints;
  const counter = await startCountingDynamoDb(
    { endpoint, client: emulators.clients.dynamodb },
    model.tables.map(countedTable),
  );
  closing.push(() => counter.close());
  const recorder = recordCalls();
  closing.push(() => recorder.stop());
  const handlers = loadHandlers(model.functions, { ...emulators.endpoints, dynamodb: counter.endpoint });
  closing.push(() => handlers.restore());

  async function invoke(stage: string, event: unknown): Promise<Invocation> {
    clock.advance(stepMilliseconds);
    const [database, calls] = [counter.calls.length, recorder.calls.length];
    const { answer, lines } = await handlers.run(stage, event);
    const others = recorder.calls.slice(calls).filter(({ action }) => !action.startsWith('dynamodb:'));
    return { stage, database: counter.calls.slice(database), calls: others, lines, answer };
  }
  const stream = await followStream(model, emulators);
  const signingKey = createSigningKey(privateKey);
  return {
    template,
    model,
    /** Delivers a webhook; with a signature that matches unless one is given. */
    webhook(body: Uint8Array, signature: string = sign(signingKey, body)) {
      const headers = { 'content-type': 'application/json', [resources.signatureHeader]: signature };
      const event = gatewayEvent({ routeKey: webhookRoute, headers, body: Buffer.from(body).toString() });
      return invoke('verifier', ofGateway(event));
    },
    /** Hands over what waits in the queue, as one batch. */
    consume: () =>
      invokeWithMessages(emulators, resources.eventQueueUrl, (event) => invoke('consumer', event)),
    /** Hands over what was written to orders, as one batch; `undefined` where nothing was. */
    async publish(): Promise<Invocation | undefined> {
      const Records = await stream.take();
      return Records.length === 0 ? undefined : invoke('order-feed', { Records });
    },
    query(routeKey: string, parameters: { path?: Record<string, string>; query?: Record<string, string> }) {
      const { path: pathParameters = {}, query: queryStringParameters = {} } = parameters;
      const event = gatewayEvent({ routeKey, pathParameters, queryStringParameters });
      return invoke('order-query', ofGateway(event));
    },
    audit: () => invoke('webhook-audit', {}),
  };
}

/** The template of the production environment, what it describes, and a payment service that knows our URL. */
async function startStack(closing: Closing) {
  const service = await createSimulator({ accounts: [{ name: 'measured', privateKey }] });
  closing.push(() => service.stop());
  service.registerWebhook({
    url: `${address}/webhooks/payments`,
    enabledEvents: ['transaction.paid', 'transaction.refunded'],
    isLiveMode: true,
  });
  const { template, directory, remove } = await synthesise({
    project: join(import.meta.dirname, '..', '..'),
    app: 'bin/app.ts',
    context: { ...shippedContext, keepData: true, paymentServiceBaseUrl: service.baseUrl },
  });
  closing.push(remove);
  const emulators = await startEmulators();
  closing.push(() => emulators.close());
  const addresses = { sqsEndpoint: emulators.endpoints.sqs, baseUrl: address };
  const model = readTemplate(template, { directory, addresses });
  await createResources(model, emulators.clients);
  for (const { name } of model.buses) emulators.eventBridge.createBus(name);
  return { template, model, emulators };
}

/** With a request id as long as API Gateway's. */
function ofGateway(event: ReturnType<typeof gatewayEvent>) {
  return { ...event, requestContext: { ...event.requestContext, requestId: 'JKJaXmPLvHcESHA=' } };
}

function countedTable({ name, keySchema, globalIndexes }: TableModel): CountedTable {
  const namesOf = (schema: unknown): string[] =>
    (schema as readonly { AttributeName: string }[]).map(({ AttributeName }) => AttributeName);
  const keyNames = namesOf(keySchema);
  const indexes = globalIndexes.map((index) => {
    const { KeySchema, Projection } = index as { KeySchema: unknown; Projection: { ProjectionType: string } };
    if (Projection.ProjectionType !== 'KEYS_ONLY')
      throw new Error(`${name}: only indexes of keys are counted.`);
    return { attributes: [...new Set([...keyNames, ...namesOf(KeySchema)])] };
  });
  return { name, keyNames, indexes };
}

async function followStream({ tables }: StackModel, emulators: Emulators) {
  const table = tables.find(({ stream }) => stream !== undefined);
  if (table?.stream === undefined) throw new Error('No table of the template has a stream.');
  const { keyNames } = countedTable(table);
  const stream = await emulators.openStream({ tableName: table.name, keyNames, stream: table.stream });
  const waiting: StreamPosition[] = [];
  stream.follow((position) => waiting.push(position));
  return {
    async take() {
      const positions = waiting.splice(0);
      const records = await stream.read(positions);
      await stream.remove(positions);
      return records;
    },
  };
}

async function invokeWithMessages(
  { clients: { sqs } }: Emulators,
  QueueUrl: string,
  invoke: (event: unknown) => Promise<Invocation>,
): Promise<Invocation> {
  const receive = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: 10,
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['All'],
  });
  const { Messages = [] } = await sqs.send(receive);
  const invocation = await invoke(createSqsEvent(Messages, 'arn:aws:sqs:us-east-1:000000000000:events'));
  for (const { ReceiptHandle } of Messages)
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  return invocation;
}
