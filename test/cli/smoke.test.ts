import { beforeEach, describe, expect, it, vi } from 'vitest';
import { writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { AwsError } from '../doubles/aws-query.ts';
import { type DeployedState, stackName, startDeployedStack } from '../doubles/deployed-stack.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { runPayhooks } from './payhooks-process.ts';

const liveKey = '{"private_keys":[{"key":"pri_live_key"}]}';

/** A deployed stack, and `payhooks smoke` against it. */
async function start(keys = liveKey, change: Partial<DeployedState> = {}) {
  const stack = await startDeployedStack({ keys });
  Object.assign(stack.state, change);
  return { ...stack, smoke: (...options: string[]) => smoke('--stack', stackName, ...options) };
}

async function smoke(...argv: readonly string[]) {
  const { code, stdout, stderr } = await runPayhooks(['smoke', ...argv]);
  const lines = stdout.trimEnd().split('\n');
  const isOf = (name: string) => (line: string) => line.slice(2).startsWith(name);
  return {
    ...{ code, stdout, stderr },
    summary: lines.at(-1),
    /** The line of a check, if it has run, and its first suggested fix. */
    lineOf: (name: string) => lines.find(isOf(name)),
    fixOf: (name: string) => lines[lines.findIndex(isOf(name)) + 1],
  };
}

// The SDK's pause before a further attempt is a random part of a time that grows.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

describe('payhooks smoke', () => {
  it('passes for a stack that is ready, and prints neither keys nor signatures', async () => {
    const { smoke } = await start();
    const { code, summary, stdout, stderr, lineOf } = await smoke();
    expect(summary).toBe('9 checks: 9 passed, 0 failed, 0 unknown');
    expect([code, stderr]).toEqual([0, `${stackName} in us-east-1\n`]);
    expect(lineOf('heartbeat')).toBe(
      '✓ heartbeat              sent 202 → queue → recorded → published → returned after 1.9 s',
    );
    expect(stdout).not.toMatch(/pri_|[0-9a-f]{64}/);
  });

  it('prints one JSON document with --json', async () => {
    const { smoke } = await start(liveKey, { subscriptions: [] });
    const { code, stdout } = await smoke('--json');
    const { checks, ...rest } = JSON.parse(stdout);
    expect([code, rest]).toEqual([
      1,
      {
        ...{ stack: stackName, region: 'us-east-1', proven: true },
        summary: { passed: 8, failed: 1, unknown: 0 },
      },
    ]);
    expect(checks.at(-1)).toEqual({
      ...{ name: 'alarm subscription', status: 'failed' },
      message: 'the alarm topic has no subscription, so alarms notify no one',
      fixes: [
        expect.stringContaining('aws sns subscribe --topic-arn arn:'),
        expect.stringContaining('alarmEmail'),
      ],
    });
  });
});

describe('the exit code of payhooks smoke', () => {
  it('is 0 when permissions are missing only for alarms, whose checks are unknown and not passed', async () => {
    const { smoke } = await start(liveKey, { forbidden: ['DescribeAlarms', 'ListSubscriptionsByTopic'] });
    const { code, summary, lineOf, fixOf } = await smoke();
    expect(lineOf('safeguards')).toMatch(/^\? .*not authorized to perform: DescribeAlarms/);
    expect(fixOf('safeguards')).toContain('smoke --help lists the permissions');
    expect([code, summary]).toEqual([0, '9 checks: 6 passed, 0 failed, 3 unknown']);
  });

  it('is 1 when a service is out of reach, and 4 when AWS cannot be reached at all', async () => {
    const { smoke } = await start();
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDWATCH', 'http://127.0.0.1:1');
    const { code, lineOf } = await smoke();
    expect([code, lineOf('firing alarms')]).toEqual([1, expect.stringMatching(/^✗ .*could not be reached/)]);
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    expect((await smoke()).code).toBe(4);
  });

  it('is 3 when the credentials have expired', async () => {
    const keys = new AwsError('ExpiredTokenException', 'It has expired.');
    const { smoke } = await start(liveKey, { keys });
    const { code, stderr } = await smoke();
    expect([code, stderr]).toEqual([3, expect.stringContaining('error: AWS refused the credentials')]);
  });
});

const alarm = `${stackName}-EventsDelayed`;
const topicArn = 'arn:aws:sns:us-east-1:000000000000:alarms';
const alarmWith = (change: object) => ({
  alarms: { [alarm]: { state: 'OK', enabled: true, actions: [topicArn], ...change } },
});
const pending = 'has 1 subscription, and none is confirmed';
const accepted = { status: 202, text: '{"status":"accepted"}' };
const isForged = 'gets a 202: anyone can forge a payment';

/** A check, what differs from a stack that is ready, and what the check prints about it. */
const failures: readonly (readonly [string, Partial<DeployedState>, string, string])[] = [
  ['stack', { status: 'UPDATE_ROLLBACK_COMPLETE' }, 'is UPDATE_ROLLBACK_COMPLETE', 'describe-stack-events'],
  ['stack', { status: 'UPDATE_IN_PROGRESS' }, 'is UPDATE_IN_PROGRESS', 'wait until'],
  ['missing signature', { webhook: () => accepted }, isForged, 'docs/threat-model.md'],
  ['foreign signature', { webhook: () => accepted }, isForged, 'docs/threat-model.md'],
  [
    'foreign signature',
    { webhook: (signature) => ({ status: 403, text: `${signature === undefined}` }) },
    'with the body false, the first refusal had true',
    'docs/threat-model.md',
  ],
  ['foreign signature', { webhook: () => ({ status: 503, text: '' }) }, 'gets a 503', '#webhookservererrors'],
  ['unsigned query', { query: { status: 404, text: '' } }, 'gets a 404, expected 403', 'npx cdk deploy'],
  ['safeguards', { alarms: {} }, `alarms were deleted: ${alarm}`, '--revert-drift'],
  ['safeguards', alarmWith({ enabled: false }), `disabled actions: ${alarm}`, '--revert-drift'],
  ['safeguards', alarmWith({ actions: [] }), `do not notify their topic: ${alarm}`, '--revert-drift'],
  ['firing alarms', alarmWith({ state: 'ALARM' }), 'EventsDelayed is firing', '#eventsdelayed'],
  ['alarm subscription', { subscriptions: ['PendingConfirmation'] }, pending, 'Confirmation'],
  ['alarm subscription', { subscriptions: ['Deleted'] }, 'has no subscription', 'aws sns subscribe'],
];

describe('a check of payhooks smoke', () => {
  it.each(failures)('fails: %s with %j', async (name, change, message, fix) => {
    const { smoke } = await start(liveKey, change);
    const { code, lineOf, fixOf } = await smoke();
    expect(lineOf(name)).toMatch(/^✗ /);
    expect(lineOf(name)).toContain(message);
    expect([code, fixOf(name)]).toEqual([1, expect.stringContaining(fix)]);
  });

  it('expects alarms that need no one at night at the ticket topic, which needs a subscription too', async () => {
    const { smoke, state, armed } = await start();
    const tickets = 'arn:aws:sns:us-east-1:444455556666:tickets';
    state.outputs['TicketTopicArn'] = tickets;
    state.subscriptions = ['Deleted', `${topicArn}:1`, 'PendingConfirmation'];
    state.alarms[`${stackName}-ChangesLate`] = { ...armed, actions: [tickets] };
    state.alarms[`${stackName}-SafeguardsOff`] = armed;
    const { code, lineOf } = await smoke();
    expect(lineOf('safeguards')).toMatch(/alarms do not notify their topic: payhooks-shop-SafeguardsOff$/);
    expect(lineOf('ticket subscription')).toMatch(
      /^✓ .*the ticket topic has 1 confirmed subscription \(email\); 1 not confirmed$/,
    );
    expect(code).toBe(1);
  });
});

describe('the heartbeat of payhooks smoke', () => {
  const lost = { status: 202, order_id: 'beat-1', error: null, returns: false } as const;
  const refused = (status: number) => ({ status, order_id: null, error: null });
  const unresolved = { status: null, order_id: null, error: 'getaddrinfo ENOTFOUND hooks.example' };
  it.each<[string, Partial<DeployedState>, string, string]>([
    ['is refused', { heartbeat: refused(403) }, 'refused the heartbeat with a 403', '#heartbeatmissing'],
    ['meets a verifier that fails', { heartbeat: refused(503) }, 'with a 503', '#webhookservererrors'],
    [
      'has no address',
      { heartbeat: unresolved },
      'no response: getaddrinfo ENOTFOUND',
      'WebhookDomainTarget',
    ],
    [
      ...(['waits', { heartbeat: lost, depths: { 'shop-queue': 2 } }] as const),
      ...(['does not empty the event queue (2)', '#eventsdelayed'] as const),
    ],
    [
      ...(['cannot be recorded', { heartbeat: lost, depths: { 'shop-dead-letters': 1 } }] as const),
      ...(['there are dead letters (1)', '#deadletterspresent'] as const),
    ],
    [
      ...(['cannot be published', { heartbeat: lost, depths: { 'shop-feed-failures': 1 } }] as const),
      ...(['the order feed could not publish (1)', '#feedfailurespresent'] as const),
    ],
    ['is lost', { heartbeat: lost }, 'the feed, the bus or its rule', '#heartbeatmissing'],
  ])('fails when it %s, and names the place', async (_, change, message, fix) => {
    const { smoke } = await start(liveKey, change);
    const { code, lineOf, fixOf, summary } = await smoke();
    expect(lineOf('heartbeat')).toMatch(/^✗ /);
    expect(lineOf('heartbeat')).toContain(message);
    expect(fixOf('heartbeat')).toContain(fix);
    expect(summary).toContain('the pipeline was not proven (heartbeat failed)');
    expect(code).toBe(1);
  });

  it('is unknown without a permission, and then nothing is proven', async () => {
    const { smoke } = await start(liveKey, { forbidden: ['Invoke'] });
    const { code, lineOf, summary } = await smoke();
    expect(lineOf('heartbeat')).toMatch(/^\? .*not authorized to perform: Invoke/);
    expect(summary).toContain('the pipeline was not proven (heartbeat unknown)');
    expect(code).toBe(1);
  });
});

describe('the check of the live key', () => {
  it.each([
    ['an expired live key', '[{"key":"pri_old","accepted_until":"2026-01-01T00:00:00Z"}]', 'no accepted'],
    ['no live key', '[{"key":"pri_sandbox_key"}]', 'no accepted live key'],
    ['a secret that is not a list of keys', '{}', 'The key secret is malformed'],
  ])('fails with %s', async (_, keys, message) => {
    const { smoke } = await start(`{"private_keys":${keys}}`);
    const { code, lineOf } = await smoke();
    expect([code, lineOf('live key')]).toEqual([1, expect.stringMatching(`^✗ .*${message}`)]);
  });

  it.each([
    ['ThrottlingException', '?', 'run it again in a minute'],
    ['ResourceNotFoundException', '✗', 'environmentName=shop --revert-drift'],
  ])('suggests what to do when reading the secret ends with %s', async (error, mark, fix) => {
    const { smoke } = await start(liveKey, { keys: new AwsError(error, 'Not this time.') });
    const { lineOf, fixOf } = await smoke();
    expect(lineOf('live key')?.slice(0, 2)).toBe(`${mark} `);
    expect(fixOf('live key')).toContain(fix);
  });
});

describe('the OAuth token check of payhooks smoke', () => {
  const given = { clientId: 'shop', clientSecret: 'shop-secret', refreshToken: 'first-refresh' };
  const valid = { ...given, accessToken: 'access-token', expiresAt: Date.parse('2199-01-01T00:00:00Z') };

  it('passes while the access token has not expired', async () => {
    const local = await startLocalStack({ token: writeTokenSecret(valid) });
    expect((await smoke('--local', local.url)).lineOf('OAuth token')).toBe(
      '✓ OAuth token            the access token is valid until 2199-01-01T00:00:00.000Z',
    );
  });

  it.each([
    ['expired', writeTokenSecret({ ...valid, expiresAt: 0 }), 'the access token expired at 1970-', 'refresh'],
    ['was never renewed', writeTokenSecret(given), 'the token was never renewed', 'refresh'],
    ['is missing', null, 'the token secret has no value', 'set'],
  ])('fails when the token %s, and shows no part of it', async (_, token, message, command) => {
    const local = await startLocalStack({ token });
    const { lineOf, fixOf, stdout, stderr } = await smoke('--local', local.url);
    expect(lineOf('OAuth token')).toMatch(new RegExp(`^✗ .*${message}`));
    expect(fixOf('OAuth token')).toContain(`→ npx payhooks token ${command} --local http`);
    expect(stdout + stderr).not.toMatch(/shop-secret|first-refresh|access-token/);
  });
});
