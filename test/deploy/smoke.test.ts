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

// `payhooks smoke` against one deployment, in the order of the days after it: each fact finds what those before it
// left. Several runs take a while, since every request under way is a process of its own here.
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

it('says what is left to do after the first deployment', async () => {
  const { code, said } = await smoke();
  expect(said).toContain('✗ live key               the key secret holds no key at all');
  expect(said).toContain(`npx payhooks keys set --stack ${stackName}`);
  expect(said).toContain('✗ somebody is told       nobody has subscribed to the alarm topic');
  expect(code).toBe(1);
});

it('proves a stack that is ready', async () => {
  await putKeys(privateKey, sandboxKey);
  const sns = new SNSClient(clientOptions(ministack));
  const QueueArn = deployment.outputs['DeadLetterQueueArn'];
  const TopicArn = deployment.outputs['AlarmTopicArn'];
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: QueueArn }));
  sns.destroy();
  const { code, said, lines, stderr } = await smoke();
  process.stdout.write(said);
  expect(stderr).toBe(`${stackName} in ${ministack.region}\n`);
  expect(lines.at(-1)).toBe('16 checks: 16 passed, 0 failed, 0 skipped, 0 unanswered');
  expect(code).toBe(0);
  expect(said).not.toContain(privateKey);
  expect(said).not.toContain(sandboxKey);
});

it('prints one JSON document for scripts', async () => {
  const { code, said } = await smoke('--json');
  expect(JSON.parse(said)).toMatchObject({
    stack: stackName,
    region: ministack.region,
    summary: { passed: 16, failed: 0, skipped: 0, unanswered: 0 },
  });
  expect(code).toBe(0);
});

it('notices an alarm that was deleted by hand', async () => {
  const cloudWatch = new CloudWatchClient(clientOptions(ministack));
  await cloudWatch.send(new DeleteAlarmsCommand({ AlarmNames: [`${stackName}-EventsDelayed`] }));
  cloudWatch.destroy();
  const { code, said } = await smoke();
  expect(said).toContain(`✗ alarms are armed       deleted by hand: ${stackName}-EventsDelayed`);
  expect(code).toBe(1);
});

// Last, since a verifier that has just refused a signature takes a minute to read its keys again.
it('signs with a temporary key where there is no sandbox key, and takes it out again', async () => {
  await putKeys(privateKey);
  const { said } = await smoke('--temporary-sandbox-key', '--yes');
  expect(said).toMatch(/✓ temporary key {10}[0-9a-f]{12} is in the key secret, until /);
  expect(said).toMatch(/✓ refund {17}payhooks-smoke-[0-9a-f]{8}-order is refunded after 2 events/);
  expect(said).toContain('✓ key taken out');
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: KeySecretArn() }));
  expect(JSON.parse(SecretString)).toEqual({ private_keys: [{ key: privateKey }] });
});
