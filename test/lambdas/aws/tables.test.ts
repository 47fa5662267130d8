import { PutItemCommand, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTables } from '../../../lambdas/aws/tables.ts';
import { heartbeatRowSeconds } from '../../../lambdas/contract/heartbeat.ts';
import { actsReadMax } from '../../../lambdas/contract/operations-limits.ts';
import { eventAttributes, eventKey, orderAttributes } from '../../../lambdas/contract/schema.ts';
import type { Changes } from '../../../lambdas/ports/stores.ts';
import { at, decision, later, numbers } from '../../doubles/both-tables.ts';
import { conflictRow, eventRow } from '../../doubles/event-rows.ts';
import { type LocalTables, startTables } from '../../doubles/local-tables.ts';

const names = { events: 'events', orders: 'orders' };
const nothing: Changes = { events: [], transactions: [], orders: [], names: [], acts: [] };
let tables: LocalTables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());
const open = (sequenceBase?: number) => createTables(tables.client, names, sequenceBase);
const now = () => new Date(at);

it('a damaged row is left out of lists, and makes its event unreadable', async () => {
  const { store, events } = open();
  for (const row of [eventRow('damaged'), conflictRow('damaged', 'b'), eventRow('sound')])
    await store.put(row);
  const Key = { event_key: { S: eventKey('live', 'damaged') }, record: { S: 'event' } };
  const UpdateExpression = 'SET outcome = :unknown';
  const ExpressionAttributeValues = { ':unknown': { S: 'guessed' } };
  await tables.client.send(
    new UpdateItemCommand({ TableName: 'events', Key, UpdateExpression, ExpressionAttributeValues }),
  );
  expect(await store.bodiesOf('live:event:damaged')).toEqual({ kind: 'unreadable' });
  expect(await events.find('live:event:damaged')).toEqual([conflictRow('damaged', 'b')]);
  const ids = ['damaged', 'sound'];
  expect([...(await store.eventRows('live', ids)).keys()]).toEqual(['sound']);
});

it('a damaged row of an order is shown with what it has, and hides no other', async () => {
  const { store, orders } = open();
  const sound = { mode: 'sandbox', id: 'sound' } as const;
  await store.merge({ order: sound, facts: ['a'], now });
  const [timeless, foreign] = ['sandbox:order:timeless', 'what is this'];
  for (const key of [timeless, foreign]) {
    const Item = { order_key: { S: key }, facts: { SS: ['b'] }, sequence: { N: '3' } };
    await tables.client.send(new PutItemCommand({ TableName: 'orders', Item }));
  }
  const rows = await orders.getAll([timeless, foreign, 'sandbox:order:sound']);
  expect(Object.fromEntries([...rows].map(([key, { facts }]) => [key, facts]))).toEqual({
    [timeless]: ['b'],
    'sandbox:order:sound': ['a'],
  });
  const order = { mode: 'sandbox', id: 'timeless' } as const;
  const row = { order, facts: ['b'], updatedAt: '1970-01-01T00:00:00.000Z', sequence: 3 };
  expect(await orders.get(order)).toEqual(row);
});

it('a damaged act hides no other, and a damaged name is not found', async () => {
  const { store, acts, events } = open();
  const act = { ...decision, act: 'erase', eventId: 'acted' } as const;
  await store.commit({ ...nothing, acts: [{ act, partition: 'live:event:acted' }] });
  const damaged = (key: string, record: string) => {
    const Item = { event_key: { S: key }, record: { S: record } };
    return tables.client.send(new PutItemCommand({ TableName: 'events', Item }));
  };
  await damaged('live:event:acted', 'act:2026');
  await damaged('live:name:broken', 'event_name');
  expect(await acts.actsOf('live:event:acted')).toEqual([act]);
  expect(await events.getEventName('live', 'broken')).toBeUndefined();
});

it('a sequence is shown with the base, and conditions hold with and without one', async () => {
  const order = { mode: 'live', id: 'based' } as const;
  const { store, orders, orderScan } = open(1_000);
  await store.merge({ order, facts: ['a'], now });
  const row = { order, facts: ['a'], updatedAt: at, sequence: 1_001 };
  expect(await orders.get(order)).toEqual(row);
  expect((await orderScan.page({ mode: 'live' })).orders).toContainEqual(row);
  const change = { before: row, after: { ...row, facts: ['b'], updatedAt: later } };
  expect(await store.commit({ ...nothing, orders: [change] })).toEqual({ kind: 'committed' });
  expect(await open().orders.get(order)).toEqual({
    ...row,
    facts: ['b'],
    updatedAt: expect.any(String),
    sequence: 2,
  });
});

it('every row of a heartbeat expires, and none of a payment or of an act', async () => {
  const { store } = open();
  for (const mode of ['heartbeat', 'sandbox'] as const) {
    const row = eventRow('hb', { mode, bodyRow: {} });
    await store.put(row);
    await store.putBody({ ...row, body: row.body as Uint8Array });
    await store.join({ mode, transactionId: 'hb', entry: 'e', at });
    await store.merge({ order: { mode, id: 'hb' }, facts: ['a'], now });
  }
  const act = { act: 'resolve', ...decision, attention: ['disputed'] } as const;
  await store.commit({ ...nothing, acts: [{ act, partition: 'sandbox:order:hb' }] });
  const scans = Object.values(names).map((TableName) => tables.client.send(new ScanCommand({ TableName })));
  const items = (await Promise.all(scans)).flatMap(({ Items = [] }) => Items);
  const expiriesOf = (mode: string) =>
    items
      .filter((item) => (item[eventAttributes.key] ?? item[orderAttributes.key])?.S?.startsWith(`${mode}:`))
      .map((item) => Number(item['expires_at']?.N ?? Number.POSITIVE_INFINITY));
  expect(expiriesOf('heartbeat')).toHaveLength(4);
  const written = Date.parse(at) / 1_000 + heartbeatRowSeconds;
  for (const expiry of expiriesOf('heartbeat')) {
    expect(expiry).toBeGreaterThanOrEqual(written);
    expect(expiry).toBeLessThanOrEqual(Date.now() / 1_000 + heartbeatRowSeconds + 1);
  }
  expect(new Set(expiriesOf('sandbox'))).toEqual(new Set([Number.POSITIVE_INFINITY]));
});

it('a history shows the latest acts, oldest first', async () => {
  const acts = numbers(actsReadMax + 5).map((n) => ({
    act: {
      act: 'resolve',
      by: 'ann',
      at: new Date(n).toISOString(),
      reason: `${n}`,
      attention: ['a', 'b'],
    } as const,
    partition: 'live:order:acts',
  }));
  const { store, acts: reader } = open();
  for (const from of [0, 60]) await store.commit({ ...nothing, acts: acts.slice(from, from + 60) });
  const found = await reader.actsOf('live:order:acts');
  expect(found).toEqual(acts.slice(5).map(({ act }) => act));
  expect(await reader.actsOf('live:order:acts', { isComplete: true })).toHaveLength(actsReadMax + 5);
});
