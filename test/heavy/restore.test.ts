import { DynamoDB, type TableDescription } from '@aws-sdk/client-dynamodb';
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
const tags = [{ Key: 'cost-centre', Value: 'payments' }];
const event = { event_key: { S: 'live:evt-1' }, record: { S: 'event' } };

type DescribeTable = (
  this: DynamoDB,
  input: { readonly TableName?: string },
) => Promise<{ Table?: TableDescription | undefined }>;

interface Done {
  readonly restored: readonly { readonly table: string; readonly target: string; readonly at: string }[];
  readonly settings: Readonly<Record<string, string | number>>;
}

/** A stack with one row in each of its tables, and the commands of its operator. */
async function start({ isRecoverable = true }: { readonly isRecoverable?: boolean } = {}) {
  const { endpoint, fail, close } = await startDynamoDb();
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
  const client = new DynamoDB({ endpoint, region: 'us-east-1', credentials });
  onTestFinished(async () => {
    client.destroy();
    await close();
  });
  const features = isRecoverable ? stored : {};
  await createTable({ name: 'Events', ...keys('event_key', 'record'), ...features }, client);
  await createTable({ name: 'Orders', ...keys('order_key'), ...features }, client);
  for (const table of ['Events', 'Orders']) {
    await client.tagResource({ ResourceArn: arnOf(table), Tags: tags });
    await client.putResourcePolicy({ ResourceArn: arnOf(table), Policy: policy });
  }
  const putOrder = (key: string) =>
    client.putItem({ TableName: 'Orders', Item: { order_key: { S: `live:${key}` } } });
  await client.putItem({ TableName: 'Events', Item: event });
  await putOrder('order-1');
  const outputs = { EventsTableName: 'Events', OrdersTableName: 'Orders', SequenceBase: '2000000000' };
  const { url } = await startLocalStack({ outputs, dynamodb: endpoint });
  const restore = (...argv: string[]) => runPayhooks(['restore', ...argv, '--yes', '--local', url]);
  return {
    ...{ client, putOrder, url, fail, endpoint, restore },
    restored: async (...argv: string[]): Promise<Done> => {
      const { code, stdout, stderr } = await restore(...argv, '--json');
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      return JSON.parse(stdout);
    },
    async remove(TableName: string) {
      await client.updateTable({ TableName, DeletionProtectionEnabled: false });
      await client.deleteTable({ TableName });
    },
    tables: async () => (await client.listTables({})).TableNames ?? [],
  };
}

const targetOf = ({ restored }: Done, table: string): string =>
  restored.find((one) => one.table === table)?.target ?? '';

describe('payhooks restore', () => {
  it('restores both tables as of one time, with the settings that a table of the stack has', async () => {
    const { restored, client, tables } = await start();
    const done = await restored();
    const [events, orders] = [targetOf(done, 'events'), targetOf(done, 'orders')];
    expect(done.restored[0]?.at).toBe(done.restored[1]?.at);
    expect(events).toMatch(/^payhooks-local-events-\d{8}T\d{6}Z$/);
    expect(done.settings).toEqual({
      eventsTableName: events,
      ordersTableStreamArn: expect.stringContaining(`${arnOf(orders)}/stream/`),
      sequenceBase: 3_000_000_000,
    });
    for (const TableName of [events, orders]) {
      const ResourceArn = arnOf(TableName);
      const { Table } = await client.describeTable({ TableName });
      const { ContinuousBackupsDescription: backups } = await client.describeContinuousBackups({ TableName });
      const { TimeToLiveDescription: expiry } = await client.describeTimeToLive({ TableName });
      expect(Table).toMatchObject({ TableStatus: 'ACTIVE', DeletionProtectionEnabled: true });
      expect(backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus).toBe('ENABLED');
      expect(expiry).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expires_at' });
      expect((await client.listTagsOfResource({ ResourceArn })).Tags).toEqual(tags);
      expect(await client.getResourcePolicy({ ResourceArn })).toMatchObject({ Policy: policy });
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
    const [, at = ''] = /^events +Events +(\S+Z) /m.exec(stdout) ?? [];
    const copy = `restore --rows-from Events --at ${at}`;
    const since = new Date(Date.parse(at) - 3_600_000).toISOString().replace('.000', '');
    const commands = [copy, 'dlq redrive', 'rebuild --verify', 'rebuild', `reconcile --since ${since}`];
    expect(stdout.split('Then type, one after the other:\n')[1]?.trim().split(/\n */)).toEqual([
      'npx cdk deploy -c environmentName=local',
      ...commands.map((one) => `npx payhooks ${one} --local ${url}`),
    ]);
  });

  it('restores a deleted table from the backup that DynamoDB keeps, and leaves the other one', async () => {
    const { restore, restored, remove, client, tables } = await start();
    await remove('Events');
    const early = await restore('--at', new Date(Date.now() - 1_000).toISOString());
    expect(early.code).toBe(2);
    expect(early.stderr).toContain('only as it was at its deletion: leave out --at.');
    const done = await restored();
    expect(Object.keys(done.settings)).toEqual(['eventsTableName', 'sequenceBase']);
    expect(await tables()).toEqual(['Orders', targetOf(done, 'events')]);
    expect((await client.scan({ TableName: targetOf(done, 'events') })).Items).toEqual([event]);
  });

  it('starts nothing without a yes, and nothing with --dry-run', async () => {
    const { restore, tables, url } = await start();
    const plan = await restore('--dry-run');
    expect(plan.code).toBe(0);
    expect(plan.stdout).toMatch(
      /^TABLE +FROM +AS OF +INTO\nevents +Events +\S+Z +payhooks-local-events-\d{8}T\d{6}Z\n/,
    );
    expect((await runPayhooks(['restore', '--local', url])).code).toBe(2);
    expect(await tables()).toEqual(['Events', 'Orders']);
  });

  it('goes on with a restore that AWS refused to end, by the command that it printed', async () => {
    const { restore, fail, tables } = await start();
    const end = fail({
      ...{ operations: ['UpdateContinuousBackups'], status: 400 },
      code: 'ContinuousBackupsUnavailableException',
    });
    const failed = await restore();
    const error = 'error: AWS returned ContinuousBackupsUnavailableException: ';
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining(error)]);
    end();
    const [, at = ''] = /→ npx payhooks restore --at (\S+) --local/.exec(failed.stderr) ?? [];
    const { stdout } = await restore('--at', at, '--json');
    const stamp = at.replace(/[-:]/g, '');
    expect((JSON.parse(stdout) as Done).restored.map(({ target }) => target)).toEqual([
      `payhooks-local-events-${stamp}`,
      `payhooks-local-orders-${stamp}`,
    ]);
    expect((await restore('--at', at, '--json')).stdout).toBe(stdout);
    expect(await tables()).toHaveLength(4);
  });

  it('copies rows since an hour before the restored time, overwrites none, and names the proof', async () => {
    const { client, endpoint, restore } = await start();
    await createTable({ name: 'New', ...keys('event_key', 'record') }, client);
    const outputs = { EventsTableName: 'New', OrdersTableName: 'Orders' };
    const stack = await startLocalStack({ outputs, dynamodb: endpoint });
    const put = (TableName: string, id: string, fields: Readonly<Record<string, string>>) => {
      const attributes = Object.entries({ event_key: id, record: 'event', ...fields });
      return client.putItem({ TableName, Item: Object.fromEntries(attributes.map(([k, S]) => [k, { S }])) });
    };
    const [before, since] = ['2026-11-22T07:14:59.999Z', '2026-11-22T07:15:00.000Z'];
    await put('Events', 'early', { recorded_at: before, body: 'early' });
    for (const id of ['late', 'both']) await put('Events', id, { recorded_at: since, body: id });
    await put('Events', 'late', { record: 'body:hash', body: 'kept apart, without a time' });
    await put('New', 'both', { recorded_at: since, body: 'newer' });
    const copy = ['restore', '--rows-from', 'Events', '--at', '2026-11-22T08:15:00Z', '--local', stack.url];

    expect((await runPayhooks(copy)).code).toBe(2);
    const plan = await runPayhooks([...copy, '--dry-run']);
    expect(plan.stdout).toMatch(/^4 rows would be copied/);
    expect((await client.scan({ TableName: 'New' })).Count).toBe(1);
    const done = await runPayhooks([...copy, '--yes', '--json']);
    expect(JSON.parse(done.stdout)).toMatchObject({
      ...{ from: 'Events', into: 'New', found: 4, copied: 3 },
      next: [`npx payhooks reconcile --since 2026-11-22T07:15:00Z --local ${stack.url}`],
    });
    const { Items = [] } = await client.scan({ TableName: 'New' });
    const bodies = Items.map(({ body }) => body?.S ?? '');
    expect(bodies.sort()).toEqual(['', 'kept apart, without a time', 'late', 'newer']);
    expect((await runPayhooks([...copy, '--yes'])).stdout).toMatch(/^0 of 4 rows were missing/);
    expect((await restore('--rows-from', 'Events')).stderr).toContain('--rows-from needs --at');
  });

  it('refuses a time that cannot be restored, and names those that can', async () => {
    const { restore, tables } = await start();
    for (const at of ['2020-01-01T00:00:00Z', '2100-01-01T00:00:00Z']) {
      const { code, stderr } = await restore('--at', at);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        new RegExp(`--at is ${at}, but Events can be restored from 20\\d\\d-.* to 20\\d\\d-`),
      );
    }
    expect(await tables()).toEqual(['Events', 'Orders']);
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
    ['ACTIVE', 'LatestStreamArn', 'AWS does not show yet that payhooks-local-orders-'],
  ])('ends without settings when the new table is %s, and lacks %s', async (TableStatus, lacks, message) => {
    const { restore } = await start();
    const { describeTable } = DynamoDB.prototype as unknown as Record<string, DescribeTable>;
    vi.spyOn(DynamoDB.prototype, 'describeTable').mockImplementation(async function (this: DynamoDB, input) {
      const { Table } = (await describeTable?.call(this, input)) ?? {};
      const isNew = input.TableName?.startsWith('payhooks-') && Table?.TableStatus === 'ACTIVE';
      return { Table: isNew ? { ...Table, TableStatus, [lacks]: undefined } : Table };
    } as DescribeTable as never);
    const { code, stdout, stderr } = await restore('--table', 'orders', '--json');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });
});
