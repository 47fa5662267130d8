import { randomBytes } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChangeIndex } from '../lambdas/aws/change-index.ts';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import { createOrderScan } from '../lambdas/aws/order-scan.ts';
import { createOrderTable } from '../lambdas/aws/order-table.ts';
import type { Change, ChangePosition } from '../lambdas/contract/change-position.ts';
import { changeShard } from '../lambdas/contract/schema.ts';
import { type EventRow, PermanentStoreError } from '../lambdas/ports/stores.ts';
import { type LocalTables, startTables } from './doubles/local-tables.ts';

let tables: LocalTables;
let events: ReturnType<typeof createEventTable>;
let orders: ReturnType<typeof createOrderTable>;
const at = '2026-11-21T10:00:00.000Z';

beforeAll(async () => {
  tables = await startTables();
  events = createEventTable(tables.client, 'events');
  orders = createOrderTable(tables.client, 'orders');
});
afterAll(() => tables.close());

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const row = (id: string, body: Uint8Array = Buffer.from(id)): EventRow => ({
  key: `live:event:${id}`,
  record: 'event',
  mode: 'live',
  outcome: 'applied',
  eventId: id,
  eventName: 'transaction.paid',
  orderId: 'order-1',
  transactionId: 'txn-1',
  body,
  bodySha256: `hash of ${id}`,
  keyId: 'abc',
  receivedAt: at,
  recordedAt: at,
});
const order = (id: string) => ({ mode: 'live' as const, id });
const merge = (id: string, facts: string[], time = at) =>
  orders.merge({ order: order(id), facts, now: () => new Date(time) });

describe('the event table', () => {
  it('returns every field of a stored row', async () => {
    const stored: EventRow = {
      ...row('evt-1'),
      reason: 'order_refused',
      waiting: 'order_refused',
      assignedOrderId: 'order-2',
      fact: '["event.1"]',
      signature: 'ab'.repeat(32),
      expiresAt: 1_800_000_000,
      judged: {
        verdict: 'admitted',
        by: 'arn:aws:iam::1:user/ann',
        at,
        reason: 'paid twice',
        orderId: 'order-2',
      },
      erased: { by: 'arn:aws:iam::1:user/bob', at, reason: 'the customer asked' },
    };
    expect(await events.put(stored)).toEqual({ kind: 'stored' });
    const body = Uint8Array.from(Buffer.from('evt-1'));
    expect(await events.find('live', 'evt-1')).toEqual([{ ...stored, body }]);
  });

  it.each([
    ['no bytes', Buffer.alloc(0)],
    ['one byte', Buffer.from([0])],
    ['all byte values', Buffer.from(numbers(256))],
    ['U+FFFF, emoji and escapes', Buffer.from('{"a":"\uffff😀\\u0000"}')],
    ['256 KiB that deflate well', Buffer.alloc(262_144, '{"a":1}')],
    ['256 KiB that do not deflate', randomBytes(262_144)],
  ])('stores a body of %s byte for byte', async (name, body) => {
    await events.put(row(name, body));
    const [found] = await events.find('live', name);
    expect(Buffer.from(found?.body ?? []).equals(body)).toBe(true);
  });

  it('stores one of 20 rows with one key, and returns it to the other 19', async () => {
    const rows = numbers(20).map((n) => ({ ...row('evt-race'), bodySha256: `hash ${n}` }));
    const results = await Promise.all(rows.map((one) => events.put(one)));
    const [found] = await events.find('live', 'evt-race');
    expect(results.filter(({ kind }) => kind === 'stored')).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === 'present')).toEqual(
      Array(19).fill({ kind: 'present', row: found }),
    );
  });

  it('finds only the records of one event id and mode', async () => {
    await events.put(row('evt-2'));
    await events.put({ ...row('evt-2'), record: 'conflict:ab', outcome: 'conflict' });
    await events.put({ ...row('evt-2'), key: 'sandbox:event:evt-2', mode: 'sandbox' });
    const found = await events.find('live', 'evt-2');
    expect(found.map(({ record }) => record)).toEqual(['conflict:ab', 'event']);
    expect(await events.find('live', 'evt')).toEqual([]);
  });

  it('finds a body in a row of its own, which is no record of the event, and an event whose body is gone', async () => {
    const { body = Buffer.alloc(0), ...withoutBody } = row('evt-apart');
    await events.put(withoutBody);
    expect(await events.find('live', 'evt-apart')).toEqual([withoutBody]);
    const { key, bodySha256 } = withoutBody;
    await events.putBody({ key, body, bodySha256, expiresAt: 1_800_000_000 });
    expect(await events.find('live', 'evt-apart')).toEqual([{ ...withoutBody, body: Uint8Array.from(body) }]);
  });

  it('keeps a body until the latest expiry that it was stored with, and one without an expiry forever', async () => {
    const body = Buffer.from('{}');
    const store = (bodySha256: string, expiresAt?: number) =>
      events.putBody({ key: 'live:event:evt-kept', body, bodySha256, ...(expiresAt && { expiresAt }) });
    for (const expiresAt of [200, 300, 100]) await store('first', expiresAt);
    for (const expiresAt of [undefined, 300]) await store('second', expiresAt);
    const expiries = ['first', 'second'].map(async (hash) => {
      const Key = { event_key: { S: 'live:event:evt-kept' }, record: { S: `body:${hash}` } };
      const { Item } = await tables.client.send(new GetItemCommand({ TableName: 'events', Key }));
      return Item?.['expires_at']?.N;
    });
    expect(await Promise.all(expiries)).toEqual(['300', undefined]);
  });

  it('removes the body of a row and of a body, keeps the rest, and stores neither again', async () => {
    const key = 'live:event:evt-erased';
    const body = Buffer.from('{"name":"Ann"}');
    const { body: _, ...rest } = row('evt-erased');
    const erased = { by: 'arn:aws:iam::1:user/ann', at, reason: 'first' };
    const bodyRow = { key, bodySha256: rest.bodySha256, body, expiresAt: 1_800_000_000 };
    await events.put({ ...rest, body, expiresAt: 1_800_000_000 });
    await events.putBody(bodyRow);
    for (const reason of ['first', 'second']) {
      const fact = `fact of the ${reason}`;
      await events.eraseBody({ key, record: 'event', erased: { ...erased, reason }, fact });
      await events.eraseBody({ key, record: `body:${rest.bodySha256}`, erased: { ...erased, reason } });
    }
    await events.putBody({ ...bodyRow, expiresAt: 1_900_000_000 });
    await events.setBodyExpiry(bodyRow, 1_900_000_000);
    expect(await events.find('live', 'evt-erased')).toEqual([{ ...rest, erased, fact: 'fact of the first' }]);
    const Key = { event_key: { S: key }, record: { S: `body:${rest.bodySha256}` } };
    const { Item } = await tables.client.send(new GetItemCommand({ TableName: 'events', Key }));
    expect(Object.keys(Item ?? {}).toSorted()).toEqual(['erased', 'event_key', 'record']);
  });

  it('does not store a body that was erased before it arrived', async () => {
    const [key, bodySha256] = ['live:event:evt-forgotten', 'ab'];
    const erased = { by: 'arn:aws:iam::1:user/ann', at, reason: 'the customer asked' };
    await events.eraseBody({ key, record: `body:${bodySha256}`, erased });
    await events.putBody({ key, bodySha256, body: Buffer.from('{}'), expiresAt: 1_800_000_000 });
    const Key = { event_key: { S: key }, record: { S: 'body:ab' } };
    const { Item } = await tables.client.send(new GetItemCommand({ TableName: 'events', Key }));
    expect(Item).not.toHaveProperty('body');
  });

  it.each(['event', 'variant:ab', 'conflict:ab', 'quarantine:ab'])(
    'takes the row %s again that expired before its erasure',
    async (record) => {
      const again = { ...row(`evt-expired ${record}`), record };
      const erased = { by: 'arn:aws:iam::1:user/ann', at, reason: 'the customer asked' };
      await events.eraseBody({ key: again.key, record, erased, fact: 'kept' });
      expect(await events.put(again)).toEqual({ kind: 'stored' });
    },
  );

  it('finds more records than one page of a DynamoDB query holds', async () => {
    for (const n of numbers(6)) {
      await events.put({ ...row('evt-large', randomBytes(262_144)), record: `conflict:${n}` });
    }
    expect(await events.find('live', 'evt-large')).toHaveLength(6);
  });

  it('summarises 250 events, except one without a row', async () => {
    const ids = numbers(250).map((n) => `evt-many-${n}`);
    await Promise.all(ids.slice(0, 249).map((id) => events.put(row(id))));
    const summaries = await events.summaries('live', [...ids, ...ids]);
    expect(summaries.size).toBe(249);
    expect(summaries.get('evt-many-0')).toEqual({
      orderId: 'order-1',
      transactionId: 'txn-1',
      receivedAt: at,
      recordedAt: at,
      keyId: 'abc',
      bodySha256: 'hash of evt-many-0',
    });
    expect(summaries.has('evt-many-249')).toBe(false);
  });

  it('throws PermanentStoreError for a row that is too large for DynamoDB', async () => {
    const huge = { ...row('evt-huge'), eventName: 'n'.repeat(420_000) };
    await expect(events.put(huge)).rejects.toThrow(PermanentStoreError);
  });
});

describe('the order table', () => {
  it('holds the union of all facts that 50 concurrent writers add', async () => {
    await Promise.all(numbers(50).map((n) => merge('hot', [`fact ${n}`, `fact ${n + 1}`])));
    const facts = (await orders.get(order('hot')))?.facts.toSorted();
    expect(facts).toEqual(
      numbers(51)
        .map((n) => `fact ${n}`)
        .toSorted(),
    );
  });

  it('returns all facts of an order after a merge', async () => {
    expect(await merge('o1', ['a'])).toEqual({ facts: ['a'], changed: true });
    expect(await merge('o1', ['b'])).toEqual({ facts: ['a', 'b'], changed: true });
  });

  it('does not change a row that has every fact already', async () => {
    await merge('o2', ['a', 'b']);
    const again = await merge('o2', ['b', 'a'], '2026-11-21T11:00:00.000Z');
    expect(again).toEqual({ facts: ['a', 'b'], changed: false });
    expect((await orders.get(order('o2')))?.updatedAt).toBe(at);
  });

  it('keeps live and sandbox orders apart', async () => {
    await merge('o4', ['a']);
    expect(await orders.get({ mode: 'sandbox', id: 'o4' })).toBeUndefined();
  });

  it('reads the current rows of many keys, without those that do not exist', async () => {
    await merge('o5', ['a']);
    const rows = await orders.getAll(['live:order:o5', 'live:order:none']);
    const stored = { order: order('o5'), facts: ['a'], updatedAt: at };
    expect([...rows]).toEqual([['live:order:o5', stored]]);
  });

  it('is scanned by mode, from the row behind a key', async () => {
    await Promise.all(['s1', 's2', 's3'].map((id) => merge(id, ['a'])));
    await orders.merge({ order: { mode: 'sandbox', id: 's4' }, facts: ['a'], now: () => new Date(at) });
    const scan = createOrderScan(tables.client, 'orders');
    const all = (await scan.page({ mode: 'live' })).orders;
    expect(all.map((one) => one.order)).toEqual(expect.arrayContaining(['s1', 's2', 's3'].map(order)));
    expect(all.map((one) => one.order.mode)).not.toContain('sandbox');
    const [first, ...others] = all;
    const rest = await scan.page({ mode: 'live', after: `live:order:${first?.order.id}` });
    expect(rest).toEqual({ orders: others, next: undefined });
  });

  it('throws PermanentStoreError for a fact that would make a row too large for DynamoDB', async () => {
    await merge('full', ['a'.repeat(250_000)]);
    await expect(merge('full', ['b'.repeat(250_000)])).rejects.toThrow(PermanentStoreError);
  });
});

describe('the index of changes', () => {
  const time = (n: number): string => new Date(Date.UTC(2020, 0, 1) + n).toISOString();
  let own: LocalTables;
  beforeEach(async () => {
    own = await startTables();
  });
  afterEach(() => own.close());

  const change = (id: string, n: number) =>
    createOrderTable(own.client, 'orders').merge({
      order: { mode: 'sandbox', id },
      facts: [`${id} ${n}`],
      now: () => new Date(time(n)),
    });
  const changesAfter = (position: ChangePosition, limit: number) =>
    createChangeIndex(own.client, 'orders').after('sandbox', position, limit);

  it('returns the changes of all shards by time, page by page, each once, in both directions', async () => {
    // 40 of them have the same time, so that pages end in the middle of a millisecond.
    const changeNumber = (n: number) => change(`c${n}`, n < 40 ? 50 : n - 15);
    // A few at a time: the emulator has one thread, and each call a time limit.
    for (const ten of numbers(6)) await Promise.all(numbers(10).map((n) => changeNumber(10 * ten + n)));
    const ascending: Change[] = [];
    let page = await changesAfter({ updatedAt: time(0), tie: '' }, 7);
    ascending.push(...page.changes);
    while (page.more && ascending.length < 1_000) {
      page = await changesAfter(page.changes.at(-1) ?? { updatedAt: '', tie: '' }, 7);
      ascending.push(...page.changes);
    }
    const found = ascending.map(({ key }) => key);
    expect(found).toHaveLength(60);
    expect(new Set(found).size).toBe(60);
    expect(found.slice(0, 2)).toEqual(['sandbox:order:c40', 'sandbox:order:c41']);
    const index = createChangeIndex(own.client, 'orders');
    const descending: Change[] = [];
    let position: ChangePosition = { updatedAt: time(10_000), tie: '' };
    for (let more = true; more; ) {
      const before = await index.before('sandbox', position, 7);
      descending.push(...before.changes);
      [position, more] = [descending.at(-1) ?? position, before.more];
    }
    expect(descending).toEqual(ascending.toReversed());
  });

  /** Orders whose changes are in one partition. */
  const inOnePartition = numbers(1_000)
    .map((n) => `same${n}`)
    .filter((id) => changeShard('sandbox', `sandbox:order:${id}`) === 'sandbox:3');

  it('returns a page of one partition in both directions, and whether there is more', async () => {
    const ids = inOnePartition.slice(0, 6);
    for (const [n, id] of ids.entries()) await change(id, n);
    const keys = ids.map((id) => `sandbox:order:${id}`);
    const index = createChangeIndex(own.client, 'orders');
    const read = async (direction: 'after' | 'before', from: number, limit: number) => {
      const { changes, more } = await index[direction]('sandbox', { updatedAt: time(from), tie: '' }, limit);
      return [changes.map(({ key }) => key), more];
    };
    expect(await read('after', 0, 2)).toEqual([keys.slice(0, 2), true]);
    expect(await read('after', 4, 2)).toEqual([keys.slice(4), false]);
    expect(await read('before', 9, 2)).toEqual([[keys[5], keys[4]], true]);
    expect(await read('before', 2, 2)).toEqual([[keys[1], keys[0]], false]);
  });

  it('returns only the latest change of an order', async () => {
    await change('moving', 1_000);
    await change('moving', 2_000);
    const { changes } = await changesAfter({ updatedAt: time(1_000), tie: '' }, 10);
    expect(changes).toMatchObject([{ key: 'sandbox:order:moving', updatedAt: time(2_000) }]);
  });

  it('returns 20 changes of one millisecond and one partition one by one', async () => {
    const ids = inOnePartition.slice(0, 20);
    for (const ten of numbers(2)) {
      await Promise.all(ids.slice(10 * ten, 10 * ten + 10).map((id) => change(id, 5_000)));
    }
    const found: string[] = [];
    let position = { updatedAt: time(5_000), tie: '' };
    for (let page = await changesAfter(position, 1); page.changes[0] !== undefined; ) {
      position = page.changes[0];
      found.push(page.changes[0].key);
      page = await changesAfter(position, 1);
    }
    expect(found.toSorted()).toEqual(ids.map((id) => `sandbox:order:${id}`).toSorted());
    expect(ids).toHaveLength(20);
  });

  it('spreads orders evenly over 16 partitions', () => {
    const shards = numbers(16_000).map((n) => changeShard('live', `live:order:${n}`));
    const counts = Map.groupBy(shards, (shard) => shard);
    expect([...counts.keys()].toSorted()).toEqual(
      numbers(16)
        .map((shard) => `live:${shard}`)
        .toSorted(),
    );
    for (const { length } of counts.values()) expect(Math.abs(length - 1_000)).toBeLessThan(200);
  });
});
