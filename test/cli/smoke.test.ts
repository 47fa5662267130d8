import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { stackName, startDeployedStack } from '../doubles/deployed-stack.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { runPayhooks } from './payhooks-process.ts';

afterEach(() => vi.unstubAllEnvs());

// The same relations in a hundredth of the time.
vi.mock('../../cli/limits.ts', async (original) => ({
  ...(await original<object>()),
  smokeSettleMilliseconds: 40,
  smokeSettlePollMilliseconds: 10,
  acceptanceMilliseconds: 62,
  refusedPauseMilliseconds: 31,
  keylessPauseMilliseconds: 6,
}));

const keys = '{"private_keys":[{"key":"pri_live_key"},{"key":"pri_sandbox_key"}]}';
const liveOnly = '{"private_keys":[{"key":"pri_live_key"}]}';
const payhooks = join(import.meta.dirname, '..', '..', 'cli', 'payhooks.ts');
const alarm = `${stackName}-EventsDelayed`;

async function start(text = keys) {
  const stack = await startDeployedStack({ keys: text });
  const smoke = async (...options: readonly string[]) => {
    const { code, stdout, stderr } = await runPayhooks(['smoke', '--stack', stackName, ...options]);
    const lineOf = (name: string) => stdout.split('\n').find((line) => line.slice(2).startsWith(name));
    return { code, stdout, stderr, lineOf, summary: stdout.trimEnd().split('\n').at(-1) };
  };
  return { ...stack, smoke };
}

describe('payhooks smoke', () => {
  it('passes for a stack that is ready, and shows neither keys nor signatures', async () => {
    const { smoke } = await start();
    const { code, summary, stdout, stderr } = await smoke();
    expect(summary).toBe('18 checks: 18 passed, 0 failed, 0 skipped, 0 unanswered');
    expect([code, stderr]).toEqual([0, `${stackName} in us-east-1\n`]);
    expect(stdout).not.toMatch(/pri_|[0-9a-f]{64}/);
  });

  it('prints one document with --json', async () => {
    const { smoke, state } = await start();
    state.subscriptions = [];
    const { code, stdout } = await smoke('--json');
    const { checks, summary, stack } = JSON.parse(stdout);
    expect([stack, summary]).toEqual([stackName, { passed: 17, failed: 1, skipped: 0, unanswered: 0 }]);
    expect(checks.find(({ name }: { readonly name: string }) => name === 'somebody is told')).toMatchObject({
      outcome: 'failed',
      says: 'nobody has subscribed to the alarm topic: nobody is told',
      mend: [
        expect.stringContaining('aws sns subscribe --topic-arn arn:'),
        expect.stringContaining('alarmEmail'),
      ],
    });
    expect(code).toBe(1);
  });

  it('works against local mode, without what local mode has not', async () => {
    const { pipeline } = await start();
    const outputs = { WebhookUrl: `${pipeline.url}/webhooks/payments`, OrderQueryUrl: pipeline.url };
    const local = await startLocalStack({ keys, outputs });
    const { stdout } = await runPayhooks(['smoke', '--local', local.url]);
    expect(stdout).toContain('– stack                  local mode has no CloudFormation');
    expect(stdout).toContain('✓ signed payment');
    const refused = await runPayhooks(['smoke', '--local', local.url, '--answers', 'x.json', '--yes']);
    expect([refused.code, refused.stderr.includes('--answers writes down what AWS answers')]).toEqual([
      2,
      true,
    ]);
  });

  it.each([
    ['UPDATE_ROLLBACK_COMPLETE', 'is UPDATE_ROLLBACK_COMPLETE'],
    ['UPDATE_IN_PROGRESS', 'is UPDATE_IN_PROGRESS'],
  ])('fails for a stack that is %s', async (status, said) => {
    const { smoke, state } = await start();
    state.status = status;
    const { code, lineOf } = await smoke();
    expect(lineOf('stack')).toBe(`✗ stack                  ${stackName} ${said}`);
    expect(code).toBe(1);
  });

  it('says what the operator may not ask, and calls it unanswered and not passed', async () => {
    const { smoke, state } = await start();
    state.forbidden = ['DescribeAlarms', 'ListSubscriptionsByTopic', 'SimulatePrincipalPolicy'];
    const { code, summary, lineOf } = await smoke();
    expect(lineOf('alarms are armed')).toMatch(/^\? .*not authorized to perform: DescribeAlarms/);
    expect(lineOf('alarms are quiet')).toMatch(/^– .*the alarms could not be read/);
    expect(lineOf('somebody is told')).toMatch(/^\? /);
    expect(lineOf('VerifierRole')).toMatch(/^\? /);
    expect([code, summary]).toEqual([0, '18 checks: 14 passed, 0 failed, 1 skipped, 3 unanswered']);
  });

  it('ends with 4 when AWS cannot be reached', async () => {
    const { smoke } = await start();
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    expect((await smoke()).code).toBe(4);
  });
});

describe('the keys', () => {
  it('are missed, each with the command that mends it', async () => {
    const { smoke } = await start(liveOnly);
    const { code, stdout, lineOf } = await smoke();
    expect(lineOf('sandbox key')).toMatch(/^✗ .*no accepted sandbox key/);
    expect(stdout).toContain(`→ npx payhooks smoke --stack ${stackName} --temporary-sandbox-key`);
    expect(lineOf('signed payment')).toMatch(/^– .*there is no sandbox key to sign with/);
    expect(lineOf('foreign signature')).toMatch(/^✓/);
    expect(code).toBe(1);
  });

  it('are not enough without a live one', async () => {
    const { smoke } = await start('{"private_keys":[{"key":"pri_sandbox_key"}]}');
    const { code, lineOf, stdout } = await smoke();
    expect(lineOf('live key')).toMatch(/^✗ .*holds no accepted live key/);
    expect(stdout).toContain(`→ npx payhooks keys set --stack ${stackName}`);
    expect(code).toBe(1);
  });

  it('are not known when the secret is no list of keys', async () => {
    const { smoke } = await start('{"private_keys":{}}');
    const { lineOf } = await smoke();
    expect(lineOf('live key')).toMatch(/^✗ .*The key secret has an unknown form/);
    expect(lineOf('sandbox key')).toMatch(/^\? .*the key secret could not be read/);
  });

  it('may come from the environment, when the stack accepts it', async () => {
    await start();
    const argv = ['smoke', '--stack', stackName];
    const said = async (key: string) =>
      (await runPayhooks(argv, { env: { PAYHOOKS_PRIVATE_KEY: key } })).stdout;
    expect(await said('pri_sandbox_key')).toMatch(/✓ sandbox key +.* of the environment/);
    expect(await said('pri_sandbox_other')).toMatch(/✓ sandbox key +.* of the stack/);
    expect(await said('pri_live_key')).toMatch(/✓ sandbox key +.* of the stack/);
  });
});

describe('the temporary sandbox key', () => {
  it('signs the events and is taken out again; the others stay', async () => {
    const { smoke, keys: secret } = await start(liveOnly);
    const { code, lineOf, summary } = await smoke('--temporary-sandbox-key', '--yes');
    expect(lineOf('temporary key')).toMatch(/^✓ temporary key +[0-9a-f]{12} is in the key secret, until /);
    expect(lineOf('refund')).toMatch(/^✓/);
    expect(lineOf('key taken out')).toMatch(/^✓/);
    expect([code, summary]).toEqual([0, '20 checks: 19 passed, 0 failed, 1 skipped, 0 unanswered']);
    expect(await secret()).toBe(liveOnly);
  });

  it('is taken out when a check fails', async () => {
    const { smoke, pipeline, keys: secret } = await start(liveOnly);
    pipeline.faults.webhook = { status: 500, body: 'broken' };
    const failed = await smoke('--temporary-sandbox-key', '--yes');
    expect([failed.code, failed.lineOf('signed payment')?.slice(0, 1)]).toEqual([1, '✗']);
    expect(await secret()).toBe(liveOnly);
  });

  it('is waited for, which a verifier may take a minute to read', async () => {
    const { smoke, pipeline } = await start(liveOnly);
    pipeline.faults.forgetful = 2;
    expect((await smoke('--temporary-sandbox-key', '--yes')).code).toBe(0);
    pipeline.faults.forgetful = 3;
    const { code, lineOf } = await smoke('--temporary-sandbox-key', '--yes');
    expect(lineOf('signed payment')).toMatch(/^✗ .*answered 403, refused: signed with no key/);
    expect(code).toBe(1);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('is taken out when the command is ended by %s', async (signal) => {
    const { env, pipeline, keys: secret } = await start(liveOnly);
    // It waits for half a minute in this process, which knows no shorter limits.
    pipeline.faults.forgetful = 1;
    const argv = [payhooks, 'smoke', '--stack', stackName, '--temporary-sandbox-key', '--yes'];
    const child = spawn(process.execPath, argv, { env: { ...process.env, ...env }, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await vi.waitUntil(() => pipeline.faults.forgetful === 0, { timeout: 20_000 });
    expect(await secret()).toContain('pri_sandbox_smoke_');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([signal === 'SIGINT' ? 130 : 143, null]);
    expect(await secret()).toBe(liveOnly);
  });

  it('asks first, and changes nothing without an answer', async () => {
    const { smoke, keys: secret } = await start(liveOnly);
    const { code, stderr } = await smoke('--temporary-sandbox-key');
    expect([code, stderr.includes('Put the random sandbox key')]).toEqual([2, true]);
    expect(await secret()).toBe(liveOnly);
  });

  it('is not put into a secret that has no live key', async () => {
    const empty = '{"private_keys":[{"key":"pri_old_key","accepted_until":"2026-01-01T00:00:00Z"}]}';
    const { smoke, keys: secret } = await start(empty);
    const { code, lineOf } = await smoke('--temporary-sandbox-key', '--yes');
    expect(lineOf('temporary key')).toMatch(/^✗ .*is added to a live key, and there is none/);
    expect([code, await secret()]).toEqual([1, empty]);
  });
});

describe('the pipeline', () => {
  it('fails when a forgery is accepted', async () => {
    const { smoke, pipeline } = await start();
    pipeline.faults.acceptsForgeries = true;
    const { code, lineOf } = await smoke();
    for (const name of ['without a signature', 'foreign signature', 'upper-case signature']) {
      expect(lineOf(name)).toMatch(/^✗ .*was answered 202: anybody can forge a payment/);
    }
    expect(code).toBe(1);
  });

  it('fails when refusals can be told apart', async () => {
    const { smoke, pipeline } = await start();
    pipeline.faults.tellsWhy = true;
    expect((await smoke()).lineOf('foreign signature')).toMatch(/^✗ .*refused in other words/);
  });

  it('fails when the order query asks nobody for a signature', async () => {
    const { smoke, pipeline } = await start();
    pipeline.faults.isOpen = true;
    expect((await smoke()).lineOf('unsigned query')).toMatch(/^✗ .*answered 200, expected 403/);
  });

  it('fails when other bytes are kept', async () => {
    const { smoke, pipeline } = await start();
    pipeline.faults.answer = (body) => ({ ...body, body_base64: 'e30=' });
    expect((await smoke()).lineOf('bytes are kept')).toMatch(/^✗ .*gives back other bytes/);
  });

  it('fails when a repetition changes the order', async () => {
    const { smoke, pipeline } = await start();
    // The first answer of all says that the order is paid, the third is the one before the repetition.
    pipeline.faults.answer = (body, count) => ({ ...body, sequence: count <= 3 ? 1 : 2 });
    expect((await smoke()).lineOf('repeated delivery')).toMatch(/^✗ .*from sequence 1 to 2/);
  });

  it('fails when sandbox orders show as live', async () => {
    const { smoke, pipeline } = await start();
    pipeline.faults.mixesModes = true;
    expect((await smoke()).lineOf('live orders apart')).toMatch(/^✗ .*live mode tells the sandbox order too/);
  });
});

describe('the alarms', () => {
  it.each([
    ['deleted by hand', {}, `deleted by hand: ${alarm}`],
    ['switched off', { enabled: false }, `actions are off: ${alarm}`],
    ['led elsewhere', { actions: ['arn:aws:sns:us-east-1:000000000000:other'] }, 'do not tell the topic'],
  ])('fail when one was %s', async (_, change, said) => {
    const { smoke, state, armed } = await start();
    const { [alarm]: former, ...others } = state.alarms;
    state.alarms =
      Object.keys(change).length === 0 ? others : { ...others, [alarm]: { ...armed, ...change } };
    const { code, lineOf } = await smoke();
    expect(lineOf('alarms are armed')).toContain(said);
    expect([code, former]).toEqual([1, armed]);
  });

  it('point to the runbook when one rings', async () => {
    const { smoke, state, armed } = await start();
    state.alarms[alarm] = { ...armed, state: 'ALARM' };
    const { code, stdout, lineOf } = await smoke();
    expect(lineOf('alarms are quiet')).toBe(`✗ alarms are quiet       ${alarm} rings`);
    expect(stdout).toContain('→ docs/runbook.md#eventsdelayed');
    expect(code).toBe(1);
  });

  it('tell nobody while the subscription is not confirmed', async () => {
    const { smoke, state } = await start();
    state.subscriptions = ['PendingConfirmation'];
    const { code, stdout, lineOf } = await smoke();
    expect(lineOf('somebody is told')).toMatch(
      /^✗ .*1 subscription to the alarm topic, and none is confirmed/,
    );
    expect(stdout).toContain('Subscription Confirmation');
    expect(code).toBe(1);
  });
});

describe('the roles', () => {
  it.each([
    [
      'a boundary',
      'sqs:SendMessage',
      'PermissionsBoundaryDecisionDetail',
      'AllowedByPermissionsBoundary',
      'its permissions boundary',
    ],
    [
      'the organisation',
      'events:PutEvents',
      'OrganizationsDecisionDetail',
      'AllowedByOrganizations',
      'a policy of the organisation',
    ],
  ])('fail when %s takes something away', async (_, action, detail, field, said) => {
    const { smoke, state } = await start();
    const more = `<${detail}><${field}>false</${field}></${detail}>`;
    state.decisions = { [action]: { EvalDecision: 'implicitDeny', more } };
    const { code, lineOf } = await smoke();
    expect(lineOf('VerifierRole')).toMatch(`✗ VerifierRole           may not ${action} on arn:aws:`);
    expect(lineOf('VerifierRole')).toContain(`refused by ${said}`);
    expect(code).toBe(1);
  });

  it('fail when something dangerous is allowed', async () => {
    const { smoke, state } = await start();
    state.decisions = { 'sqs:PurgeQueue': { EvalDecision: 'allowed' } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(
      /^✗ .*may sqs:PurgeQueue on arn:.*which nobody should/,
    );
  });

  it('fail when the policy is gone, and when it is about something else', async () => {
    const { smoke, state } = await start();
    state.policy = undefined;
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^✗ .*has lost its policy verifier-policy/);
    state.policy = {
      Statement: [{ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: 'arn:aws:sqs:::other' }],
    };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(
      /^✗ .*no longer allows sqs:SendMessage on Queue; events:PutEvents on Bus/,
    );
  });

  it('are judged by what IAM says of the very resource', async () => {
    const { smoke, state } = await start();
    const of = (fields: string): string =>
      `<ResourceSpecificResults><member>${fields}</member></ResourceSpecificResults>`;
    const refused = '<EvalResourceDecision>explicitDeny</EvalResourceDecision>';
    state.decisions = { 'sqs:SendMessage': { more: of(refused) } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^✗ .*may not sqs:SendMessage/);
    const missing = '<MissingContextValues><member>aws:SourceVpc</member></MissingContextValues>';
    state.decisions = { 'sqs:SendMessage': { more: of(refused + missing) } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^\? .*sqs:SendMessage depends on aws:SourceVpc/);
    state.decisions = { 'sqs:SendMessage': { EvalDecision: 'implicitDeny', EvalResourceName: '*' } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^\? .*is simulated for all resources alone/);
  });

  it('are not known when the template says nothing of one', async () => {
    const { smoke, state } = await start();
    state.otherRole = 'OtherRole';
    expect((await smoke()).lineOf('roles')).toMatch(/^\? .*no AWS::IAM::Policy for OtherRole/);
  });

  it('are asked action by action where IAM takes them not together', async () => {
    const { smoke, state } = await start();
    state.simulatesAlone = true;
    expect((await smoke()).code).toBe(0);
    state.unsimulated = ['sqs:SendMessage'];
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^\? .*it says nothing of sqs:SendMessage/);
  });

  it('are not known when a condition lacks a value', async () => {
    const { smoke, state } = await start();
    const more = '<MissingContextValues><member>aws:SourceVpc</member></MissingContextValues>';
    state.decisions = { 'sqs:SendMessage': { EvalDecision: 'implicitDeny', more } };
    expect((await smoke()).lineOf('VerifierRole')).toMatch(/^\? .*sqs:SendMessage depends on aws:SourceVpc/);
  });
});
