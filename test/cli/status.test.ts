import { describe, expect, it } from 'vitest';
import { startAwsQuery } from '../doubles/aws-query.ts';
import { stackName, startDeployedStack } from '../doubles/deployed-stack.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import type { Operations } from '../doubles/operations-server.ts';
import { runPayhooks } from './payhooks-process.ts';

const keys = '{"private_keys":[{"key":"pri_live_key"}]}';
const hour = 60 * 60 * 1_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * hour - 1_000).toISOString();

/** A stack whose two alarms are off, and a way to turn one of its own on, or any other. */
async function startStack() {
  const stack = await startDeployedStack({ keys });
  const turnOn = (name: string, since: string, meaning: string) => {
    const description = `${meaning}\nSeverity: now\nRunbook: https://docs.example/runbook#${name.toLowerCase()}`;
    stack.state.alarms[`${stackName}-${name}`] = { ...stack.armed, state: 'ALARM', since, description };
  };
  const status = (...argv: string[]) => runPayhooks(['status', '--stack', stackName, ...argv]);
  return { ...stack, turnOn, status };
}

const waiting =
  (counts: readonly unknown[], keys: readonly unknown[] = []): Operations =>
  ({ route }) => ({ body: route.endsWith('/keys') ? { keys } : { counts } });

describe('payhooks status', () => {
  it('prints one line and exits with 0 while no alarm is on', async () => {
    const { status, state, armed } = await startStack();
    const { code, stdout, stderr } = await status();
    expect(stdout.replace(/[45](?= min ago)/, 'some')).toBe(
      'All quiet: none of 2 alarms is on; nothing waits; the queues are empty; no live event so far; ' +
        'last heartbeat returned some min ago; everything is as deployed.\n',
    );
    expect([code, stderr]).toEqual([0, `${stackName} in us-east-1\n`]);
    state.alarms[`${stackName}-FeedDelayed`] = { ...armed, state: 'INSUFFICIENT_DATA' };
    expect((await status()).stdout).toContain('none of 3 alarms is on, 1 without data yet; ');
  });

  it('shows each alarm that is on: since when, how many events, and the next command', async () => {
    const { status, state, turnOn } = await startStack();
    turnOn('WebhookServerErrors', '2026-11-22T02:10:00.000Z', 'Webhooks got 503: no usable private key.');
    turnOn('EventsDelayed', hoursAgo(5), 'Acknowledged events are not recorded.');
    state.depths['shop-queue'] = 12;
    state.eventAges = [900, 960];
    const { code, stdout } = await status();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^NOW\n(.*\n)* {2}EventsDelayed, on for 5 h \(since \S+Z\)\n {4}Ack.* Now: 12 events not recorded yet\.$/m,
    );
    expect(stdout).toContain(
      '(since 2026-11-22T02:10Z)\n    Webhooks got 503: no usable private key.\n' +
        `    → npx payhooks refused --stack ${stackName}\n` +
        '    → https://docs.example/runbook#webhookservererrors\n',
    );
    const queues = '12 events not recorded yet (oldest 16 min), 0 dead letters, 0 changes not published';
    expect(stdout).toContain(`\n2 of 2 alarms are on\nnothing waits\n${queues}\nno live event so far\n`);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('shows what put an alarm on, the last of it, and when the alarm ends by itself', async () => {
    const { status, state, armed } = await startStack();
    const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
    const description = 'Webhooks got 403.';
    const alarm = { ...armed, state: 'ALARM', since: minutesAgo(28), threshold: 5, description };
    state.alarms[`${stackName}-WebhookServerErrors`] = alarm;
    state.occurrences = [
      { at: minutesAgo(28), count: 3 },
      { at: minutesAgo(21), count: 2 },
    ];
    const { stdout } = await status();
    expect(stdout.replaceAll(/\n {4}/g, ' ')).toMatch(
      / 5 failed requests between \S+Z and \S+Z, none since; ends by itself at \S+Z if nothing new comes\./,
    );
  });

  it.each<[string, (stack: Awaited<ReturnType<typeof startStack>>) => void, RegExp]>([
    [
      'no heartbeat has returned',
      ({ state }) => (state.heartbeats = []),
      /^✗ no heartbeat has returned for hours$/m,
    ],
    [
      'the last heartbeat is too old',
      ({ state }) => (state.heartbeats = [hoursAgo(2)]),
      /^✗ last heartbeat returned 2 h ago$/m,
    ],
    ['dead letters wait', ({ state }) => (state.depths['shop-dead-letters'] = 1), /, 1 dead letter, /],
    [
      'events wait whose alarm is not on yet',
      ({ state }) => {
        const count = { mode: 'live', kind: 'conflict', count: 1, oldest_recorded_at: hoursAgo(0) };
        state.operations = waiting([count]);
      },
      /^waiting: 1 conflict/m,
    ],
  ])('is not quiet, and exits with 1, while %s', async (_, change, shown) => {
    const stack = await startStack();
    change(stack);
    const { code, stdout } = await stack.status();
    expect(stdout).not.toMatch(/quiet/i);
    expect(stdout).toMatch(shown);
    expect(code).toBe(1);
  });

  it('lists the alarms by severity, and within one the longest on first', async () => {
    const { status, turnOn } = await startStack();
    turnOn('RotationFailed', hoursAgo(90), 'The token was not renewed.');
    turnOn('EventsDelayed', hoursAgo(1), 'Events are late.');
    turnOn('DeadLettersPresent', hoursAgo(2), 'Events could not be recorded.');
    turnOn('DecisionsWaiting', hoursAgo(3), 'Events wait.');
    const { stdout } = await status();
    const heads = stdout.split('\n').filter((line) => /^( {2})?[A-Z]/.test(line));
    expect(heads.map((line) => line.trim().split(', ')[0])).toEqual([
      ...['NOW', 'DeadLettersPresent', 'EventsDelayed', 'TODAY', 'DecisionsWaiting'],
      ...['THIS WEEK', 'RotationFailed'],
    ]);
    expect(stdout).toContain(
      '    Events wait. Nothing is left. If it does not end within minutes, see the runbook.\n' +
        `    → npx payhooks events list --waiting --stack ${stackName}\n`,
    );
  });

  it('neither lists nor judges an alarm that an app added to the stack', async () => {
    const { status, state, armed } = await startStack();
    state.alarms[`${stackName}-ReportsLate1A2B3C4D-XYZ123abc456`] = { ...armed, state: 'ALARM' };
    state.alarms[`${stackName}-ReportsLate`] = { ...armed, state: 'ALARM' };
    state.alarms['reports-late'] = { ...armed, state: 'ALARM' };
    const { code, stdout } = await status('--json');
    expect(JSON.parse(stdout)).toMatchObject({ alarms: { count: 2 }, firing: [], quiet: true });
    expect(code).toBe(0);
  });

  it('prints the same as one document with --json', async () => {
    const { status, state, turnOn } = await startStack();
    turnOn('DeadLettersPresent', '2026-11-22T02:10:00.000Z', 'Events could not be recorded.');
    state.depths['shop-dead-letters'] = 1;
    state.heartbeats = [];
    expect((await status()).stdout).toContain(' Now: 1 dead letter.\n');
    const { code, stdout, stderr } = await status('--json');
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toEqual({
      stack: stackName,
      alarms: { count: 3, without_data: [], deleted: [] },
      firing: [
        {
          ...{ alarm: 'DeadLettersPresent', severity: 'now', since: '2026-11-22T02:10:00.000Z' },
          meaning: 'Events could not be recorded.',
          ...{ count: 1, counted: 'dead letter', oldest_at: null, occurrences: null },
          command: `npx payhooks dlq list --stack ${stackName}`,
          runbook: 'https://docs.example/runbook#deadletterspresent',
        },
      ],
      queues: { events: 0, oldest_event_seconds: null, dead_letters: 1, feed_failures: 0 },
      waiting: [],
      last_event_at: null,
      last_heartbeat_at: null,
      heartbeat_late: true,
      faults: [],
      unknown: [],
      quiet: false,
    });
  });

  it('shows how many events wait, the oldest, and a command that lists them', async () => {
    const { status, state, turnOn } = await startStack();
    turnOn('DecisionsWaiting', hoursAgo(30), 'Events wait.');
    state.operations = waiting([
      { mode: 'live', kind: 'conflict', count: 2, oldest_recorded_at: hoursAgo(72) },
      { mode: 'sandbox', kind: 'conflict', count: 1, oldest_recorded_at: hoursAgo(5) },
      { mode: 'sandbox', kind: 'unassigned', count: 4, oldest_recorded_at: hoursAgo(3) },
      { mode: 'live', kind: 'unassigned', count: 0, oldest_recorded_at: null },
    ]);
    const { stdout } = await status();
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'Events wait. Now: 7 waiting, 5 of them in the sandbox (add --sandbox): 3 conflict, 4 unassigned, the ' +
        'oldest for 3 d.',
    );
    expect(stdout).toContain(`→ npx payhooks events list --waiting --stack ${stackName}\n`);
    expect(stdout).toContain(
      'waiting: 2 conflict (oldest 3 d), 1 conflict in the sandbox (oldest 5 h), 4 unassigned in the\n',
    );
    // One kind has its own command; the list of live events would be empty.
    state.operations = waiting([
      { mode: 'sandbox', kind: 'unassigned', count: 4, oldest_recorded_at: hoursAgo(3) },
    ]);
    const after = (await status()).stdout;
    expect(after).toContain('Now: 4 waiting in the sandbox: 4 unassigned, the oldest for 3 h.\n');
    expect(after).toContain(`→ npx payhooks events list --kind unassigned --sandbox --stack ${stackName}\n`);
  });

  it('shows how many orders need attention, by kind, and a command that lists them', async () => {
    const { status, state, turnOn } = await startStack();
    turnOn('DecisionsWaiting', hoursAgo(3), 'Money is in doubt.');
    const attention = { disputed: 1, multiple_paid_transactions: 2 };
    const since = { oldest_recorded_at: hoursAgo(3) };
    state.operations = waiting([{ mode: 'live', kind: 'attention', count: 3, ...since, attention }]);
    const { stdout } = await status();
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toContain(
      'Now: 3 waiting: 3 attention (2 possible double charge, 1 disputed), the oldest for 3 h.',
    );
    expect(words).toContain('waiting: 3 attention (2 possible double charge, 1 disputed; oldest 3 h)');
    expect(words).toContain(`→ npx payhooks orders list --attention --stack ${stackName}`);
  });

  it('shows when the last live event arrived, and the last heartbeat returned', async () => {
    const { status, state } = await startStack();
    const key = { mode: 'live', key_id: '45d4491906d1', last_matched_at: hoursAgo(3) };
    const sandbox = { mode: 'sandbox', key_id: '0db7afe7a3c8', last_matched_at: hoursAgo(0) };
    const older = { mode: 'live', key_id: 'ac0d0cdfa3f4', last_matched_at: hoursAgo(200) };
    state.operations = waiting([], [older, key, sandbox]);
    state.heartbeats = [hoursAgo(2), hoursAgo(0.1), hoursAgo(3)];
    const { stdout } = await status();
    expect(stdout).toMatch(/; last live event 3 h ago; last heartbeat returned [67] min ago; /);
  });

  it('shows what is not as it was deployed, and the command that repairs it', async () => {
    const { status, state } = await startStack();
    delete state.alarms[`${stackName}-EventsDelayed`];
    const { code, stdout } = await status();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^none of 2 alarms is on, deleted by hand: EventsDelayed\n/);
    expect(stdout).toContain(
      `\n✗ alarms were deleted: ${stackName}-EventsDelayed\n→ npx payhooks repair --stack ${stackName}\n`,
    );
  });

  it.each([
    ['GetQueueAttributes', 'queues', /^none of 2 alarms is on\nnothing waits\n/],
    ['DescribeAlarms', 'alarms', /^the alarms are not known\nnothing waits\nthe queues are empty\n/],
    ['GetTemplate', 'safeguards', /^none of 2 alarms is on\nnothing waits\nthe queues are empty\n/],
  ])('shows everything else without the permission for %s, and exits with 3', async (name, part, shown) => {
    const { status, state, turnOn } = await startStack();
    state.forbidden = [name];
    const { code, stdout } = await status();
    expect(code).toBe(3);
    expect(stdout).toMatch(shown);
    expect(stdout).toContain(`\n? ${part}: The AWS credentials lack a permission: `);
    turnOn('EventsDelayed', hoursAgo(1), 'Events are late.');
    if (part !== 'alarms') expect((await status()).code).toBe(1);
  });
});

describe('payhooks status of local mode', () => {
  async function startLocal(alarms: unknown) {
    const depth = { ApproximateNumberOfMessages: '4' };
    const sqs = await startAwsQuery({ GetQueueAttributes: () => ({ Attributes: depth }) });
    const names = ['EventQueueUrl', 'DeadLetterQueueUrl', 'FeedFailureQueueUrl'];
    const outputs = Object.fromEntries(names.map((name) => [name, `${sqs}/queue/${name}`]));
    const { url } = await startLocalStack({ keys, sqs, outputs, views: { '/alarms': alarms } });
    return { url, ...(await runPayhooks(['status', '--local', url])) };
  }

  it('reads GET /alarms and the queues of local mode', async () => {
    const meaning = 'Events could not be recorded.';
    const { url, code, stdout } = await startLocal([
      { name: 'EventsDelayed', state: 'OK', meaning: 'Late.', since: hoursAgo(1) },
      { name: 'DeadLettersPresent', state: 'ALARM', meaning, since: '2026-11-22T02:10:00.000Z' },
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^NOW\n {2}DeadLettersPresent, on for /);
    expect(stdout).toContain(
      `    ${meaning} Now: 4 dead letters.\n    → npx payhooks dlq list --local ${url}\n` +
        '    → docs/runbook.md#deadletterspresent\n\n1 of 2 alarms is on\n',
    );
  });
});
