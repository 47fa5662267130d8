import {
  type AttributeValue,
  type DescribeTableCommandInput,
  type DescribeTableCommandOutput,
  DynamoDB,
} from '@aws-sdk/client-dynamodb';
import { createTable, startDynamoDb } from '@payhooks/cdk-local/emulators';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runPayhooks } from '../cli/payhooks-process.ts';
import { startLocalStack } from '../doubles/local-stack.ts';

const keys = (...names: string[]) => ({
  keySchema: names.map((AttributeName, index) => ({
    AttributeName,
    KeyType: index === 0 ? 'HASH' : 'RANGE',
  })),
  attributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  ...{ globalIndexes: [], localIndexes: [] },
});
const stored = { isProtected: true, isRecoverable: true } as const;
const policy = '{"Version":"2012-10-17","Statement":[]}';
const arnOf = (table: string): string => `arn:aws:dynamodb:us-east-1:000000000000:table/${table}`;
const Tags = [
  { Key: 'application', Value: 'payhooks' },
  { Key: 'cost-centre', Value: 'payments' },
];

/** A stack with one row in each of its tables, and the commands of its operator. */
async function start({ isRecoverable = true }: { readonly isRecoverable?: boolean } = {}) {
  const emulator = await startDynamoDb();
  const settings = { endpoint: emulator.endpoint, region: 'us-east-1' };
  const client = new DynamoDB({ ...settings, credentials: { accessKeyId: 'x', secretAccessKey: 'x' } });
  onTestFinished(async () => {
    client.destroy();
    await emulator.close();
  });
  const features = isRecoverable ? stored : {};
  await createTable({ name: 'Events', ...keys('event_key', 'record'), ...features }, client);
  await createTable({ name: 'Orders', ...keys('order_key'), ...features }, client);
  for (const table of ['Events', 'Orders']) {
    await client.tagResource({ ResourceArn: arnOf(table), Tags });
    await client.putResourcePolicy({ ResourceArn: arnOf(table), Policy: policy });
  }
  const put = (TableName: string, ...values: string[]) => {
    const names = TableName === 'Events' ? ['event_key', 'record'] : ['order_key'];
    const Item = Object.fromEntries(
      names.map((name, at): [string, AttributeValue] => [name, { S: values[at] ?? '' }]),
    );
    return client.putItem({ TableName, Item });
  };
  await put('Events', 'live:evt-1', 'event');
  await put('Orders', 'live:order-1');
  const outputs = { EventsTableName: 'Events', OrdersTableName: 'Orders', SequenceBase: '2000000000' };
  const { url } = await startLocalStack({ outputs, dynamodb: emulator.endpoint });
  return {
    ...{ client, put, url, fail: emulator.fail, endpoint: emulator.endpoint },
    restore: (...argv: string[]) => runPayhooks(['restore', ...argv, '--yes', '--local', url]),
    async remove(TableName: string) {
      await client.updateTable({ TableName, DeletionProtectionEnabled: false });
      await client.deleteTable({ TableName });
    },
    tables: async () => (await client.listTables({})).TableNames ?? [],
  };
}

interface Done {
  readonly restored: readonly { readonly table: string; readonly target: string; readonly at: string }[];
  readonly settings: Readonly<Record<string, string | number>>;
  readonly next: readonly string[];
}

const name = (table: string) => new RegExp(`^payhooks-local-${table}-\\d{8}T\\d{6}Z$`);

describe('payhooks restore', () => {
  it('restores both tables as of one time, with the settings that a table of the stack has', async () => {
    const { restore, client, tables } = await start();
    const { code, stdout } = await restore('--json');
    const { restored, settings } = JSON.parse(stdout) as Done;
    expect([code, restored.map(({ table }) => table)]).toEqual([0, ['events', 'orders']]);
    const [events = '', orders = ''] = restored.map(({ target }) => target);
    expect(restored[0]?.at).toBe(restored[1]?.at);
    expect([events, orders]).toEqual([
      expect.stringMatching(name('events')),
      expect.stringMatching(name('orders')),
    ]);
    expect(settings).toEqual({
      eventsTableName: events,
      ordersTableStreamArn: expect.stringContaining(`${arnOf(orders)}/stream/`),
      sequenceBase: 3_000_000_000,
    });
    for (const TableName of [events, orders]) {
      const { Table } = await client.describeTable({ TableName });
      expect(Table).toMatchObject({ TableStatus: 'ACTIVE', DeletionProtectionEnabled: true });
      const { ContinuousBackupsDescription: backups } = await client.describeContinuousBackups({ TableName });
      expect(backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus).toBe('ENABLED');
      const { TimeToLiveDescription: expiry } = await client.describeTimeToLive({ TableName });
      expect(expiry).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expires_at' });
      expect((await client.listTagsOfResource({ ResourceArn: arnOf(TableName) })).Tags).toEqual(Tags);
      expect(await client.getResourcePolicy({ ResourceArn: arnOf(TableName) })).toMatchObject({
        Policy: policy,
      });
    }
    const { Table } = await client.describeTable({ TableName: orders });
    expect(Table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
    expect(await tables()).toEqual(['Events', 'Orders', events, orders]);
  });

  it('prints the settings for cdk.json and the commands that come next', async () => {
    const { restore, url } = await start();
    const { stdout } = await restore();
    expect(stdout).toContain(
      'Add to context.environments.local in cdk.json, and commit it:\n  "eventsTableName": "',
    );
    expect(stdout).toContain(',\n  "sequenceBase": 3000000000\n');
    const [, at = ''] = /it holds what was there at (\S+Z)\./.exec(stdout) ?? [];
    const copy = `restore --rows-from Events --at ${at}`;
    const commands = [copy, 'dlq redrive', 'rebuild --verify', 'rebuild', `reconcile --since ${at}`];
    expect(stdout.split('Then type, one after the other:\n')[1]).toBe(
      [
        'npx cdk deploy -c environmentName=local',
        ...commands.map((one) => `npx payhooks ${one} --local ${url}`),
      ]
        .map((line) => `  ${line}\n`)
        .join(''),
    );
  });

  it('restores a deleted table from the backup that DynamoDB keeps, and leaves the other one', async () => {
    const { restore, remove, client, tables } = await start();
    await remove('Events');
    const { code, stdout } = await restore('--json');
    const { restored, settings } = JSON.parse(stdout) as Done;
    const [{ target = '' } = {}] = restored;
    expect([code, Object.keys(settings)]).toEqual([0, ['eventsTableName', 'sequenceBase']]);
    expect(target).toMatch(name('events'));
    expect(await tables()).toEqual(['Orders', target]);
    expect((await client.scan({ TableName: target })).Items).toEqual([
      { event_key: { S: 'live:evt-1' }, record: { S: 'event' } },
    ]);
  });

  it('starts nothing without a yes, and nothing with --dry-run', async () => {
    const { restore, tables, url } = await start();
    const plan = await restore('--dry-run');
    expect([plan.code, plan.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^TABLE +FROM +AS OF +INTO\nevents +Events +\S+Z +payhooks-local-events-\d{8}T\d{6}Z\n/,
      ),
    ]);
    expect((await runPayhooks(['restore', '--local', url])).code).toBe(2);
    expect(await tables()).toEqual(['Events', 'Orders']);
  });

  it('goes on with a restore that an earlier run left without its settings', async () => {
    const { restore, client, put, tables } = await start();
    const started = new Date(Math.ceil(Date.now() / 1_000) * 1_000);
    await new Promise((resolve) => setTimeout(resolve, started.getTime() - Date.now() + 10));
    const stamp = started.toISOString().replace(/[-:]|\.000/g, '');
    const TargetTableName = `payhooks-local-events-${stamp}`;
    await client.restoreTableToPointInTime({
      ...{ SourceTableName: 'Events', TargetTableName, RestoreDateTime: started },
    });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await put('Orders', 'live:order-2');
    const { stdout, stderr } = await restore('--json');
    expect(stderr).toContain('has not ended: this goes on with it.');
    const { restored } = JSON.parse(stdout) as Done;
    expect(restored.map(({ target }) => target)).toEqual([TargetTableName, `payhooks-local-orders-${stamp}`]);
    expect((await tables()).length).toBe(4);
    const again = await restore('--at', started.toISOString(), '--json');
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(stdout));
    expect((await tables()).length).toBe(4);
  });

  it('restores the latest state, although the tables of the stack have got tags since a rehearsal', async () => {
    const { restore, client, put } = await start();
    const rehearsed = JSON.parse((await restore('--json')).stdout) as Done;
    for (const table of ['Events', 'Orders'])
      await client.tagResource({ ResourceArn: arnOf(table), Tags: [{ Key: 'team', Value: 'new' }] });
    await put('Orders', 'live:order-2');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { restored } = JSON.parse((await restore('--json')).stdout) as Done;
    expect(restored[1]?.at).not.toBe(rehearsed.restored[1]?.at);
    expect((await client.scan({ TableName: restored[1]?.target ?? '' })).Count).toBe(2);
  });

  it('restores the latest state, although a restore of two days ago was never ended', async () => {
    const { restore, client } = await start();
    const TargetTableName = 'payhooks-local-events-20261122T081500Z';
    await client.restoreTableToPointInTime({ SourceTableName: 'Events', TargetTableName });
    const clock = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => clock() + 48 * 3_600_000);
    const { stdout, code } = await restore('--json');
    expect(code).toBe(0);
    const { restored } = JSON.parse(stdout) as Done;
    expect(Date.now() - Date.parse(restored[0]?.at ?? '')).toBeLessThan(60_000);
  });

  it('copies what was recorded after the restored time from the old table, and overwrites nothing', async () => {
    const { client, endpoint, restore } = await start();
    await createTable({ name: 'New', ...keys('event_key', 'record') }, client);
    const stack = await startLocalStack({
      ...{ outputs: { EventsTableName: 'New', OrdersTableName: 'Orders' }, dynamodb: endpoint },
    });
    const row = (id: string, recorded: string, body: string) => ({
      ...{ event_key: { S: id }, record: { S: 'event' }, recorded_at: { S: recorded } },
      body: { B: Buffer.from(body) },
    });
    const early = row('early', '2026-11-22T08:14:59.999Z', 'early');
    const [late, both] = ['late', 'both'].map((id) => row(id, '2026-11-22T08:15:00.000Z', id));
    const { recorded_at: _, ...timeless } = row('late', '', 'kept apart, without a time');
    const body = { ...timeless, record: { S: 'body:hash' } };
    for (const Item of [early, late, both, body]) await client.putItem({ TableName: 'Events', Item });
    await client.putItem({ TableName: 'New', Item: { ...both, body: { B: Buffer.from('newer') } } });
    const copy = ['restore', '--rows-from', 'Events', '--at', '2026-11-22T08:15:00Z', '--local', stack.url];

    expect((await runPayhooks(copy)).code).toBe(2);
    const plan = await runPayhooks([...copy, '--dry-run']);
    expect([plan.code, plan.stdout]).toEqual([0, expect.stringMatching(/^4 rows would be copied/)]);
    expect((await client.scan({ TableName: 'New' })).Count).toBe(1);
    const done = await runPayhooks([...copy, '--yes', '--json']);
    expect(JSON.parse(done.stdout)).toMatchObject({ from: 'Events', into: 'New', found: 4, copied: 3 });
    const { Items = [] } = await client.scan({ TableName: 'New' });
    const bodies = Items.map(({ body }) => Buffer.from(body?.B ?? []).toString());
    expect(bodies.sort()).toEqual(['', 'kept apart, without a time', 'late', 'newer']);
    const again = await runPayhooks([...copy, '--yes']);
    expect(again.stdout).toMatch(/^0 of 4 rows were missing/);
    expect((await restore('--rows-from', 'Events')).stderr).toContain('--rows-from needs --at');
  });

  it.each([
    [
      '--at 2020-01-01T00:00:00Z',
      2,
      /--at is 2020-01-01T00:00:00Z, but Events can be restored from 20\d\d-.* to 20/,
    ],
    ['--at 2100-01-01T00:00:00Z', 2, /--at is 2100-01-01T00:00:00Z, but Events can be restored/],
    ['--at yesterday', 2, /Expected ISO 8601 with a zone/],
    ['--table keys', 2, /Allowed choices are events, orders/],
  ])('refuses %s', async (argv, code, message) => {
    const { restore, tables } = await start();
    const refused = await restore(...argv.split(' '));
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringMatching(message)]);
    expect(await tables()).toEqual(['Events', 'Orders']);
  });

  it('explains that a deleted table comes back only as it was at its deletion', async () => {
    const { restore, remove } = await start();
    await remove('Orders');
    const { code, stderr } = await restore('--at', new Date(Date.now() - 1_000).toISOString());
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('only as it was at its deletion: leave out --at.'),
    ]);
  });

  it('explains that there is nothing to restore without point-in-time recovery', async () => {
    const { restore, client } = await start({ isRecoverable: false });
    const off = await restore();
    expect([off.code, off.stderr]).toEqual([
      1,
      expect.stringContaining('The table Events has no point-in-time recovery'),
    ]);
    await client.deleteTable({ TableName: 'Orders' });
    const gone = await restore('--json');
    expect([gone.code, JSON.parse(gone.stderr)]).toMatchObject([
      1,
      { error: { message: expect.stringContaining('DynamoDB has no backup of it') } },
    ]);
  });

  it.each([
    ['DELETING', '', 'is DELETING, so it cannot be used'],
    [
      'INACCESSIBLE_ENCRYPTION_CREDENTIALS',
      '',
      'is INACCESSIBLE_ENCRYPTION_CREDENTIALS, so it cannot be used',
    ],
    ['ACTIVE', 'LatestStreamArn', 'AWS does not show yet that payhooks-local-orders-'],
  ])('ends without settings when the new table is %s, and lacks %s', async (TableStatus, lacks, message) => {
    const { url } = await start();
    const describe = DynamoDB.prototype.describeTable as (
      this: DynamoDB,
      input: DescribeTableCommandInput,
    ) => Promise<DescribeTableCommandOutput>;
    vi.spyOn(DynamoDB.prototype, 'describeTable').mockImplementation(async function (
      this: DynamoDB,
      input: DescribeTableCommandInput,
    ) {
      const { Table = {} } = await describe.call(this, input);
      if (!input.TableName?.startsWith('payhooks-') || Table.TableStatus !== 'ACTIVE') return { Table };
      return { Table: { ...Table, TableStatus, ...(lacks && { [lacks]: undefined }) } };
    } as never);
    const { code, stdout, stderr } = await runPayhooks([
      'restore',
      '--table',
      'orders',
      '--yes',
      '--json',
      '--local',
      url,
    ]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });

  it.each([
    ['LimitExceededException', 'AWS restores or changes too many tables of this account at a time.'],
    ['TableInUseException', 'The source table is being changed. Run the same command again'],
    ['PointInTimeRecoveryUnavailableException', 'Point-in-time recovery is off'],
    [
      'ContinuousBackupsUnavailableException',
      'AWS still prepares backups of the new table. Run the same command',
    ],
  ])('explains the error %s of AWS', async (code, explanation) => {
    const { restore, fail } = await start();
    const operations = ['RestoreTableToPointInTime', 'UpdateContinuousBackups'];
    fail({ operations: code.startsWith('Continuous') ? operations.slice(1) : operations, status: 400, code });
    const failed = await restore();
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining(explanation)]);
  });
});
