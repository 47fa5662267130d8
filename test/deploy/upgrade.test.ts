import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reserialised } from '../acceptance/odd-events.ts';
import { privateKey, sandboxKey } from '../acceptance/pipeline.ts';
import {
  bodyOfEvent,
  expectedResponses,
  putRows,
  settings,
  statefulResources,
  storedEvents,
  storedMessages,
  storedOrders,
  template,
} from '../releases/release-0.2.0.ts';
import type { Resource, Template } from './assembly.ts';
import { type DeployedPipeline, openPipeline } from './deployed-pipeline.ts';
import {
  bootstrap,
  clientOptions,
  type Deployment,
  deployAssembly,
  deployedResources,
  destroy,
  stackName,
  synthesise,
  withCloudFormation,
} from './deployment.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

/** Longer than a consumer runs. */
const visibilitySeconds = 60;

// The life of a deployment that keeps its data, in order: each test finds what those before it left.
let ministack: MiniStack;
let stop = async (): Promise<void> => {};
let assemblies: { readonly before: string; readonly today: string };
let old: Deployment;
let pipeline: DeployedPipeline;
let held: Readonly<Record<string, string>>;

beforeAll(async () => {
  ministack = await startMiniStack();
  stop = () => ministack.stop();
  await bootstrap(ministack);
  assemblies = { before: await synthesiseBefore(), today: await synthesiseToday() };
  old = await deployAssembly(ministack, assemblies.before);
  pipeline = openPipeline(ministack, old);
  held = await physicalIds();
});
afterAll(async () => {
  pipeline?.close();
  await stop();
});

/**
 * The deployment that is upgraded: the template of 0.2.0, except for what its functions run and may do, which is
 * today's, because the code of 0.2.0 is not kept.
 */
async function synthesiseBefore(): Promise<string> {
  const assembly = await synthesise(ministack, settings);
  const file = join(assembly, `${stackName}.template.json`);
  const today = JSON.parse(await readFile(file, 'utf8')) as Template;
  const resources = Object.entries(template.Resources).map(([id, one]) => [
    id,
    asBefore(one, today.Resources[id]),
  ]);
  const before = { ...template, Resources: Object.fromEntries(resources) };
  await writeFile(file, JSON.stringify(withShortVisibility(before)));
  return assembly;
}

async function synthesiseToday(): Promise<string> {
  const assembly = await synthesise(ministack, settings);
  const file = join(assembly, `${stackName}.template.json`);
  const today = JSON.parse(await readFile(file, 'utf8')) as Template;
  await writeFile(file, JSON.stringify(withShortVisibility(today)));
  return assembly;
}

/** A deployment may end a consumer while it handles a batch, whose messages come back only after this time. */
function withShortVisibility({ Resources, ...others }: Template): Template {
  const resources = Object.entries(Resources).map(([id, one]) => {
    if (one.Properties?.['VisibilityTimeout'] === undefined) return [id, one];
    return [id, { ...one, Properties: { ...one.Properties, VisibilityTimeout: visibilitySeconds } }];
  });
  return { ...others, Resources: Object.fromEntries(resources) };
}

function asBefore(one: Resource, today: Resource | undefined): Resource {
  if (today === undefined) return one;
  if (one.Type === 'AWS::IAM::Policy') return today;
  if (one.Type !== 'AWS::Lambda::Function') return one;
  const { Code, Environment, Timeout } = today.Properties ?? {};
  return { ...one, Properties: { ...one.Properties, Code, Environment, Timeout } };
}

/** The physical ids of the stateful resources of 0.2.0, by logical id. */
async function physicalIds(): Promise<Record<string, string>> {
  const all = [...(await deployedResources(ministack)).values()];
  const stateful = all.filter(({ LogicalResourceId = '' }) => LogicalResourceId in statefulResources);
  return Object.fromEntries(stateful.map((one) => [`${one.LogicalResourceId}`, `${one.PhysicalResourceId}`]));
}

/** Today's code reads the index of what waits for these, which only the upgraded deployment has. */
const readsWaiting = ({ path, status }: (typeof expectedResponses)[number]): boolean =>
  /^\/orders\/.*\/events/.test(path) || (path.startsWith('/orders/') && status === 404);

async function respondsAsStored({ changed = [] as readonly string[], hasIndex = true } = {}): Promise<void> {
  // Lists hold the events of this test as well, and MiniStack finds no order id that has a slash.
  const responses = expectedResponses.filter(
    (one) =>
      !/^\/orders\?|%2F/.test(one.path) && !changed.includes(one.path) && (hasIndex || !readsWaiting(one)),
  );
  for (const { path, status, body } of responses) {
    expect({ path, ...(await pipeline.get(path)) }).toMatchObject({ path, status, json: body });
  }
}

/** Sends one event after the other, and repeats the same bytes after a 5xx or no response, like the payment service. */
function startSending(name: string) {
  let stopped = false;
  const accepted: string[] = [];
  const repeated: string[] = [];
  const send = async (): Promise<void> => {
    while (!stopped) {
      const id = `${name}-${accepted.length}`;
      const { status } = await pipeline
        .post(bytesOf(paidEvent({ orderId: id, eventId: id, seed: id })))
        .catch((error: NodeJS.ErrnoException) => ({ status: error.code ?? error.message }));
      if (status === 202) accepted.push(id);
      else repeated.push(`${status}`);
      await pause(50);
    }
  };
  const sending = send();
  return async () => {
    stopped = true;
    await sending;
    return { accepted, repeated };
  };
}

/** Five minutes, for messages that come back twice. */
const attemptsForRedelivery = 12_000;

/** Deploys while events come in, and expects every accepted event to be recorded exactly once. */
async function deployUnderLoad(assembly: string, name: string): Promise<Deployment & { count: number }> {
  const stopSending = startSending(name);
  const deployment = await deployAssembly(ministack, assembly).finally(stopSending);
  const { accepted, repeated } = await stopSending();
  process.stdout.write(`During the ${name} ${accepted.length} events came; repeated: [${repeated}].\n`);
  expect(accepted.length).toBeGreaterThan(5);
  expect(repeated.filter((status) => status.startsWith('4'))).toEqual([]);
  await pipeline.settled(attemptsForRedelivery);
  for (const id of accepted) {
    expect(await pipeline.rowsOfEvents(`live:event:${id}`)).toEqual(['event']);
    const order = await pipeline.order(id);
    expect(order).toMatchObject({ status: 'paid', events: [expect.objectContaining({ id })] });
  }
  expect(await pipeline.deadLetters()).toBe(0);
  return { ...deployment, count: accepted.length };
}

it('starts with every stateful resource of 0.2.0 and with rows that 0.2.0 wrote', async () => {
  const withheld = new Set(old.adapted.withheld);
  const expected = Object.keys(statefulResources).filter((id) => !withheld.has(id));
  expect(Object.keys(held).toSorted()).toEqual(expected.toSorted());
  await pipeline.putPrivateKeys();
  const client = new DynamoDBClient(clientOptions(ministack));
  const { EventsTableName, OrdersTableName } = old.outputs;
  await putRows(client, { [`${EventsTableName}`]: storedEvents, [`${OrdersTableName}`]: storedOrders });
  client.destroy();
  await pipeline.post(bytesOf(paidEvent({ orderId: 'before', seed: 'before' })));
  expect(await pipeline.order('before', ({ status }) => status === 'paid')).toMatchObject({ mode: 'live' });
  await respondsAsStored({ hasIndex: false });
});

it('records every event that comes in during an upgrade once, and replaces no stateful resource', async () => {
  const { outputs, adapted } = await deployUnderLoad(assemblies.today, 'upgrade');
  const added = Object.keys(adapted.template.Resources).filter(
    (id) => !(id in old.adapted.template.Resources),
  );
  expect(added.some((id) => id.startsWith('WaitingCountFunction'))).toBe(true);
  expect(outputs).toMatchObject(old.outputs);
  expect(await physicalIds()).toEqual(held);
});

it('still reads the rows of 0.2.0 after the upgrade, and merges new events into its orders', async () => {
  await respondsAsStored();
  await pipeline.post(bytesOf(refundedEvent({ orderId: 'before', seed: 'before' })));
  expect(await pipeline.order('before', ({ status }) => status === 'refunded')).toMatchObject({
    attention: [],
    sequence: 2,
  });
});

it('applies messages, redeliveries and refunds to the orders of 0.2.0', async () => {
  const sqs = new SQSClient(clientOptions(ministack));
  const QueueUrl = old.outputs['EventQueueUrl'];
  for (const message of storedMessages) await sqs.send(new SendMessageCommand({ QueueUrl, ...message }));
  sqs.destroy();
  expect(await pipeline.order('queued')).toMatchObject({ status: 'paid', sequence: 1 });
  expect(await pipeline.order('paid', ({ sequence }) => sequence === 2)).toMatchObject({
    status: 'refunded',
  });

  const orderless = { orderId: '', transactionId: 'txn-twice-1', eventId: 'evt-twice-orderless' };
  await pipeline.post(bytesOf(refundedEvent(orderless)));
  expect(await pipeline.event(orderless.eventId)).toMatchObject({ outcome: 'unassigned' });
  await pipeline.post(bodyOfEvent('evt-twice'));
  const twice = await pipeline.order('twice', ({ sequence }) => sequence === 4);
  expect(twice).toMatchObject({ status: 'refunded', attention: [] });

  await pipeline.post(reserialised(bodyOfEvent('evt-refunded')));
  await pipeline.post(bytesOf(paidEvent({ orderId: 'failed', seed: 'failed', eventId: 'evt-failed' })));
  const failed = await pipeline.order('failed', ({ attention }) => `${attention}` === 'conflicting_event');
  expect(failed).toMatchObject({ status: 'paid', transactions: [{ status: 'paid' }] });
  await pipeline.settled();
  expect(await pipeline.order('refunded')).toMatchObject({ status: 'refunded', attention: [], sequence: 2 });
  expect(await pipeline.waiting('conflict')).toEqual(['live:event:evt-failed']);
});

it('records every event once while it goes back, and keeps every address and row', async () => {
  const rows = await pipeline.countRows();
  const { outputs, count } = await deployUnderLoad(assemblies.before, 'rollback');
  // A payment leaves the row of its event and that of its transaction.
  expect(await pipeline.countRows()).toBe(rows + 2 * count);
  expect(outputs).toEqual(old.outputs);
  expect(await physicalIds()).toEqual(held);
  const changed = ['/orders/paid', '/orders/paid?mode=sandbox', '/orders/failed', '/orders/twice'];
  await respondsAsStored({ changed, hasIndex: false });
});

it('refuses to be deleted until that is allowed, and leaves tables, keys and queues', async () => {
  const rows = await pipeline.countRows();
  await expect(destroy(ministack)).rejects.toThrow(/TerminationProtection/);
  expect(await pipeline.post(bytesOf(paidEvent({ orderId: 'still-there' })))).toMatchObject({ status: 202 });
  await pipeline.order('still-there');

  const allow = { StackName: stackName, EnableTerminationProtection: false };
  await withCloudFormation(ministack, (client) => client.send(new UpdateTerminationProtectionCommand(allow)));
  await destroy(ministack);
  expect(await pipeline.post(bytesOf(paidEvent({ orderId: 'gone' })))).toMatchObject({ status: 404 });
  expect(await pipeline.countRows()).toBe(rows + 2);
  expect(await pipeline.messagesIn(`${old.outputs['EventQueueUrl']}`)).toBe(0);
  const secrets = new SecretsManagerClient(clientOptions(ministack));
  const SecretId = old.outputs['KeySecretArn'];
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  secrets.destroy();
  expect(JSON.parse(`${SecretString}`)).toEqual({ private_keys: [{ key: privateKey }, { key: sandboxKey }] });
});
