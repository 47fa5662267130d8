import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createTokenExchange } from '@payhooks/payment-service';
import {
  bytesOf,
  createSimulator,
  paidEvent,
  refundedEvent,
  type Simulator,
} from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { parseTokenSecret, writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { createSend, eventually } from '../acceptance/questions.ts';
import { privateKey } from '../acceptance/target.ts';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import { type DeployedPipeline, openPipeline } from './deployed-pipeline.ts';
import {
  bootstrap,
  clientOptions,
  type Deployment,
  deploy,
  deployedResources,
  destroy,
  physicalId,
  stackName,
} from './deployment.ts';
import { invoke } from './invocation.ts';
import { knownDifferences } from './known-differences.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';
import { observeBus } from './observed-bus.ts';
import { createOrderSystem } from './order-system-identity.ts';
import { rotate } from './rotation.ts';
import { readSchedule, reschedule } from './schedule.ts';

// The facts of one deployment, in the order of its life: each one finds what those before it left.
let ministack: MiniStack;
let stop = async (): Promise<void> => {};
let deployment: Deployment;
let pipeline: DeployedPipeline;
let sqs: SQSClient;
let simulator: Simulator;
/** How often the webhooks of the account were asked for. */
let auditsSeen = 0;

/** The account's OAuth client; its access token is good for an hour. */
const client = {
  clientId: 'shop',
  clientSecret: 'shop-secret',
  accessToken: 'access-token',
  refreshToken: 'refresh-token',
  scopes: ['view-webhooks'],
};
/** Two minutes of looking whether the schedule has run. */
const scheduleAttemptsMax = 4_800;

/** With a payment service, so that everything there is gets deployed. */
const settings = () => ({
  paymentServiceBaseUrl: simulator.baseUrl,
  paymentServiceAuthentication: 'oauth',
});

beforeAll(async () => {
  ministack = await startMiniStack();
  stop = () => ministack.stop();
  await bootstrap(ministack);
  simulator = await createSimulator({
    accounts: [{ name: 'shop', privateKey, clients: [client] }],
    onRequest: ({ method, path }) => {
      if (method === 'GET' && path === '/api/v2/webhooks') auditsSeen += 1;
    },
  });
  deployment = await deploy(ministack, settings());
  pipeline = openPipeline(ministack, deployment);
  sqs = new SQSClient(clientOptions(ministack));
});
afterAll(async () => {
  pipeline?.close();
  sqs?.destroy();
  await stop();
  await simulator?.stop();
});

it('differs from AWS in what is printed here, and names a test that stands in for each', () => {
  for (const { fact, why, standsIn } of knownDifferences) {
    process.stdout.write(`On AWS: ${fact}.\n  Here: ${why}\n  Shown by: ${standsIn}\n`);
  }
  const root = join(import.meta.dirname, '..', '..');
  expect(knownDifferences.filter(({ standsIn }) => !existsSync(join(root, standsIn)))).toEqual([]);
});

it('holds every resource of the template but those that MiniStack refuses', async () => {
  const { template, withheld } = deployment.adapted;
  const deployed = await deployedResources(ministack);
  expect([...deployed.keys()].toSorted()).toEqual(Object.keys(template.Resources).toSorted());
  expect(new Set([...deployed.values()].map(({ ResourceStatus }) => ResourceStatus))).toEqual(
    new Set(['CREATE_COMPLETE']),
  );
  expect(withheld.filter((id) => deployed.has(id))).toEqual([]);
});

it('differs from AWS in nothing that the template gives no reason for', () => {
  expect(deployment.adapted.unneeded).toEqual([]);
});

it('answers 503 until the operator has put the private keys in, and within seconds 202', async () => {
  const body = bytesOf(paidEvent({ orderId: 'first', eventId: 'evt-first' }));
  expect(await pipeline.post(body)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  await pipeline.putPrivateKeys();
  const accepted = await eventually(
    () => pipeline.post(body),
    ({ status }) => status === 202,
  );
  expect(accepted.body).toBe('{"status":"accepted"}');
  expect(await pipeline.order('first', ({ status }) => status === 'paid')).toMatchObject({
    events: [{ id: 'evt-first' }],
  });
});

it('answers order systems that may invoke the order query, and nobody else', async () => {
  const permitted = await createOrderSystem(
    ministack,
    'permitted',
    deployment.outputs['OrderQueryInvokeArn'],
  );
  const unpermitted = await createOrderSystem(ministack, 'unpermitted');
  const impostor = { ...permitted, secretAccessKey: unpermitted.secretAccessKey };
  expect(await pipeline.getAs(permitted, '/orders/first')).toMatchObject({ status: 200 });
  for (const identity of [unpermitted, impostor, undefined]) {
    expect(await pipeline.getAs(identity, '/orders/first')).toMatchObject({ status: 403 });
  }
});

it('lets nobody but the consumer receive an event, not even the root user', async () => {
  const QueueUrl = deployment.outputs['EventQueueUrl'];
  await expect(sqs.send(new ReceiveMessageCommand({ QueueUrl }))).rejects.toMatchObject({
    name: 'AccessDenied',
  });
});

it('redrives to the queue of dead letters', async () => {
  const { EventQueueUrl, DeadLetterQueueArn } = deployment.outputs;
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: EventQueueUrl, AttributeNames: ['RedrivePolicy'] }),
  );
  expect(JSON.parse(Attributes?.['RedrivePolicy'] ?? '')).toEqual({
    deadLetterTargetArn: DeadLetterQueueArn,
    maxReceiveCount: 80,
  });
});

it('tells order systems on the bus what changed about an order', async () => {
  const bus = await observeBus(ministack, deployment.outputs['OrderFeedBusArn'] ?? '');
  const options = { orderId: 'told', transactionId: 'txn-told' };
  await pipeline.post(bytesOf(paidEvent(options)));
  await pipeline.order('told', ({ status }) => status === 'paid');
  const [paid] = await bus.next();
  expect(paid).toMatchObject({
    source: 'payhooks',
    'detail-type': 'OrderStatusChanged',
    detail: { order_id: 'told', previous: null, current: { status: 'paid' } },
  });
  await pipeline.post(bytesOf(refundedEvent(options)));
  const [refunded] = await bus.next();
  expect(refunded).toMatchObject({
    detail: { order_id: 'told', previous: { status: 'paid' }, current: { status: 'refunded' } },
  });
  bus.close();
});

it('audits with its own role, through the token in the secret, whether the webhook is registered', async () => {
  const functionName = await physicalId(ministack, 'WebhookAuditFunctionLambda');
  const secrets = new SecretsManagerClient(clientOptions(ministack));
  const SecretString = writeTokenSecret(client);
  await secrets.send(
    new PutSecretValueCommand({ SecretId: deployment.outputs['TokenSecretArn'], SecretString }),
  );
  secrets.destroy();
  expect(await invoke(ministack, functionName)).toMatchObject({ findings: [{ kind: 'not_registered' }] });
  simulator.registerWebhook({
    url: deployment.outputs['WebhookUrl'] ?? '',
    enabledEvents: ['transaction.paid', 'transaction.refunded'],
    isLiveMode: true,
  });
  expect(await invoke(ministack, functionName)).toEqual({ findings: [] });
});

it('rotates the OAuth token with its own role, and spends the old one', async () => {
  const secretArn = `${deployment.outputs['TokenSecretArn']}`;
  const functionName = await physicalId(ministack, 'TokenRefreshFunctionLambda');
  const versionId = await rotate(ministack, { secretArn, functionName });
  const secrets = new SecretsManagerClient(clientOptions(ministack));
  const current = await secrets.send(new GetSecretValueCommand({ SecretId: secretArn }));
  secrets.destroy();
  expect(current.VersionId).toBe(versionId);
  const { accessToken, refreshToken } = parseTokenSecret(`${current.SecretString}`);
  expect([client.accessToken, undefined]).not.toContain(accessToken);
  const exchange = createTokenExchange({ baseUrl: simulator.baseUrl, ...client });
  await expect(exchange(client.refreshToken)).rejects.toMatchObject({ status: 400 });
  const auditName = await physicalId(ministack, 'WebhookAuditFunctionLambda');
  expect(await invoke(ministack, auditName)).toEqual({ findings: [] });
  expect(await exchange(refreshToken)).toMatchObject({ token_type: 'Bearer' });
});

it("is looked after by the operator's command, as docs/cli.md has it", async () => {
  // A payment service that nothing is registered with.
  const service = await createSimulator({ accounts: [{ name: 'shop', privateKey, clients: [client] }] });
  onTestFinished(() => service.stop());
  const env = {
    AWS_ENDPOINT_URL: ministack.endpoint,
    AWS_REGION: ministack.region,
    NODE_EXTRA_CA_CERTS: ministack.certificate.certificateFile,
  };
  const run = async (words: string, given: Readonly<Record<string, string>> = {}) => {
    const { code, stdout, stderr } = await spawnPayhooks([...words.split(' '), '--stack', stackName], {
      env: { ...env, ...given },
    });
    return { code, said: stdout + stderr };
  };
  const key = { PAYHOOKS_PRIVATE_KEY: privateKey, PAYHOOKS_SERVICE_URL: service.baseUrl };
  expect(await run('keys list')).toMatchObject({ code: 0, said: expect.stringContaining('current') });
  expect(await run('keys set --yes', key)).toMatchObject({ code: 0 });
  expect(await run('webhooks audit', key)).toMatchObject({
    code: 1,
    said: expect.stringContaining(`npx payhooks webhooks register --stack ${stackName}`),
  });
  expect(await run('webhooks register', key)).toMatchObject({ code: 0 });
  expect(await run('webhooks audit', key)).toMatchObject({ code: 0 });
  expect(await run('account', key)).toMatchObject({ code: 0, said: expect.stringContaining('shop') });
  // `*.localhost` does not resolve everywhere, so the API is reached by its path.
  const [apiId] = new URL(deployment.outputs['WebhookUrl'] ?? '').hostname.split('.');
  const url = `${ministack.endpoint}/_aws/execute-api/${apiId}/$default/webhooks/payments`;
  expect(await run(`send --order by-command --yes --url ${url}`)).toMatchObject({
    code: 0,
    said: expect.stringContaining('202 stored'),
  });
  expect(await pipeline.order('by-command', ({ status }) => status === 'paid')).toMatchObject({
    mode: 'live',
  });
});

it('keeps orders, keys and addresses when it is deployed once more with another setting', async () => {
  const updated = await deploy(ministack, { ...settings(), webhookBurst: 2_001 });
  expect(updated.outputs).toEqual(deployment.outputs);
  const stages = [...(await deployedResources(ministack)).values()].filter(
    ({ ResourceType }) => ResourceType === 'AWS::ApiGatewayV2::Stage',
  );
  expect(stages.map(({ ResourceStatus }) => ResourceStatus)).toEqual(['UPDATE_COMPLETE', 'UPDATE_COMPLETE']);
  expect(await pipeline.order('told')).toMatchObject({ status: 'refunded' });
  const body = bytesOf(paidEvent({ orderId: 'after' }));
  expect(await pipeline.post(body)).toMatchObject({ status: 202 });
  expect(await pipeline.order('after')).toMatchObject({ status: 'paid' });
});

it('answers at a domain of the merchant, and at its former address as well until that is closed', async () => {
  const name = 'hooks.shop.example';
  const certificate = `arn:aws:acm:${ministack.region}:${ministack.account}:certificate/hooks`;
  const domain = { webhookDomainName: name, webhookCertificateArn: certificate };
  const { outputs } = await deploy(ministack, { ...settings(), ...domain });
  expect(outputs['WebhookUrl']).toBe(`https://${name}/webhooks/payments`);
  const { ca } = ministack.certificate;
  const send = createSend({ ca, servername: 'localhost' });
  const body = bytesOf(paidEvent({ orderId: 'by-domain' }));
  const headers = { host: name, 'content-type': 'application/json' };
  const url = `${ministack.endpoint}/webhooks/payments`;
  expect(await send(url, body, headers)).toMatchObject({ status: 403 });
  const signed = { ...headers, 'x-service-signature': pipeline.sign(body) };
  expect(await send(url, body, signed)).toMatchObject({ status: 202 });
  expect(await pipeline.order('by-domain')).toMatchObject({ status: 'paid' });
  expect(await pipeline.post(body)).toMatchObject({ status: 202 });
});

it('audits by its schedule of 15 minutes, which runs when its time has come', {
  timeout: 180_000,
}, async () => {
  const name = await physicalId(ministack, 'WebhookAuditSchedule');
  const schedule = await readSchedule(ministack, name);
  expect(schedule).toMatchObject({ State: 'ENABLED', ScheduleExpression: 'rate(15 minutes)' });
  const functionName = await physicalId(ministack, 'WebhookAuditFunctionLambda');
  expect(schedule.Target.Arn.split(':').at(-1)).toBe(functionName);
  expect(schedule.Target.RoleArn.split('/').at(-1)).toBe(
    await physicalId(ministack, 'WebhookAuditScheduleRole'),
  );
  const before = auditsSeen;
  // The least that there is; it counts from the creation of the schedule.
  await reschedule(ministack, name, 'rate(1 minute)');
  const audits = () => Promise.resolve(auditsSeen);
  expect(await eventually(audits, (seen) => seen > before, scheduleAttemptsMax)).toBe(before + 1);
});

it('leaves nothing behind when it is deleted in an environment that keeps no data', async () => {
  await destroy(ministack);
  const { OrdersTableName, EventQueueUrl } = deployment.outputs;
  const dynamodb = new DynamoDBClient(clientOptions(ministack));
  await expect(dynamodb.send(new DescribeTableCommand({ TableName: OrdersTableName }))).rejects.toMatchObject(
    {
      name: 'ResourceNotFoundException',
    },
  );
  dynamodb.destroy();
  const ask = new GetQueueAttributesCommand({ QueueUrl: EventQueueUrl, AttributeNames: ['All'] });
  await expect(sqs.send(ask)).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  expect(await pipeline.post(bytesOf(paidEvent({ orderId: 'gone' })))).toMatchObject({ status: 404 });
});
