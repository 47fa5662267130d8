import { beforeEach, describe, expect, it, vi } from 'vitest';
import { writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import type { PipelineFaults } from '../doubles/deployed-pipeline.ts';
import { stackName } from '../doubles/deployed-stack.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { runSmoke, startSmoke } from './smoke-run.ts';

// The SDK's pause before a further attempt is a random part of a time that grows.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

describe('payhooks smoke', () => {
  it('passes for a stack that is ready, and prints neither keys nor signatures', async () => {
    const { smoke } = await startSmoke();
    const { code, summary, stdout, stderr } = await smoke();
    expect(summary).toBe('15 checks: 15 passed, 0 failed, 0 skipped, 0 unknown');
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
      summary: { passed: 14, failed: 1, skipped: 0, unknown: 0 },
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
    expect([code, summary]).toEqual([0, '15 checks: 12 passed, 0 failed, 1 skipped, 2 unknown']);
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

describe('the heartbeat of payhooks smoke', () => {
  it('goes through the whole stack', async () => {
    const { smoke } = await startSmoke();
    expect((await smoke()).lineOf('heartbeat')).toBe(
      '✓ heartbeat              sent 202 → queue → recorded → published → returned after 1.9 s',
    );
  });

  it.each<[string, object, Record<string, number>, string, string]>([
    ['is refused', { status: 403 }, {}, 'refused the heartbeat with a 403', 'heartbeatmissing'],
    ['meets a verifier that fails', { status: 503 }, {}, 'with a 503', 'webhookservererrors'],
    ['waits', { returns: false }, { 'shop-queue': 2 }, 'does not empty the event queue (2)', 'eventsdelayed'],
    [
      'cannot be recorded',
      { returns: false },
      { 'shop-dead-letters': 1 },
      'there are dead letters (1)',
      'deadletterspresent',
    ],
    [
      'cannot be published',
      { returns: false },
      { 'shop-feed-failures': 1 },
      'the order feed could not publish (1)',
      'feedfailurespresent',
    ],
    ['is lost', { returns: false }, {}, 'the feed, the bus or its rule', 'heartbeatmissing'],
  ])('fails when it %s, and names the place', async (_, heartbeat, depths, message, section) => {
    const { smoke, state } = await startSmoke();
    Object.assign(state, { heartbeat: { ...state.heartbeat, ...heartbeat }, depths });
    const { code, lineOf, fixOf, summary } = await smoke();
    expect(lineOf('heartbeat')).toMatch(/^✗ /);
    expect(lineOf('heartbeat')).toContain(message);
    expect(fixOf('heartbeat')).toBe(`    → docs/runbook.md#${section}`);
    expect(summary).toContain('the pipeline was not proven (heartbeat failed)');
    expect(code).toBe(1);
  });

  it('fails without a response, and suggests the DNS for a name that does not resolve', async () => {
    const { smoke, state } = await startSmoke();
    state.heartbeat = { status: null, order_id: null, error: 'getaddrinfo ENOTFOUND hooks.example' };
    const { lineOf, fixOf } = await smoke();
    expect(lineOf('heartbeat')).toMatch(/^✗ .*got no response: getaddrinfo ENOTFOUND/);
    expect(fixOf('heartbeat')).toContain('point your domain at the output WebhookDomainTarget');
  });

  it('is unknown without a permission, and then nothing is proven', async () => {
    const { smoke, state } = await startSmoke();
    state.forbidden = ['Invoke'];
    const { code, lineOf, summary } = await smoke();
    expect(lineOf('heartbeat')).toMatch(/^\? .*not authorized to perform: Invoke/);
    expect(summary).toContain('the pipeline was not proven (heartbeat unknown)');
    expect(code).toBe(1);
    expect(JSON.parse((await smoke('--json')).stdout)).toMatchObject({ proven: false });
  });
});

describe('the refusals that payhooks smoke checks', () => {
  const accepted = { status: 202, text: '{"status":"accepted"}' };
  const forged = / gets a 202: anyone can forge a payment$/;

  it.each<[string, string, PipelineFaults, RegExp]>([
    ['an unsigned webhook is accepted', 'missing signature', { refusal: () => accepted }, forged],
    ['a foreign signature is accepted', 'foreign signature', { refusal: () => accepted }, forged],
    [
      'refusals differ',
      'foreign signature',
      { refusal: (signature) => ({ status: 403, text: `{"message":"${signature === undefined}"}` }) },
      /the first refusal had {"message":"true"}$/,
    ],
    [
      'forgeries get a 503',
      'foreign signature',
      { webhook: { status: 503, text: '{}' } },
      /gets a 503, expected 403$/,
    ],
    ['the order query is open', 'unsigned query', { authorises: () => true }, /gets a 404, expected 403/],
  ])('fail when %s', async (_, name, faults, message) => {
    const { smoke, pipeline } = await startSmoke();
    Object.assign(pipeline.faults, faults);
    const { code, lineOf } = await smoke();
    expect(lineOf(name)).toMatch(/^✗ /);
    expect(lineOf(name)).toMatch(message);
    expect(code).toBe(1);
  });
});

describe('the check of the live key', () => {
  it.each([
    ['an expired live key', '{"key":"pri_old","accepted_until":"2026-01-01T00:00:00Z"}'],
    ['no live key', '{"key":"pri_sandbox_key"}'],
  ])('fails with %s', async (_, entry) => {
    const { smoke } = await startSmoke(`{"private_keys":[${entry}]}`);
    const { code, lineOf, fixOf } = await smoke();
    expect(lineOf('live key')).toBe('✗ live key               the key secret holds no accepted live key');
    expect([code, fixOf('live key')]).toEqual([1, `    → npx payhooks keys set --stack ${stackName}`]);
  });

  it('fails when the secret is not a list of keys', async () => {
    const { smoke } = await startSmoke('{"private_keys":{}}');
    expect((await smoke()).lineOf('live key')).toMatch(/^✗ .*The key secret is malformed/);
  });

  it.each([
    ['AccessDeniedException', '?', 'credentials lack a permission', 'smoke --help lists the permissions'],
    ['ThrottlingException', '?', 'ThrottlingException', 'run it again in a minute'],
    ['ResourceNotFoundException', '✗', 'ResourceNotFound', 'environmentName=shop --revert-drift'],
    ['InvalidRequestException', '✗', 'InvalidRequest', 'aws secretsmanager restore-secret'],
    ['DecryptionFailure', '✗', 'DecryptionFailure', 'kms:Decrypt'],
    ['InternalServiceError', '✗', 'InternalServiceError', 'run it again'],
  ])('suggests what to do when reading the secret ends with %s', async (error, mark, message, fix) => {
    const { smoke, secrets } = await startSmoke();
    secrets.before = () => ({ error, message: 'Not this time.' });
    const { lineOf, fixOf } = await smoke();
    expect(lineOf('live key')).toMatch(new RegExp(`^\\${mark} .*${message}`));
    expect(fixOf('live key')).toMatch(new RegExp(`^ {4}→ .*${fix}`));
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
