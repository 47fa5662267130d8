import { describe, expect, it, vi } from 'vitest';
import { type Run, runPayhooks } from '../cli/payhooks-process.ts';
import { startSafeguardedStack } from '../doubles/safeguarded-stack.ts';

type Stack = Awaited<ReturnType<typeof startSafeguardedStack>>;

const repair = ({ url }: Stack, options: readonly string[] = ['--yes'], run: Run = {}) =>
  runPayhooks(['repair', '--local', url, ...options], run);

const allIsWell = 'Everything is as it was deployed.\n';
const schedule = async ({ clients: { scheduler } }: Stack) => {
  const { ScheduleExpression, FlexibleTimeWindow, Target } = await scheduler.getSchedule({ Name: 'Audit' });
  return { Name: 'Audit', ScheduleExpression, FlexibleTimeWindow, Target };
};
const logGroup = async ({ clients: { logs } }: Stack) =>
  (await logs.describeLogGroups({})).logGroups?.map(({ retentionInDays, kmsKeyId }) => [
    retentionInDays,
    kmsKeyId,
  ]);
const metricFilters = async ({ clients: { logs } }: Stack) =>
  (await logs.describeMetricFilters({ logGroupName: 'ConsumerLogs' })).metricFilters;
const throttledFilter = {
  logGroupName: 'ConsumerLogs',
  filterName: 'Throttled',
  filterPattern: '{ $.status = "429" }',
  metricTransformations: [{ metricName: 'throttled', metricNamespace: 'payhooks', metricValue: '1' }],
};
const keyArn = 'arn:aws:kms:us-east-1:000000000000:key/Key';

/** What was changed by hand, what `repair` says about it, and what is there afterwards. */
const changes: readonly [
  string,
  (stack: Stack) => Promise<unknown>,
  string,
  (stack: Stack) => Promise<unknown>,
  unknown,
][] = [
  [
    'a disabled mapping of the consumer',
    (stack) => stack.switchOff('Consumer'),
    'the mapping of the consumer is disabled since 20',
    async (stack) => (await stack.mappingOf('Consumer')).State,
    'Enabled',
  ],
  [
    'a disabled mapping of the feed',
    (stack) => stack.switchOff('Feed'),
    'the mapping of the order feed is disabled since 20',
    async (stack) => (await stack.mappingOf('Feed')).State,
    'Enabled',
  ],
  [
    'a mapping that deletes what failed',
    async ({ clients, mappingOf }) =>
      clients.lambda.updateEventSourceMapping({
        UUID: (await mappingOf('Consumer')).UUID,
        FunctionResponseTypes: [],
      }),
    'the mapping of the consumer does not report each failure, so a failed event is deleted',
    async (stack) => (await stack.mappingOf('Consumer')).FunctionResponseTypes,
    ['ReportBatchItemFailures'],
  ],
  [
    'another failure queue of the feed',
    async ({ clients, mappingOf }) =>
      clients.lambda.updateEventSourceMapping({
        UUID: (await mappingOf('Feed')).UUID,
        DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:000000000000:Queue' } },
      }),
    'the mapping of the order feed does not send what it gives up on to the failure queue',
    async (stack) => (await stack.mappingOf('Feed')).DestinationConfig?.OnFailure?.Destination,
    'arn:aws:sqs:us-east-1:000000000000:FeedFailures',
  ],
  [
    'a deleted log group',
    ({ clients }) => clients.logs.deleteLogGroup({ logGroupName: 'ConsumerLogs' }),
    'the log group ConsumerLogs was deleted, with its lines',
    logGroup,
    [[30, keyArn]],
  ],
  [
    'the metric filter that CloudWatch deleted with its log group',
    ({ clients }) => clients.logs.deleteLogGroup({ logGroupName: 'ConsumerLogs' }),
    'the metric filter Throttled was deleted, so no alarm over throttled fires',
    metricFilters,
    [throttledFilter],
  ],
  [
    'a deleted metric filter',
    ({ clients }) =>
      clients.logs.deleteMetricFilter({ logGroupName: 'ConsumerLogs', filterName: 'Throttled' }),
    'the metric filter Throttled was deleted, so no alarm over throttled fires',
    metricFilters,
    [throttledFilter],
  ],
  [
    'a log group with another retention',
    ({ clients }) => clients.logs.putRetentionPolicy({ logGroupName: 'ConsumerLogs', retentionInDays: 1 }),
    'the log group ConsumerLogs keeps its lines for 1 days, not for 30 days',
    logGroup,
    [[30, keyArn]],
  ],
  [
    'a log group without its key',
    ({ clients }) => clients.logs.disassociateKmsKey({ logGroupName: 'ConsumerLogs' }),
    `the log group ConsumerLogs is not encrypted with ${keyArn}`,
    logGroup,
    [[30, keyArn]],
  ],
  [
    'a table without deletion protection',
    ({ clients }) => clients.dynamodb.updateTable({ TableName: 'Orders', DeletionProtectionEnabled: false }),
    'the table Orders is not protected from deletion',
    async ({ clients }) =>
      (await clients.dynamodb.describeTable({ TableName: 'Orders' })).Table?.DeletionProtectionEnabled,
    true,
  ],
  [
    'a table without point-in-time recovery',
    ({ clients }) =>
      clients.dynamodb.updateContinuousBackups({
        TableName: 'Events',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
      }),
    'the table Events has no point-in-time recovery',
    async ({ clients }) =>
      (await clients.dynamodb.describeContinuousBackups({ TableName: 'Events' })).ContinuousBackupsDescription
        ?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus,
    'ENABLED',
  ],
  [
    'a table whose rows do not expire',
    ({ clients }) =>
      clients.dynamodb.updateTimeToLive({
        TableName: 'Events',
        TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: false },
      }),
    'rows of the table Events do not expire',
    async ({ clients }) =>
      (await clients.dynamodb.describeTimeToLive({ TableName: 'Events' })).TimeToLiveDescription,
    { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires_at' },
  ],
  [
    'a disabled schedule',
    async (stack) =>
      stack.clients.scheduler.updateSchedule({ ...(await schedule(stack)), State: 'DISABLED' }),
    'the schedule Audit (Audits the registration.) is disabled',
    async ({ clients }) => {
      const { State, ScheduleExpression, Target } = await clients.scheduler.getSchedule({ Name: 'Audit' });
      return [State, ScheduleExpression, Target?.RoleArn];
    },
    ['ENABLED', 'rate(15 minutes)', 'role-arn'],
  ],
];

describe('payhooks repair', () => {
  it('does nothing to a stack that is as it was deployed', async () => {
    const { code, stdout } = await repair(await startSafeguardedStack(), []);
    expect([code, stdout]).toEqual([0, allIsWell]);
  });

  it.each(changes)('restores %s', async (_, change, message, read, expected) => {
    const stack = await startSafeguardedStack();
    await change(stack);
    const { code, stdout } = await repair(stack);
    expect(stdout).toContain(`✗ ${message}`);
    expect(stdout).toContain('Everything is as it was deployed again.');
    expect([code, await read(stack)]).toEqual([0, expected]);
    expect(await repair(stack)).toMatchObject({ code: 0, stdout: allIsWell });
  });

  it('restores everything at once after one confirmation', async () => {
    const stack = await startSafeguardedStack();
    // The other changes of a log group need it.
    const others = changes.filter(([name]) => !/log group$/.test(name));
    for (const [, change] of others) await change(stack);
    const { code, stdout, stderr } = await repair(stack, [], { typed: ['y'] });
    expect(stderr).toContain('Repair these 11 things in payhooks-local?');
    expect(stdout.match(/: repaired$/gm)).toHaveLength(11);
    expect(code).toBe(0);
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

  it('asks for no protection of tables from a stack that keeps no data', async () => {
    const stack = await startSafeguardedStack({ keepsData: false });
    expect(await repair(stack)).toMatchObject({ code: 0, stdout: allIsWell });
  });

  it('protects a table that the stack has adopted', async () => {
    const stack = await startSafeguardedStack({ outputs: { EventsTableName: 'Adopted' } });
    const key = (name: string) => ({ AttributeName: name, AttributeType: 'S' }) as const;
    await stack.clients.dynamodb.createTable({
      TableName: 'Adopted',
      AttributeDefinitions: [key('pk'), key('waiting')],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'waiting',
          KeySchema: [{ AttributeName: 'waiting', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    });
    const { code, stdout } = await repair(stack);
    expect(stdout).toContain('✗ the table Adopted is not protected from deletion');
    expect(stdout).toContain('✗ the table Adopted has no point-in-time recovery');
    expect(stdout).toContain('✗ rows of the table Adopted do not expire');
    expect(code).toBe(0);
  });

  it('names what an adopted table lacks that no call restores: its index and its stream', async () => {
    const stack = await startSafeguardedStack({ outputs: { OrdersTableName: 'Adopted' } });
    await stack.clients.dynamodb.createTable({
      TableName: 'Adopted',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    });
    const { code, stdout } = await repair(stack, ['--dry-run']);
    expect(stdout).toContain('✗ the table Adopted has no index changes, so what reads it fails');
    expect(stdout).toContain('✗ the table Adopted has no stream, so the order feed publishes nothing');
    expect(stdout).toContain(
      'no repair: aws dynamodb update-table --table-name Adopted --stream-specification',
    );
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

  it('accepts a metric filter of another version, which has a property that this one does not know', async () => {
    const stack = await startSafeguardedStack({ filter: { ApplyOnTransformedLogs: true } });
    expect(await repair(stack)).toMatchObject({ code: 0, stdout: allIsWell });
  });

  it.each([
    [
      'with an unknown property',
      { ApplyOnTransformedLogs: true },
      'was deleted, and this version cannot create it again',
    ],
    [
      'of an unknown log group',
      { LogGroupName: 'Elsewhere' },
      'has a log group that this version cannot find',
    ],
  ])('names a lost metric filter %s, and repairs everything else', async (_, filter, message) => {
    const stack = await startSafeguardedStack({ filter });
    await stack.clients.logs.deleteLogGroup({ logGroupName: 'ConsumerLogs' });
    await stack.switchOff('Feed');
    const { code, stdout } = await repair(stack);
    expect(stdout).toContain(`✗ the metric filter Throttled ${message}`);
    expect(stdout).toContain(
      '→ no repair: run this command with the version of payhooks that deployed the stack',
    );
    expect(stdout).toContain('1 still to do:');
    expect(code).toBe(1);
    expect((await stack.mappingOf('Feed')).State).toBe('Enabled');
    expect(await logGroup(stack)).toEqual([[30, keyArn]]);
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
    await stack.clients.logs.deleteLogGroup({ logGroupName: 'ConsumerLogs' });
    stack.fail('logs', { operations: ['CreateLogGroup'], status: 400, code: 'AccessDeniedException' });
    const { code, stdout } = await repair(stack);
    expect(stdout).toContain(
      '✗ the log group ConsumerLogs was deleted, with its lines: The AWS credentials lack',
    );
    expect([code, (await stack.mappingOf('Feed')).State]).toEqual([3, expect.stringMatching(/^Enabl/)]);
  });

  it('repairs nothing when it may not look', async () => {
    const stack = await startSafeguardedStack();
    await stack.switchOff('Feed');
    stack.fail('scheduler', { status: 403, code: 'AccessDeniedException' });
    const { code, stdout, stderr } = await repair(stack);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('The AWS credentials lack a permission');
  });
});

describe('payhooks repair, after the order feed was off,', () => {
  const hour = 60 * 60 * 1_000;

  it('says that the feed publishes everything by itself within 12 hours', async () => {
    const stack = await startSafeguardedStack({ now: () => Date.parse('2026-11-22T08:00:00Z') });
    await stack.switchOff('Feed');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T08:00:00Z') + 11 * hour });
    const { stderr } = await repair(stack);
    expect(stderr).toContain('the order feed publishes every change since 2026-11-22T08:00:00.000Z');
  });

  it('prints the replay that publishes what it skips after 12 hours', async () => {
    const stack = await startSafeguardedStack({ now: () => Date.parse('2026-11-22T08:00:00Z') });
    await stack.switchOff('Feed');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T08:00:00Z') + 13 * hour });
    const { stderr } = await repair(stack);
    expect(stderr).toContain(
      '→ npx payhooks replay --since 2026-11-22T07:59:00.000Z --publish --reason "the order feed was off" --local',
    );
  });
});

describe('payhooks smoke', () => {
  it.each([
    ['event source mappings', '✓ event source mappings  2 mappings: enabled, with a report of each failure'],
    ['tables', '✓ tables                 2 tables: protected from deletion and recoverable'],
    ['log groups', '✓ log groups             1 log group: there, with the retention as deployed'],
    ['metric filters', '✓ metric filters         1 metric filter: there'],
    ['schedules', '✓ schedules              1 schedule: enabled'],
  ])('checks the %s', async (_, line) => {
    const { url } = await startSafeguardedStack();
    expect((await runPayhooks(['smoke', '--local', url])).stdout).toContain(`${line}\n`);
  });

  it('names payhooks repair for what it restores', async () => {
    const stack = await startSafeguardedStack();
    await stack.clients.logs.deleteLogGroup({ logGroupName: 'ConsumerLogs' });
    const { code, stdout } = await runPayhooks(['smoke', '--local', stack.url]);
    expect(stdout).toContain(
      '✗ log groups             the log group ConsumerLogs was deleted, with its lines\n' +
        `    → npx payhooks repair --local ${stack.url}\n`,
    );
    expect(code).toBe(1);
  });
});
