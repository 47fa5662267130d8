import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AlarmList } from '../../console/contract/alarms.ts';
import { temporaryDirectory } from '../cli/payhooks-process.ts';
import { startConsoleProcess } from '../doubles/console-process.ts';
import { eventBody } from '../doubles/event-body.ts';
import { type DeployedPipeline, openPipeline } from './deployed-pipeline.ts';
import { bootstrap, type Deployment, deploy, stackName } from './deployment.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

let ministack: MiniStack;
let stop = async (): Promise<void> => {};
let deployment: Deployment;
let pipeline: DeployedPipeline | undefined;

beforeAll(async () => {
  ministack = await startMiniStack();
  stop = () => ministack.stop();
  await bootstrap(ministack);
  deployment = await deploy(ministack);
  pipeline = openPipeline(ministack, deployment);
  await pipeline.putPrivateKeys();
});
afterAll(async () => {
  pipeline?.close();
  await stop();
});

it('payhooks console shows what a deployed stack holds, and an act changes nothing in its dry run', async () => {
  await pipeline?.post(eventBody({ id: 'paid-1', order: 'order-1' }));
  await pipeline?.post(eventBody({ id: 'odd-1', order: null, transaction: 'lonely' }));
  await pipeline?.order('order-1');
  await pipeline?.event('odd-1');
  const names = pathToFileURL(join(import.meta.dirname, 'loopback-names.mjs')).href;
  const console = await startConsoleProcess(['--stack', stackName, '--port', '0', '--no-browser'], {
    AWS_ENDPOINT_URL: ministack.endpoint,
    AWS_REGION: ministack.region,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    NODE_EXTRA_CA_CERTS: ministack.certificate.certificateFile,
    NODE_OPTIONS: `--import ${names}`,
    XDG_CACHE_HOME: await temporaryDirectory(),
  });
  const json = async (path: string, init?: RequestInit) => (await console.request(path, init)).json();

  const page = await console.request('/console/orders/order-1');
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
  expect(await json('/console/api/stack')).toMatchObject({
    ...{ name: stackName, kind: 'aws', account: '000000000000', region: ministack.region },
    ...{ webhook_url: deployment.outputs['WebhookUrl'], stack_option: `--stack ${stackName}` },
  });
  expect(await json('/orders/order-1')).toMatchObject({ order_id: 'order-1', status: 'paid' });
  expect(await json('/orders/none')).toMatchObject({ status: 404, waiting: [] });
  expect(await json('/operations/waiting?mode=live')).toMatchObject({
    events: [{ event_id: 'odd-1' }],
  });
  expect(await json('/console/api/status')).toMatchObject({ queues: { events: 0, dead_letters: 0 } });
  // MiniStack counts nothing for AWS itself.
  expect(await json('/console/api/series')).toMatchObject({
    accepted: Array.from({ length: 60 }, () => 0),
    latency: { events: null },
  });
  const { alarms } = (await json('/console/api/alarms')) as AlarmList;
  expect(alarms).toContainEqual(expect.objectContaining({ alarm: 'EventConflicts', severity: 'today' }));
  expect(alarms.filter(({ state }) => state === 'deleted')).toEqual([]);
  // MiniStack does not list the tasks that move messages.
  expect(await json('/console/api/dead-letters')).toMatchObject({ depth: 0, groups: [], redrive: null });

  const dismissal = { event_id: 'odd-1', reason: 'a test event', dry_run: true };
  const dismissed = await json('/operations/dismiss', { method: 'POST', body: JSON.stringify(dismissal) });
  expect(dismissed).toMatchObject({ dry_run: true, changed: true });
  expect(await json('/operations/waiting?mode=live')).toMatchObject({ events: [{ event_id: 'odd-1' }] });

  const live = await console.request('/console/api/live');
  const { value } = (await live.body?.getReader().read()) ?? {};
  expect(Buffer.from(value ?? []).toString()).toMatch(/^retry: 1000\nevent: hello\n/);
  expect((await console.end('SIGINT')).code).toBe(130);
});
