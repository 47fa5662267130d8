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
import { privateKey, sandboxKey } from '../acceptance/target.ts';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import { bootstrap, clientOptions, type Deployment, deploy, stackName } from './deployment.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

// These tests share one deployment and run in the order in which an operator meets these states. A run is slow
// because MiniStack handles every request in a process of its own.
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
  return { code, said: stdout, lines: stdout.trimEnd().split('\n'), stderr };
}

const KeySecretArn = (): string => deployment.outputs['KeySecretArn'] ?? '';

async function putKeys(...keys: readonly string[]): Promise<void> {
  const SecretString = JSON.stringify({ private_keys: keys.map((key) => ({ key })) });
  await secrets.send(new PutSecretValueCommand({ SecretId: KeySecretArn(), SecretString }));
}

it('payhooks smoke shows what is left to do after the first deployment', async () => {
  const { code, said } = await smoke();
  expect(said).toContain('✗ live key               the key secret holds no key, so every webhook gets a 503');
  expect(said).toContain(`npx payhooks keys set --stack ${stackName}`);
  expect(said).toContain('✗ alarm subscription     the alarm topic has no subscription');
  expect(code).toBe(1);
});

it('payhooks smoke proves a stack that is ready', async () => {
  await putKeys(privateKey, sandboxKey);
  const sns = new SNSClient(clientOptions(ministack));
  const QueueArn = deployment.outputs['DeadLetterQueueArn'];
  const TopicArn = deployment.outputs['AlarmTopicArn'];
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: QueueArn }));
  sns.destroy();
  const { code, said, lines, stderr } = await smoke();
  process.stdout.write(said);
  expect(stderr).toBe(`${stackName} in ${ministack.region}\n`);
  expect(lines.at(-1)).toBe('16 checks: 16 passed, 0 failed, 0 skipped, 0 unknown');
  expect(code).toBe(0);
  expect(said).not.toContain(privateKey);
  expect(said).not.toContain(sandboxKey);
});

it('payhooks smoke prints one JSON document for scripts', async () => {
  const { code, said } = await smoke('--json');
  expect(JSON.parse(said)).toMatchObject({
    stack: stackName,
    region: ministack.region,
    summary: { passed: 16, failed: 0, skipped: 0, unknown: 0 },
  });
  expect(code).toBe(0);
});

it('payhooks smoke finds an alarm that was deleted by hand', async () => {
  const cloudWatch = new CloudWatchClient(clientOptions(ministack));
  await cloudWatch.send(new DeleteAlarmsCommand({ AlarmNames: [`${stackName}-EventsDelayed`] }));
  cloudWatch.destroy();
  const { code, said } = await smoke();
  expect(said).toContain(`✗ alarms are enabled     deleted by hand: ${stackName}-EventsDelayed`);
  expect(code).toBe(1);
});

// Last, because a verifier that has just refused a signature does not read its keys again for a minute.
it('payhooks smoke signs with a temporary key when there is no sandbox key, and removes it', async () => {
  await putKeys(privateKey);
  const { said } = await smoke('--temporary-sandbox-key', '--yes');
  expect(said).toMatch(/✓ temporary key {10}[0-9a-f]{12} is in the key secret, until /);
  expect(said).toMatch(/✓ refund {17}payhooks-smoke-[0-9a-f]{8}-order is refunded after 2 events/);
  expect(said).toContain('✓ key removed');
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: KeySecretArn() }));
  expect(JSON.parse(SecretString)).toEqual({ private_keys: [{ key: privateKey }] });
});
