import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChangeIndex } from '../lambdas/aws/change-index.ts';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import { createOrderTable } from '../lambdas/aws/order-table.ts';
import { changeShard } from '../lambdas/contract/schema.ts';
import { type EventRow, PermanentStoreError } from '../lambdas/ports/stores.ts';
import { type LocalTables, startTables } from './doubles/local-tables.ts';

let tables: LocalTables;
let client: DynamoDBClient;
const at = '2026-11-21T10:00:00.000Z';

beforeAll(async () => {
  tables = await startTables();
  client = tables.client;
});
afterAll(() => tables.close());

const events = () => createEventTable(client, 'events');
const orders = () => createOrderTable(client, 'orders');
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

describe('the table of events', () => {
  it('gives back the row that was put', async () => {
    const stored = { ...row('evt-1'), reason: 'order_refused' as const, expiresAt: 1_800_000_000 };
    expect(await events().put(stored)).toEqual({ kind: 'stored' });
    expect(await events().find('live', 'evt-1')).toEqual([{ ...stored, body: Uint8Array.from(stored.body) }]);
  });

  it.each([
    ['no byte', Buffer.alloc(0)],
    ['one byte', Buffer.from([0])],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['U+FFFF, emoji and escapes', Buffer.from('{"a":"\uffff😀\\u0000"}')],
    ['256 KiB that deflate well', Buffer.alloc(262_144, '{"a":1}')],
    ['256 KiB that do not deflate', randomBytes(262_144)],
  ])('keeps a body of %s byte for byte', async (name, body) => {
    await events().put(row(name, body));
    const [found] = await events().find('live', name);
    expect(Buffer.from(found?.body ?? []).equals(body)).toBe(true);
  });

  it('takes one of many rows with one key, and tells the others which body and order are there', async () => {
    const bodies = Array.from({ length: 20 }, (_, n) => ({ ...row('evt-race'), bodySha256: `hash ${n}` }));
    const results = await Promise.all(bodies.map((body) => events().put(body)));
    const [found] = await events().find('live', 'evt-race');
    expect(results.filter(({ kind }) => kind === 'stored')).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === 'present')).toEqual(
      Array(19).fill({ kind: 'present', bodySha256: found?.bodySha256, orderId: 'order-1' }),
    );
  });

  it('finds the records of one event and mode, and no other', async () => {
    await events().put(row('evt-2'));
    await events().put({ ...row('evt-2'), record: 'conflict:ab', outcome: 'conflict' });
    await events().put({ ...row('evt-2'), key: 'sandbox:event:evt-2', mode: 'sandbox' });
    expect((await events().find('live', 'evt-2')).map(({ record }) => record)).toEqual([
      'conflict:ab',
      'event',
    ]);
    expect(await events().find('live', 'evt')).toEqual([]);
  });

  it('finds more records than one page of a query holds', async () => {
    for (let n = 0; n < 6; n += 1) {
      await events().put({ ...row('evt-large', randomBytes(262_144)), record: `conflict:${n}` });
    }
    expect(await events().find('live', 'evt-large')).toHaveLength(6);
  });

  it('summarises 250 events, and leaves out those without a row', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => `evt-many-${n}`);
    await Promise.all(ids.slice(0, 249).map((id) => events().put(row(id))));
    const summaries = await events().summaries('live', [...ids, ...ids]);
    expect(summaries.size).toBe(249);
    expect(summaries.get('evt-many-0')).toEqual({
      outcome: 'applied',
      transactionId: 'txn-1',
      receivedAt: at,
      recordedAt: at,
      keyId: 'abc',
      bodySha256: 'hash of evt-many-0',
    });
    expect(summaries.has('evt-many-249')).toBe(false);
  });

  it('says that a row which no repetition will store is refused for ever', async () => {
    const huge = { ...row('evt-huge'), eventName: 'n'.repeat(420_000) };
    await expect(events().put(huge)).rejects.toThrow(PermanentStoreError);
  });
});

describe('the table of orders', () => {
  it('holds the union of all facts that fifty writers add at once', async () => {
    const merges = Array.from({ length: 50 }, (_, n) =>
      orders().merge({ order: order('hot'), facts: [`fact ${n}`, `fact ${n + 1}`], status: 'pending', at }),
    );
    await Promise.all(merges);
    expect((await orders().get(order('hot')))?.facts.toSorted()).toEqual(
      Array.from({ length: 51 }, (_, n) => `fact ${n}`).toSorted(),
    );
  });

  it('gives a new row its first status and leaves it to setStatus from then on', async () => {
    const first = await orders().merge({ order: order('o1'), facts: ['a'], status: 'paid', at });
    const second = await orders().merge({ order: order('o1'), facts: ['b'], status: 'refunded', at });
    expect(first).toEqual({ facts: ['a'], status: 'paid', changed: true });
    expect(second).toEqual({ facts: ['a', 'b'], status: 'paid', changed: true });
  });

  it('changes nothing, and says so, when every fact is there', async () => {
    await orders().merge({ order: order('o2'), facts: ['a', 'b'], status: 'paid', at });
    const again = await orders().merge({
      order: order('o2'),
      facts: ['b', 'a'],
      status: 'failed',
      at: 'later',
    });
    expect(again).toEqual({ facts: ['a', 'b'], status: 'paid', changed: false });
    expect((await orders().get(order('o2')))?.updatedAt).toBe(at);
  });

  it('writes a derived status only while the facts are those it was derived from', async () => {
    await orders().merge({ order: order('o3'), facts: ['a', 'b'], status: 'paid', at });
    await orders().setStatus(order('o3'), 'failed', 1);
    expect((await orders().get(order('o3')))?.status).toBe('paid');
    await orders().setStatus(order('o3'), 'refunded', 2);
    expect((await orders().get(order('o3')))?.status).toBe('refunded');
  });

  it('keeps live and sandbox apart', async () => {
    await orders().merge({ order: order('o4'), facts: ['a'], status: 'paid', at });
    expect(await orders().get({ mode: 'sandbox', id: 'o4' })).toBeUndefined();
  });

  it('refuses for ever the fact that would make a row larger than an item', async () => {
    const large = (letter: string) => [letter.repeat(250_000)];
    await orders().merge({ order: order('full'), facts: large('a'), status: 'paid', at });
    await expect(
      orders().merge({ order: order('full'), facts: large('b'), status: 'paid', at }),
    ).rejects.toThrow(PermanentStoreError);
  });
});

describe('the index of changes', () => {
  const index = () => createChangeIndex(client, 'orders');
  const time = (n: number): string => new Date(Date.UTC(2020, 0, 1) + n).toISOString();
  const start = { updatedAt: time(0), tie: '' };
  const change = (id: string, n: number) =>
    orders().merge({ order: { mode: 'sandbox', id }, facts: [`${id} ${n}`], status: 'pending', at: time(n) });

  it('gives the changes of all shards by time, page by page, each once', async () => {
    // A hundred in one millisecond, so that pages end within it, and fifty around it.
    await Promise.all(Array.from({ length: 150 }, (_, n) => change(`c${n}`, n < 100 ? 50 : n - 75)));
    const found: string[] = [];
    let position = start;
    for (let pages = 0; pages < 100; pages += 1) {
      const { changes, more } = await index().after('sandbox', position, 7);
      found.push(...changes.map(({ key }) => key));
      position = changes.at(-1) ?? position;
      if (!more) break;
    }
    expect(found).toHaveLength(150);
    expect(new Set(found).size).toBe(150);
    expect(found.slice(0, 2)).toEqual(['sandbox:order:c100', 'sandbox:order:c101']);
  });

  it('gives an order at its latest change only', async () => {
    await change('moving', 1_000);
    await change('moving', 2_000);
    const { changes } = await index().after('sandbox', { updatedAt: time(1_000), tie: '' }, 10);
    expect(changes.map(({ key, updatedAt }) => [key, updatedAt])).toEqual([
      ['sandbox:order:moving', time(2_000)],
    ]);
  });

  it('reads rows as they are by now, and leaves out keys without an order', async () => {
    await change('row', 3_000);
    const rows = await orders().getAll(['sandbox:order:row', 'sandbox:order:none']);
    expect([...rows]).toEqual([
      [
        'sandbox:order:row',
        {
          order: { mode: 'sandbox', id: 'row' },
          facts: ['row 3000'],
          status: 'pending',
          updatedAt: time(3_000),
        },
      ],
    ]);
  });
});

describe('changeShard', () => {
  it('spreads orders over sixteen partitions of each mode, about evenly', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 16_000; n += 1) {
      const shard = changeShard('live', `live:order:${n}`);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted()).toEqual(
      Array.from({ length: 16 }, (_, shard) => `live:${shard}`).toSorted(),
    );
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(200);
  });
});
