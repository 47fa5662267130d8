import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bootstrap, clientOptions } from './deployment.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

// `npm run test:aws`, from one test to the next.
let ministack: MiniStack;
let folder: string;
let stop = async (): Promise<void> => {};
beforeAll(async () => {
  ministack = await startMiniStack();
  stop = () => ministack.stop();
  folder = await mkdtemp(join(ministack.folder, 'run-'));
  await bootstrap(ministack);
});
afterAll(() => stop());

const program = join(import.meta.dirname, '../../tools/aws-questions/main.ts');

function start(cwd: string, ...flags: readonly string[]) {
  const env = {
    ...ministack.environment,
    CDK_APP: `node ${join(import.meta.dirname, 'adapted-app.ts')}`,
    CDK_DISABLE_VERSION_CHECK: 'true',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
  const argv = [program, '--yes', '--patience=3', ...flags];
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const ran = Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { child, ran: ran.then(([code, stdout, stderr]) => ({ code, stdout, stderr })) };
}

/** The mark of each question in a table. */
const marksOf = (table: string): Record<string, string> =>
  Object.fromEntries([...table.matchAll(/^(.) ([\w-]+): /gm)].map(([, mark = '', id = '']) => [id, mark]));

/** What the account has of the stack. */
async function listWhatIsThere() {
  const options = clientOptions(ministack);
  const { Stacks = [] } = await new CloudFormation(options).describeStacks();
  const { TableNames = [] } = await new DynamoDB(options).listTables();
  const { QueueUrls = [] } = await new SQS(options).listQueues();
  const { SecretList = [] } = await new SecretsManager(options).listSecrets({ IncludePlannedDeletion: true });
  const { MetricAlarms = [] } = await new CloudWatch(options).describeAlarms();
  const { logGroups = [] } = await new CloudWatchLogs(options).describeLogGroups();
  // MiniStack makes a group again when a function writes that still runs.
  const kept = logGroups.filter(({ retentionInDays }) => retentionInDays !== undefined);
  const names = [...Stacks.map(({ StackName }) => StackName), ...SecretList.map(({ Name }) => Name)];
  names.push(...MetricAlarms.map(({ AlarmName }) => AlarmName));
  const all = [...TableNames, ...QueueUrls, ...names, ...kept.map(({ logGroupName }) => logGroupName)];
  return all.filter((name) => name?.includes('payhooks-aws-questions'));
}

/**
 * MiniStack reads `%` in a path twice, leaves out expiry and policies of tables, and rotates no secret. It
 * evaluates no alarm over math, throttles no request and writes no access log. The first heartbeat is due later.
 */
const atOnce = {
  ...{ 'utf-8': '✓', 'not-utf-8': '✓', sizes: '✓', signatures: '✓', 'order-ids': '✗', settings: '✓' },
  ...{ 'dead-letters': '✓', 'log-group': '✓', status: '✗', seal: '✗' },
  ...{ alarms: '?', throttled: '?', 'access-log': '?' },
};
/** The policy of the bus is left out. */
const later = { expiry: '?', replay: '✗', 'key-off': '✓' };
const byHand = { private: '·', rollout: '·' };
const notYet = (marks: object) => Object.fromEntries(Object.keys(marks).map((id) => [id, '·']));
const account = 'Account 000000000000, region us-east-1, stack payhooks-aws-questions.';

it('test:aws asks what MiniStack can answer, and shows who asks every other question when', async () => {
  const { code, stdout } = await start(folder).ran;
  const [plan = '', table = ''] = stdout.split(account);
  expect(marksOf(plan)).toEqual(notYet({ ...atOnce, ...later, ...byHand }));
  expect(plan).toMatch(/^· private: .*\n.*\n {4}by hand: needs a VPC/m);
  expect(plan).toMatch(/^· expiry: .*\n.*\n {4}asked 72 h later$/m);
  expect(table).toMatch(/half an hour 72 h later, with --resume\. It costs .*\nfor requests, and \$0\.[1-9]/);
  expect(marksOf(table), stdout).toEqual({ ...atOnce, ...byHand, ...notYet(later) });
  expect({ code, table }).toEqual({ code: 0, table: expect.stringContaining('stays for what has to wait') });
});

it('test:aws refuses a stack of its name that another run made', async () => {
  const { code, stderr } = await start(await mkdtemp(join(ministack.folder, 'run-'))).ran;
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('this run did not make') });
});

/** What MiniStack can do, but not when CloudFormation asks for it. */
async function archiveAnEvent() {
  const events = new EventBridge(clientOptions(ministack));
  const name = 'payhooks-aws-questions';
  const { Arn } = await events.describeEventBus({ Name: name });
  await events.createArchive({ ArchiveName: name, EventSourceArn: Arn });
  const event = { Source: 'payhooks', DetailType: 'OrderStatusChanged', Detail: '{}' };
  await events.putEvents({ Entries: [{ ...event, EventBusName: name }] });
}

it('test:aws asks with --resume what had to wait, and leaves nothing', async () => {
  const file = join(folder, '.aws-questions/state.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/"deployedAt":\d+/, '"deployedAt":0'));
  expect(await listWhatIsThere()).not.toEqual([]);
  await archiveAnEvent();
  const { code, stdout } = await start(folder, '--resume').ran;
  expect(marksOf(stdout), stdout).toEqual({ ...atOnce, ...byHand, ...later });
  expect(stdout).toContain('answer: replayed; an entry in our name was accepted');
  expect(stdout).toContain('Left of payhooks-aws-questions: nothing.');
  expect({ code, left: await listWhatIsThere() }).toEqual({ code: 1, left: [] });
});

it('test:aws removes what it has deployed so far when Ctrl-C ends it', async () => {
  const { child, ran } = start(folder);
  child.stderr.on('data', (chunk) => {
    // A second Ctrl-C would leave the stack.
    if (!child.killed && `${chunk}`.includes('CREATE_IN_PROGRESS')) child.kill('SIGINT');
  });
  const { code, stdout } = await ran;
  expect(stdout).toContain('Left of payhooks-aws-questions: nothing.');
  expect({ code, left: await listWhatIsThere() }).toEqual({ code: 130, left: [] });
  expect(existsSync(join(folder, '.aws-questions'))).toBe(false);
});
