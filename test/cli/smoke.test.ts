import { beforeEach, describe, expect, it, vi } from 'vitest';
import { writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { stackName } from '../doubles/deployed-stack.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { bothKeys, liveOnly, runSmoke, startSmoke } from './smoke-run.ts';

// The SDK's pause before a further attempt is a random part of a time that grows.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

describe('payhooks smoke', () => {
  it('passes for a stack that is ready, and prints neither keys nor signatures', async () => {
    const { smoke } = await startSmoke();
    const { code, summary, stdout, stderr } = await smoke();
    expect(summary).toBe('22 checks: 22 passed, 0 failed, 0 skipped, 0 unknown');
    expect([code, stderr]).toEqual([0, `${stackName} in us-east-1\n`]);
    expect(stdout).not.toMatch(/pri_|[0-9a-f]{64}/);
  });

  it('prints one JSON document with --json', async () => {
    const { smoke, state } = await startSmoke();
    state.subscriptions = [];
    const { code, stdout } = await smoke('--json');
    const { checks, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({
      stack: stackName,
      region: 'us-east-1',
      proven: true,
      summary: { passed: 21, failed: 1, skipped: 0, unknown: 0 },
    });
    expect(checks.at(-1)).toEqual({
      name: 'alarm subscription',
      status: 'failed',
      message: 'the alarm topic has no subscription, so alarms notify no one',
      fixes: [
        expect.stringContaining('aws sns subscribe --topic-arn arn:'),
        expect.stringContaining('alarmEmail'),
      ],
    });
    expect(code).toBe(1);
  });

  it('skips what local mode does not have', async () => {
    const { pipeline } = await startSmoke();
    const outputs = { WebhookUrl: `${pipeline.url}/webhooks/payments`, OrderQueryUrl: pipeline.url };
    const local = await startLocalStack({ keys: bothKeys, outputs });
    const { lineOf } = await runSmoke(['--local', local.url]);
    expect(lineOf('stack')).toBe('– stack                  local mode has no CloudFormation');
    expect(lineOf('signed payment')).toMatch(/^✓/);
    expect(lineOf('alarms are enabled')).toMatch(/^–/);
  });

  it.each([
    ['was rolled back', 'UPDATE_ROLLBACK_COMPLETE', {}, 'is UPDATE_ROLLBACK_COMPLETE'],
    ['is being deployed', 'UPDATE_IN_PROGRESS', {}, 'is UPDATE_IN_PROGRESS'],
    ['lacks an output', 'UPDATE_COMPLETE', { SignatureHeader: '' }, 'has no output SignatureHeader'],
  ])('fails for a stack that %s', async (_, status, outputs, message) => {
    const { smoke, state } = await startSmoke();
    Object.assign(state, { status, outputs: { ...state.outputs, ...outputs } });
    const { code, lineOf } = await smoke();
    expect(lineOf('stack')).toBe(`✗ stack                  ${stackName} ${message}`);
    expect(code).toBe(1);
  });
});

describe('the exit code of payhooks smoke', () => {
  it('is 0 when permissions are missing only for alarms, whose checks are unknown and not passed', async () => {
    const { smoke, state } = await startSmoke();
    state.forbidden = ['DescribeAlarms', 'ListSubscriptionsByTopic'];
    const { code, summary, lineOf } = await smoke();
    expect(lineOf('alarms are enabled')).toMatch(/^\? .*not authorized to perform: DescribeAlarms/);
    expect(lineOf('alarms are quiet')).toMatch(/^– .*the alarms could not be read/);
    expect(lineOf('alarm subscription')).toMatch(/^\? /);
    expect([code, summary]).toEqual([0, '22 checks: 19 passed, 0 failed, 1 skipped, 2 unknown']);
  });

  it('is 1 when the order cannot be read for lack of a permission, because nothing is proven', async () => {
    const { smoke, pipeline } = await startSmoke();
    pipeline.faults.authorises = () => false;
    const { code, lineOf, summary } = await smoke();
    expect(lineOf('order is paid')).toMatch(/^\? .*execute-api:Invoke/);
    expect(summary).toMatch(
      /^22 checks: .* 1 skipped, 4 unknown; the pipeline was not proven \(order is paid unknown\)$/,
    );
    expect(code).toBe(1);
    expect(JSON.parse((await smoke('--json')).stdout)).toMatchObject({ proven: false });
  });

  it('is 4 when AWS cannot be reached at all', async () => {
    const { smoke } = await startSmoke();
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    expect((await smoke()).code).toBe(4);
  });

  it.each([
    [4, 'every failure is a service out of reach', {}],
    [1, 'another check failed before it', { status: 'UPDATE_IN_PROGRESS' }],
    [1, 'another check failed after it', { subscriptions: [] }],
  ])('is %i when a service is out of reach and %s', async (expected, _, change) => {
    const { smoke, state } = await startSmoke();
    Object.assign(state, change);
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDWATCH', 'http://127.0.0.1:1');
    const { code, lineOf } = await smoke();
    expect(lineOf('alarms are enabled')).toMatch(/^✗ .*AWS could not be reached/);
    expect(code).toBe(expected);
  });

  it('is 3 when the credentials have expired', async () => {
    const { smoke, secrets } = await startSmoke();
    secrets.before = () => ({ error: 'ExpiredTokenException', message: 'It has expired.' });
    const { code, stderr } = await smoke();
    expect([code, stderr]).toEqual([3, expect.stringContaining('error: AWS refused the credentials')]);
  });
});

describe('the check of the dead-letter source', () => {
  const policyOf = (redrivePermission: string, ...sourceQueueArns: string[]) =>
    JSON.stringify({ redrivePermission, sourceQueueArns });
  const [own, other] = ['shop-queue', 'other'].map((name) => `arn:aws:sqs:us-east-1:000000000000:${name}`);

  it.each([
    ['any queue', {}],
    ['any queue, explicitly', { RedriveAllowPolicy: '{"redrivePermission":"allowAll"}' }],
    ['another queue', { RedriveAllowPolicy: policyOf('byQueue', `${other}`) }],
    ['another queue as well', { RedriveAllowPolicy: policyOf('byQueue', `${own}`, `${other}`) }],
  ])('fails when %s may move messages there', async (_, deadLetters) => {
    const { smoke, state } = await startSmoke();
    Object.assign(state, { deadLetters });
    const { code, lineOf, fixOf } = await smoke();
    expect(lineOf('dead-letter source')).toMatch(/^✗ .*other queues may move messages/);
    expect(fixOf('dead-letter source')).toMatch(/a schedule of the stack corrects it/);
    expect(code).toBe(1);
  });
});

describe('the key checks of payhooks smoke', () => {
  it('fail without a sandbox key, suggest how to get one, and still send forgeries', async () => {
    const { smoke } = await startSmoke(liveOnly);
    const { code, stdout, lineOf } = await smoke();
    expect(lineOf('sandbox key')).toMatch(/^✗ .*no accepted sandbox key/);
    expect(stdout).toContain(`→ npx payhooks smoke --stack ${stackName} --temporary-sandbox-key`);
    expect(lineOf('signed payment')).toMatch(/^– .*there is no sandbox key to sign with/);
    expect(lineOf('foreign signature')).toMatch(/^✓/);
    expect(code).toBe(1);
  });

  it.each([
    ['an expired live key', '{"key":"pri_old","accepted_until":"2026-01-01T00:00:00Z"}'],
    ['no live key', '{"key":"pri_sandbox_key"}'],
  ])('fail with %s', async (_, entry) => {
    const { smoke } = await startSmoke(`{"private_keys":[${entry}]}`);
    const { code, lineOf, fixOf } = await smoke();
    expect(lineOf('live key')).toBe('✗ live key               the key secret holds no accepted live key');
    expect([code, fixOf('live key')]).toEqual([1, `    → npx payhooks keys set --stack ${stackName}`]);
  });

  it('fail when the secret is not a list of keys', async () => {
    const { smoke } = await startSmoke('{"private_keys":{}}');
    const { lineOf } = await smoke();
    expect(lineOf('live key')).toMatch(/^✗ .*The key secret is malformed/);
    expect(lineOf('sandbox key')).toMatch(/^\? .*the key secret could not be read/);
  });

  it.each([
    ['use a sandbox key of the environment that the stack accepts', 'pri_sandbox_key', 'the environment'],
    ['ignore a sandbox key that the stack does not accept', 'pri_sandbox_other', 'the stack'],
    ['ignore a live key of the environment', 'pri_live_key', 'the stack'],
  ])('%s', async (_, key, from) => {
    await startSmoke();
    const { lineOf } = await runSmoke(['--stack', stackName], { env: { PAYHOOKS_PRIVATE_KEY: key } });
    expect(lineOf('sandbox key')).toMatch(new RegExp(`^✓ .* of ${from}$`));
  });

  it.each([
    ['AccessDeniedException', '?', 'credentials lack a permission', 'smoke --help lists the permissions'],
    ['ThrottlingException', '?', 'ThrottlingException', 'run it again in a minute'],
    ['ResourceNotFoundException', '✗', 'ResourceNotFound', 'environmentName=shop --revert-drift'],
    ['InvalidRequestException', '✗', 'InvalidRequest', 'aws secretsmanager restore-secret'],
    ['DecryptionFailure', '✗', 'DecryptionFailure', 'kms:Decrypt'],
    ['InternalServiceError', '✗', 'InternalServiceError', 'run it again'],
  ])('prove nothing when reading the secret ends with %s', async (error, mark, message, fix) => {
    const { smoke, secrets, pipeline } = await startSmoke();
    secrets.before = () => ({ error, message: 'Not this time.' });
    const { code, stdout, lineOf, fixOf, summary } = await smoke();
    expect(lineOf('live key')).toMatch(new RegExp(`^\\${mark} .*${message}`));
    expect(fixOf('live key')).toMatch(new RegExp(`^ {4}→ .*${fix}`));
    expect(lineOf('signed payment')).toMatch(/^– .*there is no sandbox key to sign with/);
    expect(stdout).toContain('set PAYHOOKS_PRIVATE_KEY to a sandbox key of the stack');
    expect(summary).toContain('not proven (signed payment skipped, order is paid skipped)');
    expect([code, pipeline.posted]).toEqual([1, [403, 403]]);
  });
});

describe('the OAuth token check of payhooks smoke', () => {
  const given = { clientId: 'shop', clientSecret: 'shop-secret', refreshToken: 'first-refresh' };
  const valid = { ...given, accessToken: 'access-token', expiresAt: Date.parse('2199-01-01T00:00:00Z') };

  it('runs only for a stack that has a token', async () => {
    const local = await startLocalStack();
    expect((await runSmoke(['--local', local.url])).lineOf('OAuth token')).toBeUndefined();
  });

  it('passes while the access token has not expired', async () => {
    const local = await startLocalStack({ token: writeTokenSecret(valid) });
    const { lineOf } = await runSmoke(['--local', local.url]);
    expect(lineOf('OAuth token')).toBe(
      '✓ OAuth token            the access token is valid until 2199-01-01T00:00:00.000Z',
    );
  });

  it.each([
    ['expired', writeTokenSecret({ ...valid, expiresAt: 0 }), 'expired at 1970-01-01T00:00:00', 'refresh'],
    ['was never renewed', writeTokenSecret(given), 'the token was never renewed', 'refresh'],
    ['is missing', null, 'the token secret has no value', 'set'],
    ['is malformed', '{"client_id":"shop"}', 'the token secret holds no token', 'set'],
  ])('fails when the token %s, and shows no part of it', async (_, token, message, command) => {
    const local = await startLocalStack({ token });
    const { lineOf, fixOf, stdout, stderr } = await runSmoke(['--local', local.url]);
    expect(lineOf('OAuth token')).toMatch(new RegExp(`^✗ .*${message}`));
    expect(fixOf('OAuth token')).toContain(`→ npx payhooks token ${command} --local http`);
    expect(stdout + stderr).not.toMatch(/shop-secret|first-refresh|access-token/);
  });
});

const alarm = `${stackName}-EventsDelayed`;
const confirmed = 'arn:aws:sns:us-east-1:000000000000:alarms:1';

describe('the alarm checks of payhooks smoke', () => {
  it.each([
    ['was deleted by hand', undefined, `deleted by hand: ${alarm}`],
    ['is disabled', { enabled: false }, `actions are disabled: ${alarm}`],
    [
      'notifies another topic',
      { actions: [confirmed.replace('alarms', 'other')] },
      'do not notify their topic:',
    ],
  ])('fail when an alarm %s', async (_, change, message) => {
    const { smoke, state, armed } = await startSmoke();
    const { [alarm]: _former, ...others } = state.alarms;
    state.alarms = change === undefined ? others : { ...others, [alarm]: { ...armed, ...change } };
    const { code, lineOf } = await smoke();
    expect(lineOf('alarms are enabled')).toContain(message);
    expect(code).toBe(1);
  });

  it('fail when an alarm is firing, and point to its section of the runbook', async () => {
    const { smoke, state, armed } = await startSmoke();
    state.alarms[alarm] = { ...armed, state: 'ALARM' };
    const { code, lineOf, fixOf } = await smoke();
    expect(lineOf('alarms are quiet')).toBe(`✗ alarms are quiet       ${alarm} is firing`);
    expect([code, fixOf('alarms are quiet')]).toEqual([1, '    → docs/runbook.md#eventsdelayed']);
  });

  it.each([
    ['is not confirmed', 'PendingConfirmation', 'has 1 subscription, and none is confirmed', 'Confirmation'],
    ['was deleted', 'Deleted', 'has no subscription, so alarms notify no one', 'aws sns subscribe'],
  ])('fail when the only subscription to the alarms %s', async (_, arn, message, fix) => {
    const { smoke, state } = await startSmoke();
    state.subscriptions = [arn];
    const { code, lineOf, fixOf } = await smoke();
    expect(lineOf('alarm subscription')).toBe(`✗ alarm subscription     the alarm topic ${message}`);
    expect([code, fixOf('alarm subscription')]).toEqual([1, expect.stringContaining(fix)]);
  });

  it('expect alarms that need no one at night at the ticket topic, which needs a subscription too', async () => {
    const { smoke, state, armed } = await startSmoke();
    const tickets = 'arn:aws:sns:us-east-1:444455556666:tickets';
    state.outputs['TicketTopicArn'] = tickets;
    state.alarms[`${stackName}-FeedErrors`] = { ...armed, actions: [tickets] };
    state.alarms[`${stackName}-ConsumerErrors`] = armed;
    const { code, lineOf } = await smoke();
    expect(lineOf('alarms are enabled')).toContain(`do not notify their topic: ${stackName}-ConsumerErrors`);
    expect(lineOf('ticket subscription')).toContain('the ticket topic has 1 confirmed subscription');
    expect(code).toBe(1);
  });

  it.each([
    [['Deleted', confirmed, 'Deleted'], '1 confirmed subscription (email)'],
    [['Deleted', confirmed, 'PendingConfirmation'], '1 confirmed subscription (email); 1 not confirmed'],
  ])('count no deleted subscription in %j', async (subscriptions, message) => {
    const { smoke, state } = await startSmoke();
    state.subscriptions = subscriptions;
    const { lineOf } = await smoke();
    expect(lineOf('alarm subscription')).toBe(`✓ alarm subscription     the alarm topic has ${message}`);
  });
});
