import { CloudWatchClient, DeleteAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  bytesOf,
  createSimulator,
  paidEvent,
  refundedEvent,
  type Simulator,
} from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { proveAcceptance } from '../acceptance/facts.ts';
import { eventually, privateKey } from '../acceptance/pipeline.ts';
import { createUser, invoke, observeBus } from './aws-calls.ts';
import { proveConsole } from './console.ts';
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
import { proveForgeries } from './forgeries.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';
import { createOperatorRole, proveOperatorRole } from './operator-role.ts';
import { typePayhooks } from './typed-command.ts';

// The life of one deployment, in order: each test finds what those before it left, so one that fails may fail the next.
// Its parts are in console.ts, operator-role.ts, forgeries.ts and the acceptance suite.
let ministack: MiniStack;
let stop = async (): Promise<void> => {};
let deployment: Deployment;
let operatorRoleArn: string;
let pipeline: DeployedPipeline;
let sqs: SQSClient;
let secrets: SecretsManagerClient;
let simulator: Simulator;

/** The account's OAuth client; its access token is good for an hour. */
const client = {
  clientId: 'shop',
  clientSecret: 'shop-secret',
  accessToken: 'access-token',
  refreshToken: 'refresh-token',
  scopes: ['view-webhooks'],
};
/** With a payment service, so that every construct is deployed. */
const settings = () => ({
  paymentServiceBaseUrl: simulator.baseUrl,
  paymentServiceAuthentication: 'oauth',
});

beforeAll(async () => {
  ministack = await startMiniStack();
  stop = () => ministack.stop();
  await bootstrap(ministack);
  operatorRoleArn = await createOperatorRole(ministack);
  simulator = await createSimulator({
    account: { name: 'shop', privateKey, clients: [client] },
  });
  deployment = await deploy(ministack, settings());
  pipeline = openPipeline(ministack, deployment);
  sqs = new SQSClient(clientOptions(ministack));
  secrets = new SecretsManagerClient(clientOptions(ministack));
});
afterAll(async () => {
  pipeline?.close();
  sqs?.destroy();
  secrets?.destroy();
  await stop();
  await simulator?.stop();
});

const target = () => ({ ministack, pipeline, outputs: deployment.outputs });

it('deploys every resource of the template except those that MiniStack refuses', async () => {
  const { template, withheld } = deployment.adapted;
  const deployed = await deployedResources(ministack);
  expect([...deployed.keys()].toSorted()).toEqual(Object.keys(template.Resources).toSorted());
  expect(new Set([...deployed.values()].map(({ ResourceStatus }) => ResourceStatus))).toEqual(
    new Set(['CREATE_COMPLETE']),
  );
  expect(withheld.filter((id) => deployed.has(id))).toEqual([]);
});

const first = bytesOf(paidEvent({ orderId: 'first', eventId: 'evt-first' }));

it('responds 503 until the operator stores the private keys', async () => {
  expect(await pipeline.post(first)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
});

it('smoke lists what is left to do after the first deployment, and an alarm that was deleted by hand', async () => {
  const cloudWatch = new CloudWatchClient(clientOptions(ministack));
  await cloudWatch.send(new DeleteAlarmsCommand({ AlarmNames: [`${stackName}-DeadLettersPresent`] }));
  cloudWatch.destroy();
  const { code, stdout } = await typePayhooks(ministack, ['smoke', '--stack', stackName]);
  expect(stdout).toContain('✗ live key ');
  expect(stdout).toContain(`npx payhooks keys set --stack ${stackName}`);
  expect(stdout).toMatch(/✗ .*subscri.* alarm topic/);
  expect(stdout).toMatch(/✗ safeguards .*other queues may move messages to the dead-letter queue/);
  expect(stdout).toMatch(new RegExp(`✗ .*${stackName}-DeadLettersPresent`));
  expect(code).toBe(1);
});

it('responds 202 within seconds after the private keys are stored', async () => {
  await pipeline.putPrivateKeys();
  const accepted = await eventually(
    () => pipeline.post(first),
    ({ status }) => status === 202,
  );
  expect(accepted.body).toBe('{"status":"accepted"}');
  expect(await pipeline.order('first', ({ status }) => status === 'paid')).toMatchObject({
    events: [{ id: 'evt-first' }],
  });
});

it('responds only to order systems that may invoke the order query', async () => {
  const invokeArn = deployment.outputs['OrderQueryInvokeArn'];
  const permitted = await createUser(ministack, 'permitted', invokeArn);
  const unpermitted = await createUser(ministack, 'unpermitted');
  const impostor = { ...permitted, secretAccessKey: unpermitted.secretAccessKey };
  expect(await pipeline.getAs(permitted, '/orders/first')).toMatchObject({ status: 200 });
  for (const identity of [unpermitted, impostor, undefined]) {
    expect(await pipeline.getAs(identity, '/orders/first')).toMatchObject({ status: 403 });
  }
});

proveConsole(target);

it('publishes what changed about an order on the bus', async () => {
  const bus = await observeBus(ministack, deployment.outputs['OrderFeedBusArn'] ?? '');
  const options = { orderId: 'on-the-bus', transactionId: 'txn-on-the-bus' };
  await pipeline.post(bytesOf(paidEvent(options)));
  await pipeline.order('on-the-bus', ({ status }) => status === 'paid');
  const [paid] = await bus.next();
  expect(paid).toMatchObject({
    source: 'payhooks',
    'detail-type': 'OrderStatusChanged',
    detail: { order_id: 'on-the-bus', previous: null, current: { status: 'paid' } },
  });
  await pipeline.post(bytesOf(refundedEvent(options)));
  const [refunded] = await bus.next();
  expect(refunded).toMatchObject({
    detail: { order_id: 'on-the-bus', previous: { status: 'paid' }, current: { status: 'refunded' } },
  });
  bus.close();
});

it('counts what waits with its own role, which reads nothing but the index', async () => {
  const functionName = await physicalId(ministack, 'WaitingCountFunctionLambda');
  const before = await invoke(ministack, functionName);
  expect(before).toMatchObject({ unrecognised: 0, conflict: 0, event_name: 0 });
  expect(await pipeline.post(Buffer.from('no event'))).toMatchObject({ status: 202 });
  const count = () => invoke(ministack, functionName) as Promise<{ readonly unrecognised: number }>;
  expect(await eventually(count, ({ unrecognised }) => unrecognised > 0)).toEqual({
    ...(before as object),
    unrecognised: 1,
  });
});

it('audits the webhook registration with its own role and the token in the secret', async () => {
  const functionName = await physicalId(ministack, 'WebhookAuditFunctionLambda');
  const SecretString = writeTokenSecret(client);
  await secrets.send(
    new PutSecretValueCommand({ SecretId: deployment.outputs['TokenSecretArn'], SecretString }),
  );
  expect(await invoke(ministack, functionName)).toMatchObject({ findings: [{ kind: 'not_registered' }] });
  simulator.registerWebhook({
    url: deployment.outputs['WebhookUrl'] ?? '',
    enabledEvents: ['transaction.paid', 'transaction.refunded'],
    isLiveMode: true,
  });
  expect(await invoke(ministack, functionName)).toEqual({ findings: [] });
});

proveAcceptance(() => pipeline);

it('keeps orders, keys and addresses when it is deployed again with other settings', async () => {
  const updated = await deploy(ministack, {
    ...settings(),
    operatorRoleArn,
    tableAdminRoleArn: operatorRoleArn.replace('operator', 'table-admin'),
    webhookRequestsPerSecond: 1_001,
  });
  expect(updated.outputs).toEqual(deployment.outputs);
  const stages = [...(await deployedResources(ministack)).values()].filter(
    ({ ResourceType }) => ResourceType === 'AWS::ApiGatewayV2::Stage',
  );
  // One for each API: webhooks, order query, operations.
  expect(stages.map(({ ResourceStatus }) => ResourceStatus)).toEqual(Array(3).fill('UPDATE_COMPLETE'));
  expect(await pipeline.order('on-the-bus')).toMatchObject({ status: 'refunded' });
  const body = bytesOf(paidEvent({ orderId: 'after' }));
  expect(await pipeline.post(body)).toMatchObject({ status: 202 });
  expect(await pipeline.order('after')).toMatchObject({ status: 'paid' });
});

proveOperatorRole(target, () => operatorRoleArn);
proveForgeries(target);

it('leaves nothing when it is deleted in an environment that keeps no data', async () => {
  await destroy(ministack);
  const { OrdersTableName, EventQueueUrl } = deployment.outputs;
  const dynamodb = new DynamoDBClient(clientOptions(ministack));
  const describe = dynamodb.send(new DescribeTableCommand({ TableName: OrdersTableName }));
  await expect(describe).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  dynamodb.destroy();
  const request = new GetQueueAttributesCommand({ QueueUrl: EventQueueUrl, AttributeNames: ['All'] });
  await expect(sqs.send(request)).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  expect(await pipeline.post(bytesOf(paidEvent({ orderId: 'gone' })))).toMatchObject({ status: 404 });
});
