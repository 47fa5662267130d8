import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../acceptance/pipeline.ts';
import { callScheduledSqs, reschedule } from './aws-calls.ts';
import { type DeployedPipeline, openPipeline } from './deployed-pipeline.ts';
import {
  bootstrap,
  clientOptions,
  type Deployment,
  deploy,
  destroy,
  physicalId,
  type Settings,
  stackName,
} from './deployment.ts';
import { findMiniStack, type MiniStack, startMiniStack } from './ministack.ts';
import { openTerminalSession, type TerminalSession } from './terminal-session.ts';
import { typePayhooks } from './typed-command.ts';

// A stack that is deleted and comes back, and then changes over to restored tables. Each test finds what those before
// it left. The commands are those of docs/recovery.md and docs/deploy.md.
const kept = { keepData: true };
let ministack: MiniStack;
let stop = async (): Promise<void> => {};
let terminal: TerminalSession;
let first: Deployment;
let second: Deployment;
let pipeline: DeployedPipeline;
let dynamodb: DynamoDB;
let settings: Readonly<Record<string, string>>;
let oldQueueUrl: string;

beforeAll(async () => {
  ministack = await startMiniStack();
  stop = () => ministack.stop();
  const PATH = `${findMiniStack()}/bin:${ministack.environment['PATH']}`;
  terminal = openTerminalSession({
    folder: ministack.folder,
    environment: { ...ministack.environment, PATH },
  });
  dynamodb = new DynamoDB(clientOptions(ministack));
  await bootstrap(ministack);
  first = await deployQuietly(kept);
  pipeline = openPipeline(ministack, first);
  await pipeline.putPrivateKeys();
});
/** Without heartbeats, which would be orders that the checks count. */
async function deployQuietly(settings: Settings): Promise<Deployment> {
  const deployment = await deploy(ministack, settings);
  await reschedule(ministack, await physicalId(ministack, 'HeartbeatSchedule'), 'rate(1 day)');
  return deployment;
}

afterAll(async () => {
  dynamodb?.destroy();
  pipeline?.close();
  await stop();
});

/** The lines of the blocks in a section of a page, each a command as it is written there, for this stack. */
async function commandsOf(page: string, heading: string): Promise<readonly string[]> {
  const text = await readFile(join(import.meta.dirname, '../../docs', page), 'utf8');
  const section = text.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = '']) =>
      block
        .replace(/\\\n\s*/g, '')
        .trimEnd()
        .split('\n'),
    )
    .map((line) => line.replaceAll('payhooks-production', stackName));
}

/** The command of a section that begins like this, with values in place of its words in capitals. */
async function commandOf(
  [page, heading]: readonly [page: string, heading: string],
  beginning: string,
  values: Readonly<Record<string, string>> = {},
): Promise<string> {
  const commands = await commandsOf(page, heading);
  const found = commands.find((command) => command.startsWith(beginning));
  if (found === undefined) expect.unreachable(`${heading} has no command ${beginning}: ${commands}`);
  return Object.entries(values).reduce((text, [name, value]) => text.replace(name, value), found);
}

const deletion = ['recovery.md', 'The stack was deleted'] as const;
const tableDeletion = ['recovery.md', 'A table was deleted'] as const;

/** Types commands of the AWS CLI; rejects when one of them fails. */
async function type(...commands: readonly string[]): Promise<string> {
  const { code, screen } = await terminal.run(commands.join('\n'));
  if (code !== 0) throw new Error(`Exit code ${code}:\n${commands.join('\n')}\n${screen}`);
  return screen.trim();
}

/** Types a command of payhooks, and confirms it. */
async function payhooks(command: string, ...options: readonly string[]) {
  const argv = command.replace(/^npx payhooks /, '').split(' ');
  return typePayhooks(ministack, [...argv, ...options]);
}

const paid = (orderId: string) => paidEvent({ orderId, seed: orderId, eventId: `evt-${orderId}` });
const oldOrders = ['kept', 'refunded', 'refunded-later', 'refunded-without-order'];
const states = () => Promise.all(oldOrders.map(async (id) => (await pipeline.get(`/orders/${id}`)).json));
let before: Awaited<ReturnType<typeof states>>;

it('has orders, and an event that only its queue holds, when it is deleted', async () => {
  for (const id of oldOrders) await pipeline.post(bytesOf(paid(id)));
  await pipeline.post(bytesOf(refundedEvent({ orderId: 'refunded', seed: 'refunded' })));
  for (const id of oldOrders)
    await pipeline.order(id, ({ status }) => status === 'paid' || id === 'refunded');
  await pipeline.order('refunded', ({ status }) => status === 'refunded');
  before = await states();

  await stopConsumer();
  expect(await pipeline.post(bytesOf(paid('queued')))).toMatchObject({ status: 202 });
  await type(await commandOf(['deploy.md', 'Tearing it down'], 'aws cloudformation'));
  await destroy(ministack);
  expect(await pipeline.post(bytesOf(paid('gone')))).toMatchObject({ status: 404 });
  expect(await pipeline.messagesIn(output('EventQueueUrl'))).toBe(1);
});

/** So that the next event stays in the queue. */
async function stopConsumer(): Promise<void> {
  const lambda = new LambdaClient(clientOptions(ministack));
  const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
  const mapping = EventSourceMappings.find(({ EventSourceArn }) => EventSourceArn?.includes(':sqs:'));
  await lambda.send(new UpdateEventSourceMappingCommand({ UUID: `${mapping?.UUID}`, Enabled: false }));
  lambda.destroy();
}

const output = (name: string): string => first.outputs[name] ?? expect.unreachable(`no output ${name}`);

it('leaves resources whose names the documented commands find', async () => {
  const commands = await commandsOf(...deletion);
  const screen = await type(...commands.filter((one) => /^deleted=|describe-stack-events/.test(one)));
  const kept = new Map(
    [...screen.matchAll(/^\| +(\w+) +\| +(\S+) +\|$/gm)].map(([, id, name]) => [id, name]),
  );
  const nameOf = (beginning: string) => {
    const found = [...kept].filter(([id]) => id?.replace(/[0-9A-F]{8}$/, '') === beginning);
    expect(found, `${beginning}\n${screen}`).toHaveLength(1);
    return `${found[0]?.[1]}`;
  };
  const ordersTable = nameOf('TablesOrders');
  expect(nameOf('EventQueue')).toBe(output('EventQueueUrl'));
  expect(nameOf('EventQueueDeadLetters')).toBe(output('DeadLetterQueueUrl'));
  settings = {
    eventsTableName: nameOf('TablesEvents'),
    ordersTableStreamArn: await type(
      await commandOf(deletion, 'aws dynamodb describe-table', { ORDERS_TABLE: ordersTable }),
    ),
    sequenceBase: '0',
    keySecretArn: await arnOfSecret(nameOf('VerifierKeySecret')),
    sealSecretArn: await arnOfSecret(nameOf('SealSecret')),
  };
  expect([settings['eventsTableName'], ordersTable, settings['keySecretArn']]).toEqual([
    output('EventsTableName'),
    output('OrdersTableName'),
    output('KeySecretArn'),
  ]);
});

/** CloudFormation's id of a secret is its ARN; MiniStack's is its name. */
async function arnOfSecret(SecretId: string): Promise<string> {
  const secrets = new SecretsManagerClient(clientOptions(ministack));
  const { ARN } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  secrets.destroy();
  return `${ARN}`;
}

/**
 * MiniStack gives the queues of the new stack the names of those that the old one left, AWS names of their own. So the
 * message moves to another queue.
 */
async function renameQueue(from: string): Promise<string> {
  const sqs = new SQS(clientOptions(ministack));
  const { Messages = [] } = await sqs.receiveMessage({ QueueUrl: from, MessageAttributeNames: ['All'] });
  const { QueueUrl } = await sqs.createQueue({ QueueName: 'left-by-the-deleted-stack' });
  for (const { Body: MessageBody, MessageAttributes, ReceiptHandle } of Messages) {
    await sqs.sendMessage({ QueueUrl, MessageBody, MessageAttributes });
    await sqs.deleteMessage({ QueueUrl: from, ReceiptHandle });
  }
  sqs.destroy();
  return `${QueueUrl}`;
}

async function deployWith(adopted: Readonly<Record<string, string>>): Promise<Deployment> {
  const deployment = await deployQuietly({ ...kept, ...adopted });
  pipeline.close();
  pipeline = openPipeline(ministack, deployment);
  return deployment;
}

it('comes back with its keys and its orders', async () => {
  oldQueueUrl = await renameQueue(output('EventQueueUrl'));
  second = await deployWith(settings);
  const { EventsTableName, OrdersTableName, KeySecretArn } = first.outputs;
  expect(second.outputs).toMatchObject({ EventsTableName, OrdersTableName, KeySecretArn });
  expect(await states()).toEqual(before);
  expect(await pipeline.post(bytesOf(paid('new')))).toMatchObject({ status: 202 });
  expect(await pipeline.order('new')).toMatchObject({ status: 'paid', mode: 'live' });
  const sandbox = paidEvent({ orderId: 'tried', sandbox: true });
  expect(await pipeline.post(bytesOf(sandbox), { key: 'sandbox' })).toMatchObject({ status: 202 });
});

it('counts a repeated event of before once, and merges new events into old orders', async () => {
  await pipeline.settled();
  const rows = await pipeline.countRows();
  await pipeline.post(bytesOf(paid('kept')));
  await pipeline.settled();
  expect(await pipeline.countRows()).toBe(rows);
  expect((await states())[0]).toEqual(before[0]);

  await pipeline.post(bytesOf(refundedEvent({ orderId: 'refunded-later', seed: 'refunded-later' })));
  await pipeline.post(bytesOf(refundedEvent({ orderId: '', seed: 'refunded-without-order' })));
  for (const id of oldOrders.slice(2)) {
    const order = await pipeline.order(id, ({ sequence }) => sequence === 2);
    expect(order).toMatchObject({ status: 'refunded', attention: [] });
  }
});

it('applies the events that the queue of the deleted stack held', async () => {
  // MiniStack has no StartMessageMoveTask.
  const sqs = new SQS(clientOptions(ministack));
  const { Messages: [{ Body, MessageAttributes } = {}] = [] } = await sqs.receiveMessage({
    QueueUrl: oldQueueUrl,
    MessageAttributeNames: ['All'],
  });
  const QueueUrl = second.outputs['EventQueueUrl'];
  await sqs.sendMessage({ QueueUrl, MessageBody: Body, MessageAttributes });
  sqs.destroy();
  expect(await pipeline.order('queued')).toMatchObject({ status: 'paid', sequence: 1 });
});

it('lost nothing, according to the documented checks', async () => {
  const verified = await payhooks(await commandOf(deletion, 'npx payhooks rebuild --verify'));
  expect(verified.stdout).toMatch(
    /^No difference: 6 orders are what their events make of them; 9 events compared\./,
  );
  await callScheduledSqs(ministack);
  // MiniStack drops expiry and recovery of tables that CloudFormation makes.
  await payhooks(`npx payhooks repair --stack ${stackName}`, '--yes');
  const { stdout } = await payhooks(await commandOf(deletion, 'npx payhooks smoke'));
  const failed = [...stdout.matchAll(/^✗ (.+?) {2,}/gm)].map(([, name]) => name);
  // This deployment has no alarmEmail.
  expect(failed, stdout).toEqual(['alarm subscription']);
});

let restored: Readonly<Record<'eventsTableName' | 'ordersTableStreamArn' | 'sequenceBase', string>>;

it('restores both tables, with a stream for that of the orders', async () => {
  const restore = await commandOf(tableDeletion, 'npx payhooks restore');
  // MiniStack restores each table only to the second in which it is asked.
  const { stdout } = await eventually(
    () => payhooks(restore, '--yes'),
    ({ code }) => code === 0,
  );
  const printed = [...stdout.matchAll(/^ {2}"(\w+)": "?([^",\n]+)"?/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  restored = Object.fromEntries(printed) as typeof restored;
  const { eventsTableName = '', ordersTableStreamArn = '' } = restored;
  expect(restored.sequenceBase).toBe('1000000000');
  const [, ordersTableName = ''] =
    /:table\/(payhooks-development-orders-\w+)\/stream\//.exec(ordersTableStreamArn) ?? [];
  expect(eventsTableName).toMatch(/^payhooks-development-events-\d{8}T\d{6}Z$/);
  // test/heavy/restore.test.ts looks at expiry, recovery and tags.
  const { Table: orders } = await dynamodb.describeTable({ TableName: ordersTableName });
  expect(orders).toMatchObject({
    LatestStreamArn: ordersTableStreamArn,
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
});

it('changes over to the restored tables, and leaves the old ones as they are', async () => {
  const rows = await pipeline.countRows();
  const former = await states();
  const countOldRows = pipeline.countRows;
  await deployWith({ ...settings, ...restored });
  const raised = former.map((order) => ({ ...order, sequence: Number(order['sequence']) + 1_000_000_000 }));
  expect(await states()).toEqual(raised);
  await pipeline.post(bytesOf(refundedEvent({ orderId: 'kept', seed: 'kept' })));
  expect(await pipeline.order('kept', ({ sequence }) => sequence === 1_000_000_002)).toMatchObject({
    status: 'refunded',
    attention: [],
  });
  expect(await payhooks(await commandOf(tableDeletion, 'npx payhooks rebuild --verify'))).toMatchObject({
    code: 0,
  });
  expect([await countOldRows(), await pipeline.countRows()]).toEqual([rows, rows + 1]);
});

it('KMS accepts the documented key policy, and the documented commands make a key usable again', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/encryption.md'), 'utf8');
  const [, policy = ''] = /```json\n(\{\n {2}"Version".*?)```/s.exec(page) ?? [];
  const here = policy
    .replaceAll('111122223333', ministack.account)
    .replaceAll('eu-central-1', ministack.region);
  await writeFile(join(ministack.folder, 'policy.json'), here);
  const create = 'aws kms create-key --policy file://policy.json --output text --query KeyMetadata.Arn';
  const keyArn = await type(create);
  const use = `aws kms generate-data-key --key-id ${keyArn} --key-spec AES_256 --output text --query KeyId`;
  expect(await type(use)).toBe(keyArn);
  await type(`aws kms schedule-key-deletion --key-id ${keyArn} --pending-window-in-days 7`);
  await expect(type(use)).rejects.toThrow(/KMSInvalidStateException/);
  const [, commands = ''] = /^### Commands\n+```sh\n(.*?)```/ms.exec(page) ?? [];
  expect(await type(commands.replaceAll('EncryptionKeyArn', keyArn))).toMatch(/PendingDeletion/);
  expect(await type(use)).toBe(keyArn);
});
