import { join } from 'node:path';
import { UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { privateKey, sandboxKey } from '../acceptance/target.ts';
import { keptSettings, latestRelease, type StoredItem, toItem } from '../releases/kept-release.ts';
import { statefulTypes } from '../releases/stateful-types.ts';
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
import { type Sent, startSending } from './event-sender.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';
import { createReleaseAssembly } from './release-assembly.ts';

// The life of a deployment that began as the release before this one, in its order.
const release = latestRelease();
let ministack: MiniStack;
let stop = async (): Promise<void> => {};
let assemblies: { readonly release: string; readonly today: string };
let old: Deployment;
let pipeline: DeployedPipeline;
let dynamodb: DynamoDBClient;
let secrets: SecretsManagerClient;
/** The physical id of everything that holds something or has an address, as the release deployed it. */
let held: Readonly<Record<string, string>>;

beforeAll(async () => {
  ministack = await startMiniStack();
  stop = () => ministack.stop();
  await bootstrap(ministack);
  const today = await synthesise(ministack, keptSettings);
  const copy = { template: release.template, folder: join(ministack.folder, 'release') };
  assemblies = { release: await createReleaseAssembly(today, copy), today };
  old = await deployAssembly(ministack, assemblies.release);
  pipeline = openPipeline(ministack, old);
  dynamodb = new DynamoDBClient(clientOptions(ministack));
  secrets = new SecretsManagerClient(clientOptions(ministack));
  held = await statefulResources();
});
afterAll(async () => {
  pipeline?.close();
  dynamodb?.destroy();
  secrets?.destroy();
  await stop();
});

async function statefulResources(): Promise<Record<string, string>> {
  const all = [...(await deployedResources(ministack)).values()];
  const some = all.filter(({ ResourceType }) => statefulTypes.includes(`${ResourceType}`));
  return Object.fromEntries(some.map((one) => [`${one.LogicalResourceId}`, `${one.PhysicalResourceId}`]));
}

async function putRows(): Promise<void> {
  const tables = { events: old.outputs['EventsTableName'], orders: old.outputs['OrdersTableName'] };
  const put = async (table: string | undefined, items: readonly StoredItem[]): Promise<void> => {
    for (const item of items) {
      const RequestItems = { [`${table}`]: [{ PutRequest: { Item: toItem(item) } }] };
      await dynamodb.send(new BatchWriteItemCommand({ RequestItems }));
    }
  };
  await put(tables.events, release.rows.events);
  await put(tables.orders, release.rows.orders);
}

/** The lists hold what the test itself sent as well; an id with a slash is not found here at all. */
const questions = release.answers.answers.filter(
  ({ path }) => !path.startsWith('/orders?') && !path.includes('%2F'),
);

async function answersAsStored(): Promise<void> {
  expect(questions.length).toBeGreaterThan(25);
  for (const { path, status, body } of questions) {
    expect({ path, ...(await pipeline.get(path)) }).toMatchObject({ path, status, json: body });
  }
}

/** The outputs that order systems and operators have written down; two say what to do, and may say it better. */
function addressesOf({ outputs }: Deployment): Deployment['outputs'] {
  const { RegisterWebhook: _, PutPrivateKey: __, ...addresses } = outputs;
  return addresses;
}

/** Deploys while events come; gives what came. */
async function deployUnderLoad(assembly: string, name: string): Promise<Sent & { deployment: Deployment }> {
  const sender = startSending(pipeline, name);
  const deployment = await deployAssembly(ministack, assembly).finally(() => sender.stop().catch(() => {}));
  return { ...(await sender.stop()), deployment };
}

async function recordedOnce(ids: readonly string[]): Promise<void> {
  await pipeline.settled();
  const rows = await Promise.all(ids.map((id) => pipeline.rowsOfEvents(`live:event:${id}`)));
  expect(rows).toEqual(ids.map(() => ['event']));
  const orders = await Promise.all(ids.map((id) => pipeline.order(id)));
  expect(orders.map(({ status, events }) => ({ status, events }))).toEqual(
    ids.map((id) => ({ status: 'paid', events: [expect.objectContaining({ id })] })),
  );
  expect(await pipeline.deadLetters()).toBe(0);
}

it('begins as the release: with its keys, its rows, and events that came in by its address', async () => {
  await pipeline.putPrivateKeys();
  await putRows();
  await pipeline.post(bytesOf(paidEvent({ orderId: 'before', seed: 'before' })));
  expect(await pipeline.order('before', ({ status }) => status === 'paid')).toMatchObject({ mode: 'live' });
  await answersAsStored();
  const withheld = new Set(old.adapted.withheld);
  const deployed = Object.keys(release.template.Resources).filter((id) => !withheld.has(id));
  expect([...(await deployedResources(ministack)).keys()].toSorted()).toEqual(deployed.toSorted());
  expect(Object.keys(held).length).toBeGreaterThan(15);
});

it('records every event once that comes while it is upgraded', async () => {
  const { accepted, repeated, deployment } = await deployUnderLoad(assemblies.today, 'upgrade');
  process.stdout.write(`During the upgrade ${accepted.length} events came; repeated: [${repeated}].\n`);
  expect(accepted.length).toBeGreaterThan(5);
  await recordedOnce(accepted);
  expect(deployment.outputs).toMatchObject(addressesOf(old));
});

it('replaces nothing that holds something or has an address', async () => {
  expect(await statefulResources()).toMatchObject(held);
});

it('answers about the rows of the release as the release did, and goes on with its orders', async () => {
  await answersAsStored();
  await pipeline.post(bytesOf(refundedEvent({ orderId: 'before', seed: 'before' })));
  expect(await pipeline.order('before', ({ status }) => status === 'refunded')).toMatchObject({
    attention: [],
    sequence: 2,
  });
});

it('goes back to the template of the release under load, with every address and every row', async () => {
  const rows = await pipeline.countRows();
  const { accepted, repeated, deployment } = await deployUnderLoad(assemblies.release, 'rollback');
  process.stdout.write(`During the rollback ${accepted.length} events came; repeated: [${repeated}].\n`);
  expect(accepted.length).toBeGreaterThan(5);
  await recordedOnce(accepted);
  expect(await pipeline.countRows()).toBe(rows + accepted.length);
  expect(deployment.outputs).toEqual(old.outputs);
  expect(await statefulResources()).toEqual(held);
  await answersAsStored();
});

it('is upgraded again after it went back', async () => {
  const { outputs } = await deployAssembly(ministack, assemblies.today);
  expect(outputs).toMatchObject(addressesOf(old));
  expect(await statefulResources()).toMatchObject(held);
});

it('keeps tables, keys and queues when the stack is deleted, which has to be allowed first', async () => {
  const rows = await pipeline.countRows();
  await expect(destroy(ministack)).rejects.toThrow(/TerminationProtection/);
  expect(await pipeline.post(bytesOf(paidEvent({ orderId: 'still-there' })))).toMatchObject({ status: 202 });
  await pipeline.order('still-there');

  const allow = { StackName: stackName, EnableTerminationProtection: false };
  await withCloudFormation(ministack, (client) => client.send(new UpdateTerminationProtectionCommand(allow)));
  await destroy(ministack);
  expect(await pipeline.post(bytesOf(paidEvent({ orderId: 'gone' })))).toMatchObject({ status: 404 });
  expect(await pipeline.countRows()).toBe(rows + 1);
  expect(await pipeline.messagesIn(`${old.outputs['EventQueueUrl']}`)).toBe(0);
  const SecretId = old.outputs['KeySecretArn'];
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  expect(JSON.parse(`${SecretString}`)).toEqual({ private_keys: [{ key: privateKey }, { key: sandboxKey }] });
});
