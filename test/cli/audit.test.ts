import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { startCloudWatchLogs } from '@payhooks/cdk-local/emulators';
import { describe, expect, it, onTestFinished } from 'vitest';
import { actValues } from '../../lambdas/aws/act-table.ts';
import { withEvidence } from '../../lambdas/aws/evidence.ts';
import { itemKeyOf, toItem } from '../../lambdas/aws/items.ts';
import { eventKey } from '../../lambdas/contract/schema.ts';
import type { Act } from '../../lambdas/ports/acts.ts';
import type { RepairStore } from '../../lambdas/ports/stores.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { openTables, startTables } from '../doubles/local-tables.ts';
import { runPayhooks } from './payhooks-process.ts';

const TableName = 'events';
const partition = eventKey('live', 'evt-1');
const nothing = { events: [], transactions: [], orders: [], names: [] };
const actAt = (at: string): Act => ({
  ...{ act: 'admit', by: 'arn:aws:iam::1:user/ann', at, reason: 'asked Jane Doe', eventId: 'evt-1' },
});
const keyOfAct = (act: Act) => {
  const { event_key, record } = actValues(act, partition);
  return itemKeyOf(String(event_key), String(record));
};

/** A stack with two acts and an approval, whose lines are in its log. */
async function start() {
  const tables = await startTables();
  const logs = await startCloudWatchLogs();
  logs.createGroup({ logGroupName: 'acts' });
  onTestFinished(() => Promise.all([tables.close(), logs.close()]).then(() => {}));
  const stack = await startLocalStack({
    outputs: { EventsTableName: TableName, OperationsLogGroup: 'acts' },
    ...{ dynamodb: tables.emulator.endpoint, logs: logs.endpoint },
  });
  const written: string[] = [];
  const { store } = openTables(tables.client);
  const commitBy = (commit: RepairStore['commit']) => {
    const evidenced = withEvidence(commit, {
      log(_level, message, fields) {
        written.push(JSON.stringify({ message, ...fields }));
        logs.addLine('acts', written.at(-1) ?? '');
      },
    });
    return (act: Act) => evidenced({ ...nothing, acts: [{ act, partition }] });
  };
  const began = Date.now();
  const acts = [1, 2, 3].map((seconds) => actAt(new Date(began + seconds * 1_000).toISOString()));
  const { by, at, reason } = acts[0] as Act;
  const approval = { ...acts[2], act: 'approve', proposal: { id: 'f5', act: 'admit', by, at, reason } };
  acts.splice(2, 1, approval as Act);
  for (const act of acts) await commitBy(store.commit)(act);
  const audit = (...argv: string[]) =>
    runPayhooks(['audit', '--verify', '--json', ...argv, '--local', stack.url]);
  return { acts: acts as [Act, Act, Act], commitBy, audit, written, store, client: tables.client };
}

const put = (client: DynamoDBClient, act: Act) =>
  client.send(new PutItemCommand({ TableName, Item: toItem(actValues(act, partition)) }));

describe('payhooks audit --verify', () => {
  it('finds nothing where every act has its lines, which hold no reason', async () => {
    const { audit, written } = await start();
    const { code, stdout } = await audit();
    expect([JSON.parse(stdout), code]).toEqual([expect.objectContaining({ rows: 3, findings: [] }), 0]);
    expect(written.join('\n')).not.toContain('Jane');
  });

  it('finds a row that was changed, one that was removed and one that was inserted', async () => {
    const { acts, audit, client } = await start();
    const [changed, removed, { at }] = acts;
    const edit = { UpdateExpression: 'SET #by = :by', ExpressionAttributeNames: { '#by': 'by' } };
    const values = { ExpressionAttributeValues: { ':by': { S: 'arn:aws:iam::1:user/bob' } } };
    await client.send(new UpdateItemCommand({ TableName, Key: keyOfAct(changed), ...edit, ...values }));
    await client.send(new DeleteItemCommand({ TableName, Key: keyOfAct(removed) }));
    await put(client, { ...actAt(at), act: 'erase' });
    const { code, stdout } = await audit();
    expect(JSON.parse(stdout).findings).toMatchObject([
      { kind: 'changed', act: 'admit', by: 'arn:aws:iam::1:user/bob' },
      { kind: 'removed', act: 'admit', by: 'arn:aws:iam::1:user/ann' },
      { kind: 'inserted', act: 'erase' },
    ]);
    expect(code).toBe(1);
  });

  it.each<[title: string, crash: (commit: RepairStore['commit']) => RepairStore['commit']]>([
    ['before the commit', () => () => Promise.reject(new Error('The process ended.'))],
    ['after it', (commit) => (changes) => commit(changes).then(() => Promise.reject(new Error('It ended.')))],
    ['by a changed row', () => async () => ({ kind: 'changed' })],
  ])('finds nothing where an act was ended %s', async (_, crash) => {
    const { acts, commitBy, audit, store } = await start();
    const at = new Date(Date.parse(acts[2].at) + 1_000).toISOString();
    await commitBy(crash(store.commit))(actAt(at)).catch(() => {});
    expect((await audit()).code).toBe(0);
  });

  it('shows rows that are older than the log, until --since leaves them out', async () => {
    const { audit, client } = await start();
    await put(client, actAt('2020-01-01T00:00:00.000Z'));
    const { code, stdout } = await audit();
    expect([JSON.parse(stdout).findings, code]).toMatchObject([[{ kind: 'unproven' }], 1]);
    expect((await audit('--since', '1d')).code).toBe(0);
  });
});
