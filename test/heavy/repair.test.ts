import { describe, expect, it, vi } from 'vitest';
import { type Run, runPayhooks } from '../cli/payhooks-process.ts';
import { startSafeguardedStack } from '../doubles/safeguarded-stack.ts';

type Stack = Awaited<ReturnType<typeof startSafeguardedStack>>;

const repair = ({ url }: Stack, options: readonly string[] = ['--yes'], run: Run = {}) =>
  runPayhooks(['repair', '--local', url, ...options], run);

const allIsWell = 'Everything is as it was deployed.\n';
const logGroupName = 'ConsumerLogs';
const newerFilter = { ApplyOnTransformedLogs: true };
const keyArn = 'arn:aws:kms:us-east-1:000000000000:key/Key';

/** What was changed by hand, and what `repair` shows about it. */
const changes: readonly (readonly [string, (stack: Stack) => Promise<unknown>])[] = [
  ['the mapping of the consumer is disabled since 20', (stack) => stack.switchOff('Consumer')],
  ['the mapping of the order feed is disabled since 20', (stack) => stack.switchOff('Feed')],
  [
    'the mapping of the consumer does not report each failure, so a failed event is deleted',
    async ({ clients, mappingOf }) =>
      clients.lambda.updateEventSourceMapping({
        UUID: (await mappingOf('Consumer')).UUID,
        FunctionResponseTypes: [],
      }),
  ],
  [
    'the mapping of the order feed does not send what it gives up on to the failure queue',
    async ({ clients, mappingOf }) =>
      clients.lambda.updateEventSourceMapping({
        UUID: (await mappingOf('Feed')).UUID,
        DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:000000000000:Queue' } },
      }),
  ],
  [
    'the metric filter Throttled was deleted, so alarms over throttled miss what it counts',
    ({ clients }) => clients.logs.deleteMetricFilter({ logGroupName, filterName: 'Throttled' }),
  ],
  [
    'the log group ConsumerLogs keeps its lines for 1 days, not for 30 days',
    ({ clients }) => clients.logs.putRetentionPolicy({ logGroupName, retentionInDays: 1 }),
  ],
  [
    `the log group ConsumerLogs is not encrypted with ${keyArn}`,
    ({ clients }) => clients.logs.disassociateKmsKey({ logGroupName }),
  ],
  [
    'the table Orders is not protected from deletion',
    ({ clients }) => clients.dynamodb.updateTable({ TableName: 'Orders', DeletionProtectionEnabled: false }),
  ],
  [
    'the table Events has no point-in-time recovery',
    ({ clients }) =>
      clients.dynamodb.updateContinuousBackups({
        TableName: 'Events',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
      }),
  ],
  [
    'rows of the table Events do not expire',
    ({ clients }) =>
      clients.dynamodb.updateTimeToLive({
        TableName: 'Events',
        TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: false },
      }),
  ],
  [
    'the schedule Audit (Audits the registration.) is disabled',
    async ({ clients: { scheduler } }) => {
      const { ScheduleExpression, FlexibleTimeWindow, Target } = await scheduler.getSchedule({
        Name: 'Audit',
      });
      const schedule = { Name: 'Audit', ScheduleExpression, FlexibleTimeWindow, Target };
      await scheduler.updateSchedule({ ...schedule, State: 'DISABLED' });
    },
  ],
];

/** What the calls of `repair` set, as AWS has it. */
async function stateOf({ clients: { dynamodb, logs, scheduler }, mappingOf }: Stack) {
  const feed = await mappingOf('Feed');
  const { State, ScheduleExpression, Target } = await scheduler.getSchedule({ Name: 'Audit' });
  const { Table } = await dynamodb.describeTable({ TableName: 'Orders' });
  const backups = await dynamodb.describeContinuousBackups({ TableName: 'Events' });
  const { metricFilters } = await logs.describeMetricFilters({ logGroupName });
  const { logGroups = [] } = await logs.describeLogGroups({});
  return {
    logGroups: logGroups.map(({ retentionInDays, kmsKeyId }) => [retentionInDays, kmsKeyId]),
    reports: (await mappingOf('Consumer')).FunctionResponseTypes,
    failures: feed.DestinationConfig?.OnFailure?.Destination,
    schedule: [State, ScheduleExpression, Target?.RoleArn],
    isProtected: Table?.DeletionProtectionEnabled,
    recovery: backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus,
    expiry: (await dynamodb.describeTimeToLive({ TableName: 'Events' })).TimeToLiveDescription,
    metricFilters,
  };
}

describe('payhooks repair', () => {
  it.each([
    ['', {}],
    [' and keeps no data', { keepsData: false }],
    [' by another version, whose metric filter has a further property', { filter: newerFilter }],
  ])('does nothing to a stack that is as it was deployed%s', async (_, options) => {
    const { code, stdout } = await repair(await startSafeguardedStack(options), []);
    expect([code, stdout]).toEqual([0, allIsWell]);
  });

  it('restores everything after one confirmation', async () => {
    const stack = await startSafeguardedStack();
    const asDeployed = await stateOf(stack);
    for (const [, change] of changes) await change(stack);
    const { code, stdout, stderr } = await repair(stack, [], { typed: ['y'] });
    expect(stderr).toContain(`Repair these ${changes.length} things in payhooks-local?`);
    for (const [message] of changes) expect(stdout).toContain(`✗ ${message}`);
    expect(stdout.match(/: repaired$/gm)).toHaveLength(changes.length);
    expect(stdout).toContain('Everything is as it was deployed again.');
    expect([code, await stateOf(stack)]).toEqual([0, asDeployed]);
    expect(await repair(stack)).toMatchObject({ code: 0, stdout: allIsWell });
  });

  it('restores a deleted log group, and the metric filter that CloudWatch deleted with it', async () => {
    const stack = await startSafeguardedStack();
    const asDeployed = await stateOf(stack);
    await stack.clients.logs.deleteLogGroup({ logGroupName });
    const { code, stdout } = await repair(stack);
    expect(stdout).toContain('✗ the log group ConsumerLogs was deleted, with its lines');
    expect(stdout).toContain(
      '✗ the metric filter Throttled was deleted, so alarms over throttled miss what it counts',
    );
    expect([code, await stateOf(stack)]).toEqual([0, asDeployed]);
  });

  it.each([
    ['with --dry-run', ['--dry-run'], 1],
    ['without a confirmation', [], 2],
  ])('changes nothing %s', async (_, options, expected) => {
    const stack = await startSafeguardedStack();
    await stack.switchOff('Feed');
    await expect.poll(async () => (await stack.mappingOf('Feed')).State).toBe('Disabled');
    const { code, stdout } = await repair(stack, options, { typed: ['n'] });
    expect(stdout).toContain('✗ the mapping of the order feed is disabled');
    expect([code, (await stack.mappingOf('Feed')).State]).toEqual([expected, 'Disabled']);
  });

  it('protects a table that the stack has adopted, and names what no call restores: its index and stream', async () => {
    const stack = await startSafeguardedStack({ outputs: { OrdersTableName: 'Adopted' } });
    await stack.clients.dynamodb.createTable({
      TableName: 'Adopted',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    });
    const { code, stdout } = await repair(stack);
    const name = 'the table Adopted';
    for (const message of ['is not protected from deletion', 'has no point-in-time recovery'])
      expect(stdout).toContain(`✓ ${name} ${message}: repaired`);
    expect(stdout).toContain(`✓ rows of ${name} do not expire: repaired`);
    const [, left = ''] = stdout.split('2 still to do:');
    expect(left).toContain(`${name} has no index changes, so what reads it fails`);
    expect(left).toContain(`${name} has no stream, so the order feed publishes nothing`);
    expect(left).toContain('→ aws dynamodb update-table --table-name Adopted --stream-specification');
    expect(code).toBe(1);
  });

  it('names payhooks restore for a deleted table, and repairs everything else', async () => {
    const stack = await startSafeguardedStack({ keepsData: false });
    await stack.clients.dynamodb.deleteTable({ TableName: 'Events' });
    await stack.switchOff('Feed');
    const { code, stdout } = await repair(stack);
    expect(stdout).toContain('✗ the table Events was deleted\n    → no repair: npx payhooks restore --local');
    expect(stdout).toContain('1 still to do:');
    expect([code, (await stack.mappingOf('Feed')).State]).toEqual([1, 'Enabled']);
  });

  it('names a metric filter of another version that was deleted, and repairs everything else', async () => {
    const stack = await startSafeguardedStack({ filter: newerFilter });
    await stack.clients.logs.deleteLogGroup({ logGroupName });
    await stack.switchOff('Feed');
    const { code, stdout } = await repair(stack);
    expect(stdout).toContain(
      '✗ the metric filter Throttled was deleted, and this version cannot create it again',
    );
    expect(stdout).toContain(
      '→ no repair: run this command with the version of payhooks that deployed the stack',
    );
    expect(stdout).toContain('1 still to do:');
    expect(code).toBe(1);
    expect((await stack.mappingOf('Feed')).State).toBe('Enabled');
  });

  it('prints as JSON what differed and what is left', async () => {
    const stack = await startSafeguardedStack();
    await stack.switchOff('Consumer');
    const { stdout } = await repair(stack, ['--json', '--yes']);
    expect(JSON.parse(stdout)).toEqual({
      stack: 'payhooks-local',
      faults: [
        {
          message: expect.stringMatching(/^the mapping of the consumer is disabled since /),
          repair: 'enable it',
          fix: null,
        },
      ],
      errors: [],
      left: [],
      replay: null,
    });
  });

  it('continues after a repair that AWS refuses, and exits with its code', async () => {
    const stack = await startSafeguardedStack();
    await stack.switchOff('Feed');
    await stack.clients.logs.deleteLogGroup({ logGroupName });
    stack.fail('logs', { operations: ['CreateLogGroup'], status: 400, code: 'AccessDeniedException' });
    const { code, stdout } = await repair(stack);
    expect(stdout).toContain(
      '✗ the log group ConsumerLogs was deleted, with its lines: The AWS credentials lack',
    );
    expect([code, (await stack.mappingOf('Feed')).State]).toEqual([3, expect.stringMatching(/^Enabl/)]);
  });

  it('repairs what it sees, and then fails for what it may not look at', async () => {
    const stack = await startSafeguardedStack();
    await stack.switchOff('Feed');
    stack.fail('scheduler', { status: 403, code: 'AccessDeniedException' });
    const { code, stdout, stderr } = await repair(stack);
    expect(stdout).toMatch(/✓ the mapping of the order feed is disabled since .*: repaired\n$/);
    expect([code, (await stack.mappingOf('Feed')).State]).toEqual([3, expect.stringMatching(/^Enabl/)]);
    expect(stderr).toContain('The AWS credentials lack a permission');
  });
});

describe('payhooks repair, after the order feed was off,', () => {
  const hour = 60 * 60 * 1_000;

  it.each([
    [11, 0],
    [13, 1],
  ])('for %i hours, prints %i replays that publish what it skips', async (hours, replays) => {
    const stack = await startSafeguardedStack({ now: () => Date.parse('2026-11-22T08:00:00Z') });
    await stack.switchOff('Feed');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T08:00:00Z') + hours * hour });
    const { stderr } = await repair(stack);
    expect(stderr.split('→ npx payhooks replay').slice(1)).toEqual(
      Array.from({ length: replays }, () =>
        expect.stringContaining(
          ' --since 2026-11-22T07:59:00.000Z --publish --reason "the order feed was off" --local',
        ),
      ),
    );
  });
});

it('payhooks smoke checks the same, and names payhooks repair for what it restores', async () => {
  const stack = await startSafeguardedStack();
  const smoke = () => runPayhooks(['smoke', '--local', stack.url]);
  expect((await smoke()).stdout).toContain('✓ safeguards             everything is as it was deployed\n');
  await stack.clients.logs.deleteLogGroup({ logGroupName });
  const { code, stdout } = await smoke();
  expect(stdout).toContain(
    '✗ safeguards             the log group ConsumerLogs was deleted, with its lines; ',
  );
  expect(stdout).toContain(`\n    → npx payhooks repair --local ${stack.url}\n`);
  expect(code).toBe(1);
});
