import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CloudWatchClient, DeleteAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { privateKey, sandboxKey } from '../acceptance/pipeline.ts';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import { bootstrap, clientOptions, type Deployment, deploy, stackName } from './deployment.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

// `payhooks smoke` against one deployment, in order: each test finds what those before it left. A run is slow, since
// MiniStack runs each request under way in its own process.
const runMilliseconds = 120_000;
vi.setConfig({ testTimeout: 180_000 });

let ministack: MiniStack;
let stop = async (): Promise<void> => {};
let deployment: Deployment;
let secrets: SecretsManagerClient;

beforeAll(async () => {
  ministack = await startMiniStack();
  stop = () => ministack.stop();
  await bootstrap(ministack);
  deployment = await deploy(ministack);
  secrets = new SecretsManagerClient(clientOptions(ministack));
});
afterAll(async () => {
  secrets?.destroy();
  await stop();
});

async function smoke(...options: readonly string[]) {
  const names = pathToFileURL(join(import.meta.dirname, 'loopback-names.mjs')).href;
  const env = {
    AWS_ENDPOINT_URL: ministack.endpoint,
    AWS_REGION: ministack.region,
    NODE_EXTRA_CA_CERTS: ministack.certificate.certificateFile,
    NODE_OPTIONS: `--import ${names}`,
  };
  const argv = ['smoke', '--stack', stackName, ...options];
  const { code, stdout, stderr } = await spawnPayhooks(argv, { env, timeout: runMilliseconds });
  return { code, printed: stdout, stderr };
}

const KeySecretArn = (): string => deployment.outputs['KeySecretArn'] ?? '';

async function putKeys(...keys: readonly string[]): Promise<void> {
  const SecretString = JSON.stringify({ private_keys: keys.map((key) => ({ key })) });
  await secrets.send(new PutSecretValueCommand({ SecretId: KeySecretArn(), SecretString }));
}

it('lists what is left to do after the first deployment', async () => {
  const { code, printed } = await smoke();
  expect(printed).toContain('✗ live key ');
  expect(printed).toContain(`npx payhooks keys set --stack ${stackName}`);
  expect(printed).toMatch(/✗ .*subscri.* alarm topic/);
  expect(code).toBe(1);
});

it('proves a stack that is ready', async () => {
  await putKeys(privateKey, sandboxKey);
  const sns = new SNSClient(clientOptions(ministack));
  const QueueArn = deployment.outputs['DeadLetterQueueArn'];
  const TopicArn = deployment.outputs['AlarmTopicArn'];
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: QueueArn }));
  sns.destroy();
  const { code, printed, stderr } = await smoke();
  process.stdout.write(printed);
  expect(stderr).toBe(`${stackName} in ${ministack.region}\n`);
  expect(printed).toMatch(/^\d+ checks: \d{2} passed, 0 failed, 0 skipped, 0 unknown$/m);
  expect(code).toBe(0);
  expect(printed).not.toContain(privateKey);
  expect(printed).not.toContain(sandboxKey);
});

it('prints one JSON document for scripts', async () => {
  const { code, printed } = await smoke('--json');
  expect(JSON.parse(printed)).toMatchObject({
    stack: stackName,
    region: ministack.region,
    summary: { failed: 0, skipped: 0, unknown: 0 },
  });
  expect(code).toBe(0);
});

it('notices an alarm that was deleted by hand', async () => {
  const cloudWatch = new CloudWatchClient(clientOptions(ministack));
  await cloudWatch.send(new DeleteAlarmsCommand({ AlarmNames: [`${stackName}-EventsDelayed`] }));
  cloudWatch.destroy();
  const { code, printed } = await smoke();
  expect(printed).toMatch(new RegExp(`✗ .*${stackName}-EventsDelayed`));
  expect(code).toBe(1);
});

// Last, since a verifier that has just refused a signature waits a minute before it reads its keys again.
it('signs with a temporary key when there is no sandbox key, and removes it afterwards', async () => {
  await putKeys(privateKey);
  const { printed } = await smoke('--temporary-sandbox-key', '--yes');
  expect(printed).toMatch(/✓ temporary key .*[0-9a-f]{12} is in the key secret, until /);
  expect(printed).toMatch(/✓ refund .*payhooks-smoke-[0-9a-f]{8}-order is refunded after 2 events/);
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: KeySecretArn() }));
  expect(JSON.parse(SecretString)).toEqual({ private_keys: [{ key: privateKey }] });
});
