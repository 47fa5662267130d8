import { join } from 'node:path';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { synthesise } from '@payhooks/cdk-local';
import {
  createResources,
  createTable,
  functionEnvironment,
  readAssembly,
  readTemplate,
  startEmulators,
  type TableModel,
} from '@payhooks/cdk-local/emulators';
import { variables } from '../../lambdas/contract/environment.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { settings as assumedSettings } from './assumed.ts';
import { type Certificate, startCallCounter } from './call-counter.ts';

export const privateKey = `pri_${'0123456789abcdef'.repeat(2)}`;
/** Whatever the operator wrote into cdk.json. */
const settings = {
  ...{ environmentName: 'production', environments: { production: {} } },
  ...assumedSettings,
};

/** The production stack and other tables on emulators, behind a counter of calls. */
export async function startProduction(tables: readonly TableModel[] = [], certificate?: Certificate) {
  const { directory, remove } = await synthesise({
    project: join(import.meta.dirname, '..', '..'),
    context: { ...settings, paymentServiceBaseUrl: 'https://payments.example' },
  });
  const emulators = await startEmulators();
  const { secretsManager: secretsmanager, eventBridge: events, sqs, ...others } = emulators.endpoints;
  const assembly = await readAssembly(directory);
  const model = readTemplate(assembly, { sqsEndpoint: sqs, baseUrl: 'https://webhooks.shop.example' });
  await createResources(model, emulators);
  for (const table of tables) await createTable(table, emulators.clients.dynamodb);
  const services = { ...others, secretsmanager, events, sqs };
  const counter = await startCallCounter(services, [...model.tables, ...tables], certificate);
  const { url } = counter;
  const functions = model.functions.map((one) => {
    const endpoints = { dynamodb: url, sqs: url, secretsManager: url, eventBridge: url };
    const given = Object.entries(functionEnvironment(one, endpoints));
    const environment = Object.fromEntries(given.map(([name, value]) => [name, value.replace(sqs, url)]));
    return { stage: environment[variables.serviceName] ?? '', environment, codeDirectory: one.codeDirectory };
  });
  const { environment = {} } = functions.find(({ stage }) => stage === 'verifier') ?? {};
  const SecretId = environment[variables.keySecretArn];
  await emulators.clients.secretsManager.send(
    new PutSecretValueCommand({ SecretId, SecretString: privateKey }),
  );
  return {
    ...{ template: assembly.template, model, emulators, counter, functions },
    queueUrl: environment[variables.eventQueueUrl]?.replace(url, sqs) ?? '',
    async stop() {
      for (const close of [counter.stop, emulators.close, remove]) await close();
    },
  };
}

/** The default of the setting. */
export const signatureHeader = 'x-service-signature';

/** A webhook as an HTTP API passes it on. */
export const webhookEvent = (
  body: Uint8Array,
  signature = sign(createSigningKey(privateKey), body),
): object =>
  gatewayEvent({
    headers: { 'content-type': 'application/json', [signatureHeader]: signature },
    body: Buffer.from(body).toString(),
  });

/** As long as API Gateway's. */
export const requestId = 'JKJaXmPLvHcESHA=';
export const gatewayEvent = (request: object): object => {
  return { isBase64Encoded: false, requestContext: { requestId, http: {} }, ...request };
};

/** At most ten messages of a queue, which forgets them. */
export async function takeMessages(sqs: SQSClient, QueueUrl: string): Promise<readonly Message[]> {
  const all = { MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['All' as const] };
  const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...all });
  const { Messages = [] } = await sqs.send(receive);
  for (const { ReceiptHandle } of Messages)
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  return Messages;
}
