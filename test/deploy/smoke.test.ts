import { CloudWatchClient, DeleteAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callScheduledSqs } from './aws-calls.ts';
import { bootstrap, clientOptions, deploy, stackName } from './deployment.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';
import { typePayhooks } from './typed-command.ts';

// `payhooks smoke` against one deployment, in order: each test finds what those before it left. A run is slow, since
// MiniStack runs each request under way in its own process.
let ministack: MiniStack;
let stop = async (): Promise<void> => {};

beforeAll(async () => {
  ministack = await startMiniStack();
  stop = () => ministack.stop();
  await bootstrap(ministack);
  await deploy(ministack);
});
afterAll(() => stop());

async function smoke(...options: readonly string[]) {
  const argv = ['smoke', '--stack', stackName, ...options];
  const { code, stdout: printed } = await typePayhooks(ministack, argv);
  return { code, printed };
}

it('lists what is left to do after the first deployment', async () => {
  const { code, printed } = await smoke();
  expect(printed).toContain('✗ live key ');
  expect(printed).toContain(`npx payhooks keys set --stack ${stackName}`);
  expect(printed).toMatch(/✗ .*subscri.* alarm topic/);
  expect(printed).toContain('✗ dead-letter source ');
  expect(code).toBe(1);
});

it('notices an alarm that was deleted by hand', async () => {
  await callScheduledSqs(ministack);
  const cloudWatch = new CloudWatchClient(clientOptions(ministack));
  await cloudWatch.send(new DeleteAlarmsCommand({ AlarmNames: [`${stackName}-ConsumerErrors`] }));
  cloudWatch.destroy();
  const { code, printed } = await smoke();
  expect(printed).toMatch(new RegExp(`✗ .*${stackName}-ConsumerErrors`));
  expect(printed).toContain('✓ dead-letter source ');
  expect(code).toBe(1);
});

it('proves the stack with a heartbeat, which needs no private key', async () => {
  const { printed } = await smoke();
  expect(printed).toMatch(/✓ heartbeat +sent 202 → queue → recorded → published → returned after \d+\.\d s/);
});
