import {
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateRoleCommand,
  CreateUserCommand,
  IAMClient,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeBody } from '../../lambdas/contract/queue-message.ts';
import { createSend } from '../acceptance/pipeline.ts';
import { createSigner } from './aws-calls.ts';
import { type DeployedPipeline, openPipeline } from './deployed-pipeline.ts';
import { bootstrap, clientOptions, type Deployment, deploy } from './deployment.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

// A deployment with `operatorRoleArn`: the queues let only their stages and that role do what they do. MiniStack has no
// move tasks, so the operator makes the calls of one.
const roleName = 'payhooks-operator';
let ministack: MiniStack;
let stop = async (): Promise<void> => {};
let deployment: Deployment;
let pipeline: DeployedPipeline;
const clients: SQSClient[] = [];
let administrator: SQSClient;
let operator: SQSClient;
let root: SQSClient;

beforeAll(async () => {
  ministack = await startMiniStack();
  stop = () => ministack.stop();
  await bootstrap(ministack);
  const operatorRoleArn = await createOperatorRole();
  deployment = await deploy(ministack, { operatorRoleArn });
  pipeline = openPipeline(ministack, deployment);
  await pipeline.putPrivateKeys();
  root = clientOf({ accessKeyId: 'test', secretAccessKey: 'test' });
  administrator = clientOf(await createAdministrator());
  operator = clientOf(await assumeRole(operatorRoleArn));
});
afterAll(async () => {
  pipeline?.close();
  for (const client of clients) client.destroy();
  await stop();
});

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

function clientOf(credentials: Credentials): SQSClient {
  const client = new SQSClient({ ...clientOptions(ministack), credentials });
  clients.push(client);
  return client;
}

/** What docs/threat-model.md lists for `dlq redrive`. */
async function createOperatorRole(): Promise<string> {
  const iam = new IAMClient(clientOptions(ministack));
  const document = (Statement: object) => JSON.stringify({ Version: '2012-10-17', Statement });
  const Principal = { AWS: `arn:aws:iam::${ministack.account}:root` };
  const trust = document({ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' });
  const { Role } = await iam.send(
    new CreateRoleCommand({ RoleName: roleName, AssumeRolePolicyDocument: trust }),
  );
  const PolicyDocument = document({ Effect: 'Allow', Action: 'sqs:*', Resource: '*' });
  await iam.send(new PutRolePolicyCommand({ RoleName: roleName, PolicyName: 'queues', PolicyDocument }));
  iam.destroy();
  return `${Role?.Arn}`;
}

async function createAdministrator(): Promise<Credentials> {
  const iam = new IAMClient(clientOptions(ministack));
  const UserName = 'administrator';
  await iam.send(new CreateUserCommand({ UserName }));
  const PolicyArn = 'arn:aws:iam::aws:policy/AdministratorAccess';
  await iam.send(new AttachUserPolicyCommand({ UserName, PolicyArn }));
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
  iam.destroy();
  return { accessKeyId: `${AccessKey?.AccessKeyId}`, secretAccessKey: `${AccessKey?.SecretAccessKey}` };
}

/** The repository has no client of STS. */
async function assumeRole(roleArn: string): Promise<Credentials> {
  const query = { Version: '2011-06-15', Action: 'AssumeRole', RoleArn: roleArn, RoleSessionName: 'ada' };
  const url = new URL(`${ministack.endpoint}/?${new URLSearchParams(query)}`);
  const headers = await createSigner(ministack, { service: 'sts' })(url);
  const { status, body } = await createSend({ ca: ministack.certificate.ca })(`${url}`, undefined, headers);
  const field = (name: string): string => new RegExp(`<${name}>([^<]+)<`).exec(body)?.[1] ?? '';
  if (status !== 200) throw new Error(`AssumeRole got ${status}: ${body}`);
  const [accessKeyId, secretAccessKey] = [field('AccessKeyId'), field('SecretAccessKey')];
  return { accessKeyId, secretAccessKey, sessionToken: field('SessionToken') };
}

const queue = (name: 'EventQueueUrl' | 'DeadLetterQueueUrl'): string => `${deployment.outputs[name]}`;
const receive = (client: SQSClient, QueueUrl: string) =>
  client.send(new ReceiveMessageCommand({ QueueUrl, MessageAttributeNames: ['All'], WaitTimeSeconds: 2 }));
const send = (client: SQSClient, QueueUrl: string) =>
  client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'forged' }));
const refused = expect.objectContaining({ name: expect.stringMatching(/AccessDenied/) });

it('lets the verifier and the consumer do their work', async () => {
  expect(await pipeline.post(bytesOf(paidEvent({ orderId: 'usual' })))).toMatchObject({ status: 202 });
  expect(await pipeline.order('usual')).toMatchObject({ status: 'paid' });
});

it('refuses an administrator that sends to the event queue, receives from it or purges it', async () => {
  const QueueUrl = queue('EventQueueUrl');
  await expect(send(administrator, QueueUrl)).rejects.toEqual(refused);
  await expect(receive(administrator, QueueUrl)).rejects.toEqual(refused);
  await expect(administrator.send(new PurgeQueueCommand({ QueueUrl }))).rejects.toEqual(refused);
});

it('refuses an administrator that reads, deletes or adds dead letters, and the operator that adds one', async () => {
  const QueueUrl = queue('DeadLetterQueueUrl');
  await expect(receive(administrator, QueueUrl)).rejects.toEqual(refused);
  await expect(administrator.send(new PurgeQueueCommand({ QueueUrl }))).rejects.toEqual(refused);
  for (const client of [administrator, operator])
    await expect(send(client, QueueUrl)).rejects.toEqual(refused);
});

it('lets the operator move a dead letter back, and the event reaches its order', async () => {
  await buryEvent('redriven');
  const [from, to] = [queue('DeadLetterQueueUrl'), queue('EventQueueUrl')];
  const { Messages: [letter] = [] } = await receive(operator, from);
  const { Body: MessageBody, MessageAttributes, ReceiptHandle } = letter ?? {};
  await operator.send(new SendMessageCommand({ QueueUrl: to, MessageBody, MessageAttributes }));
  await operator.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle }));
  expect(await pipeline.order('redriven')).toMatchObject({ status: 'paid' });
});

/** What SQS does after 90 receives. No identity may send there, so the policy is lifted meanwhile. */
async function buryEvent(orderId: string): Promise<void> {
  const QueueUrl = queue('DeadLetterQueueUrl');
  const { Attributes } = await root.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['Policy'] }),
  );
  const setPolicy = (Policy: string) =>
    root.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
  await setPolicy('');
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  const letter = {
    QueueUrl,
    MessageBody: encodeBody(bytesOf(paidEvent({ orderId }))),
    MessageAttributes: {
      mode: text('live'),
      key_id: text('9a76d0a46113'),
      signature: text('5e'.repeat(32)),
      received_at: text(new Date().toISOString()),
      request_id: text('request-1'),
    },
  };
  await root.send(new SendMessageCommand(letter));
  await setPolicy(`${Attributes?.['Policy']}`);
}
