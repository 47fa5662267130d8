import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import { createOrderTable } from '../lambdas/aws/order-table.ts';
import { createTransactionTable } from '../lambdas/aws/transaction-table.ts';
import { changeShard } from '../lambdas/contract/schema.ts';
import { fullFact } from '../lambdas/domain/fact.ts';
import { settledRow } from '../lambdas/operations/settled-row.ts';
import { type EventRow, PermanentStoreError, type Settlement } from '../lambdas/ports/stores.ts';
import type { TransactionJoin } from '../lambdas/ports/transactions.ts';
import { consumerOver } from './doubles/consumer.ts';
import { eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import { type LocalTables, startTables, tableWriter } from './doubles/local-tables.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

let tables: LocalTables;
let events: ReturnType<typeof createEventTable>;
let transactions: ReturnType<typeof createTransactionTable>;
let orders: ReturnType<typeof createOrderTable>;

beforeAll(async () => {
  tables = await startTables();
  events = createEventTable(tables.client, 'events');
  transactions = createTransactionTable(tables.client, 'events');
  orders = createOrderTable(tables.client, 'orders');
});
afterAll(() => tables.close());

const at = '2026-11-21T10:00:00.000Z';
const row = (id: string): EventRow => ({
  key: `live:event:${id}`,
  record: 'event',
  mode: 'live',
  outcome: 'unassigned',
  waiting: 'unassigned',
  eventId: id,
  fact: `fact of ${id}`,
  bodySha256: `hash of ${id}`,
  keyId: 'abc',
  receivedAt: at,
  recordedAt: at,
});
const item = async (TableName: 'events' | 'orders', key: Record<string, string>) => {
  const Key = Object.fromEntries(Object.entries(key).map(([name, S]) => [name, { S }]));
  return (await tables.client.send(new GetItemCommand({ TableName, Key }))).Item;
};
const eventItem = (id: string, record = 'event') => item('events', { event_key: `live:event:${id}`, record });

describe('settle', () => {
  const settle = (id: string, state: Partial<EventRow & Settlement>) =>
    events.settle({
      key: `live:event:${id}`,
      mode: 'live',
      fact: `fact of ${id}`,
      outcome: 'applied',
      ...state,
    });

  it.each([
    ['a dismissed refund, in a full order', 'unassigned', true],
    ['an event that a full order refused and an operator dismissed', 'quarantined', false],
  ] as const)('to wait for a full order: %s', async (name, outcome, waits) => {
    const judged = { verdict: 'dismissed', by: 'ann', at, reason: 'checked' } as const;
    const { waiting, ...before } = { ...row(name), outcome, judged, body: Uint8Array.of(1) };
    await events.put(before);
    const refused = {
      outcome: 'quarantined',
      reason: 'order_refused',
      waiting: 'order_refused',
      assignedOrderId: 'A',
    } as const;
    await settle(name, refused);
    const { judged: _, ...unjudged } = before;
    const after = waits ? { ...unjudged, ...refused } : before;
    expect(await events.find('live', name)).toEqual([after]);
    const dryRun = settledRow(before, {
      key: before.key,
      mode: 'live',
      bodySha256: before.bodySha256,
      ...refused,
    });
    expect(dryRun ?? before).toEqual(after);
  });

  it('ends the wait of an event and returns the hash of its body', async () => {
    await events.put({ ...row('s1'), reason: 'order_refused' });
    expect(await settle('s1', { assignedOrderId: 'A' })).toBe('hash of s1');
    const { waiting, ...rest } = row('s1');
    expect(await events.find('live', 's1')).toEqual([{ ...rest, outcome: 'applied', assignedOrderId: 'A' }]);
  });

  it.each([
    ['waits does not expire, and forgets its judgement', true],
    ['does not wait keeps its expiry and its judgement', false],
  ])('of an event that then %s', async (name, waits) => {
    const judged = { verdict: 'dismissed', by: 'ann', at, reason: 'checked' } as const;
    await events.put({ ...row(name), expiresAt: 1_800_000_000, judged });
    await settle(name, waits ? { outcome: 'quarantined', waiting: 'order_refused' } : {});
    const { expires_at, judged: after } = (await eventItem(name)) ?? {};
    expect([expires_at, after?.M?.['by']]).toEqual(
      waits ? [undefined, undefined] : [{ N: '1800000000' }, { S: 'ann' }],
    );
  });

  it('moves the wait to another order that refuses the event', async () => {
    await events.put(row('s6'));
    const refused = { outcome: 'quarantined', reason: 'order_refused', waiting: 'order_refused' } as const;
    for (const assignedOrderId of ['B', 'C', 'A']) {
      expect(await settle('s6', { ...refused, assignedOrderId })).toBe('hash of s6');
      expect(await events.find('live', 's6')).toMatchObject([{ ...refused, assignedOrderId }]);
    }
  });

  it('leaves a row with another fact as it is', async () => {
    await events.put(row('s2'));
    expect(await settle('s2', { fact: 'another fact' })).toBeUndefined();
    expect(await events.find('live', 's2')).toEqual([row('s2')]);
  });

  it.each([
    ['as in 0.2.0', false],
    ['compact', true],
  ])('leaves the row of an event that names its order as it is, when rows are %s', async (_, compact) => {
    const table = createEventTable(tables.client, 'events', { compact });
    const put = async (id: string, orderId?: string) => {
      const { waiting, ...state } = row(id);
      const named = { eventName: 'transaction.refunded', transactionId: 'T', ...(orderId && { orderId }) };
      await table.put({ ...state, outcome: 'applied', fact: fact(id, 'refunded'), ...named });
      expect(Object.keys((await eventItem(id)) ?? {}).includes('f')).toBe(compact);
      return settle(id, { fact: fact(id, 'refunded'), assignedOrderId: 'A' });
    };
    expect(await put(`s7 ${compact}`)).toBe(`hash of s7 ${compact}`);
    expect(await put(`s8 ${compact}`, 'B')).toBeUndefined();
    const [stored] = await events.find('live', `s8 ${compact}`);
    expect(stored).toMatchObject({ orderId: 'B' });
    expect(stored).not.toHaveProperty('assignedOrderId');
  });

  it.each([[['A', 'B']], [['B', 'A']]])(
    'keeps the lesser of two orders, whichever comes first (%j)',
    async (orderIds) => {
      const id = `s3 ${orderIds[0]}`;
      await events.put(row(id));
      for (const assignedOrderId of orderIds) await settle(id, { assignedOrderId });
      expect(await events.find('live', id)).toMatchObject([{ outcome: 'applied', assignedOrderId: 'A' }]);
    },
  );

  it('does not end the wait for an order that refused the event, unless that one has it now', async () => {
    await events.put(row('s5'));
    const refused = { outcome: 'quarantined', reason: 'order_refused', waiting: 'order_refused' } as const;
    await settle('s5', { ...refused, assignedOrderId: 'B' });
    expect(await settle('s5', { assignedOrderId: 'A', mergedInto: ['A'] })).toBeUndefined();
    expect(await events.find('live', 's5')).toMatchObject([{ ...refused, assignedOrderId: 'B' }]);
    expect(await settle('s5', { assignedOrderId: 'A', mergedInto: ['A', 'B'] })).toBe('hash of s5');
    expect(await events.find('live', 's5')).toMatchObject([{ outcome: 'applied', assignedOrderId: 'A' }]);
  });

  it('adds the fact to a row of 0.2.0, found by the hash of its body, unless it was settled since', async () => {
    const { fact, waiting, ...old } = row('s4');
    await events.put({ ...old, outcome: 'recorded' });
    const correct = (state: { outcome: 'unassigned' | 'recorded' }) =>
      events.settle({
        key: old.key,
        mode: 'live',
        bodySha256: 'hash of s4',
        from: 'recorded',
        fact: 'fact of s4',
        ...state,
      });
    expect(await correct({ outcome: 'unassigned' })).toBe('hash of s4');
    expect(await settle('s4', { assignedOrderId: 'A' })).toBe('hash of s4');
    expect(await correct({ outcome: 'recorded' })).toBeUndefined();
    expect(await events.find('live', 's4')).toMatchObject([{ outcome: 'applied', fact: 'fact of s4' }]);
  });
});

describe('a body in a row of its own', () => {
  const body = Uint8Array.from(Buffer.from('{"id":"b"}'));

  it('is found with its event, expires, and can be kept', async () => {
    await events.put(row('b1'));
    const stored = { key: 'live:event:b1', bodySha256: 'hash of b1', body };
    const expiry = async () => (await eventItem('b1', 'body:hash of b1'))?.['expires_at']?.N;
    await events.putBody({ ...stored, expiresAt: 1_800_000_000 });
    expect(await events.find('live', 'b1')).toEqual([{ ...row('b1'), body }]);
    expect(await expiry()).toBe('1800000000');
    await events.setBodyExpiry(stored, undefined);
    expect(await expiry()).toBeUndefined();
    await events.setBodyExpiry(stored, 1_900_000_000);
    await events.setBodyExpiry(stored, 2_000_000_000);
    expect(await expiry()).toBe('1900000000');
  });

  it('is not stored twice, and not brought back by its expiry', async () => {
    const stored = { key: 'live:event:b2', bodySha256: 'hash of b2', body };
    await events.setBodyExpiry(stored, 1_800_000_000);
    expect(await eventItem('b2', 'body:hash of b2')).toBeUndefined();
    await events.putBody(stored);
    await events.putBody({ ...stored, expiresAt: 1_800_000_000 });
    expect(await eventItem('b2', 'body:hash of b2')).not.toHaveProperty('expires_at');
  });
});

describe('the row of a transaction', () => {
  const join = (id: string, add: TransactionJoin['add']) =>
    transactions.join({ mode: 'live', transactionId: id, add });

  it('holds all orders and facts that concurrent writers add, and shows the last one everything', async () => {
    const ids = Array.from({ length: 10 }, (_, n) => `${n}`);
    await Promise.all(ids.flatMap((id) => [join('t1', { orderId: id }), join('t1', { fact: `fact ${id}` })]));
    const { orderIds, facts } = await join('t1', { orderId: '0' });
    expect(orderIds.toSorted()).toEqual(ids);
    expect(facts.toSorted()).toEqual(ids.map((id) => `fact ${id}`));
  });

  it('shows either of two writers the other, or both', async () => {
    const [order, fact] = await Promise.all([join('t2', { orderId: 'A' }), join('t2', { fact: 'f' })]);
    expect(order.facts.length + fact.orderIds.length).toBeGreaterThanOrEqual(1);
  });

  it('takes 10 orders and 50 facts, and then shows what it holds', async () => {
    for (let n = 0; n < 10; n += 1) await join('t3', { orderId: `${n}` });
    for (let n = 0; n < 50; n += 1) await join('t3', { fact: `fact ${n}` });
    const full = await join('t3', { orderId: 'one more' });
    expect([full.orderIds.length, full.facts.length]).toEqual([10, 50]);
    expect(full.orderIds).not.toContain('one more');
    expect((await join('t3', { fact: 'one more' })).facts).not.toContain('one more');
    expect((await join('t3', { orderId: '9' })).orderIds).toContain('9');
    expect((await join('t3', { correction: 'of a fact' })).facts).toContain('of a fact');
  });

  it('takes an order that must be the only one unless another one has it, and shows that one', async () => {
    const alone = (orderId: string) => join('t5', { orderId, unlessOthers: true });
    expect((await alone('A')).orderIds).toEqual(['A']);
    expect((await alone('B')).orderIds).toEqual(['A']);
    expect((await alone('A')).orderIds).toEqual(['A']);
    expect((await join('t5', { orderId: 'B', unlessOthers: false })).orderIds.toSorted()).toEqual(['A', 'B']);
    expect((await alone('A')).orderIds.toSorted()).toEqual(['A', 'B']);
    expect((await alone('C')).orderIds.toSorted()).toEqual(['A', 'B']);
  });

  it('has only its sets next to its key when rows are compact', async () => {
    const compact = createTransactionTable(tables.client, 'events', { compact: true });
    await compact.join({ mode: 'live', transactionId: 't6', add: { fact: 'f' } });
    expect(await item('events', { event_key: 'live:transaction:t6', record: 'transaction' })).toEqual({
      event_key: { S: 'live:transaction:t6' },
      record: { S: 'transaction' },
      facts: { SS: ['f'] },
    });
  });

  it('is apart from events and from the other mode', async () => {
    await join('t4', { orderId: 'A' });
    expect(await transactions.join({ mode: 'sandbox', transactionId: 't4', add: { fact: 'f' } })).toEqual({
      orderIds: [],
      facts: ['f'],
    });
    expect(await item('events', { event_key: 'live:transaction:t4', record: 'transaction' })).toEqual({
      event_key: { S: 'live:transaction:t4' },
      record: { S: 'transaction' },
      transaction_id: { S: 't4' },
      order_ids: { SS: ['A'] },
    });
  });
});

describe('the row of an order', () => {
  const merge = (id: string, facts: string[], releasesHeadroom?: true) =>
    orders.merge({
      order: { mode: 'live', id },
      facts,
      now: () => new Date(at),
      ...(releasesHeadroom && { releasesHeadroom }),
    });
  const orderItem = (id: string) => item('orders', { order_key: `live:order:${id}` });

  it('keeps 20 bytes free, and loses the status that 0.2.0 stored', async () => {
    const old = { order_key: { S: 'live:order:o1' }, facts: { SS: ['a'] }, status: { S: 'paid' } };
    await tables.client.send(new PutItemCommand({ TableName: 'orders', Item: old }));
    await merge('o1', ['b']);
    expect(await orderItem('o1')).toEqual({
      order_key: { S: 'live:order:o1' },
      mode: { S: 'live' },
      order_id: { S: 'o1' },
      facts: { SS: ['a', 'b'] },
      updated_at: { S: at },
      change_shard: { S: changeShard('live', 'live:order:o1') },
      headroom: { S: '0'.repeat(12) },
    });
  });

  it('takes the fact that reports it as full, up to the last byte of 400 KB', async () => {
    // Names and values of the other attributes, and the 12 bytes and their name.
    const other = {
      order_key: 'live:order:o2',
      updated_at: at,
      change_shard: 'live:11',
      mode: 'live',
      order_id: 'o2',
    };
    const named = Object.entries(other).reduce(
      (sum, [name, value]) => sum + name.length + value.length,
      5 + 8 + 12,
    );
    let filler = 409_600 - named;
    // The number of the shard has one digit or two.
    await merge('o2', ['x'.repeat(filler)]).catch(() => {
      filler -= 1;
      return merge('o2', ['x'.repeat(filler)]);
    });
    await expect(merge('o2', ['a payment'.repeat(9)])).rejects.toThrow(PermanentStoreError);
    expect((await merge('o2', [fullFact], true)).facts).toContain('["full.1"]');
    expect(await orderItem('o2')).not.toHaveProperty('headroom');
  });

  it('is not called full for any other reason that DynamoDB refuses a request', async () => {
    const writes = [() => merge('k'.repeat(2_048), ['a']), () => events.put({ ...row('p1'), key: '' })];
    for (const write of writes) {
      const error = await write().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'ValidationException' });
      expect(error).not.toBeInstanceOf(PermanentStoreError);
    }
  });
});

describe('what a consumer stores', () => {
  it('has the signature as 32 bytes, and no fact that follows from the body', async () => {
    await consumerOver({ writer: tableWriter(tables.client) })(
      sqsEvent({ body: eventBody({ id: 'c1', order: 'A' }), signature: 'ab'.repeat(32) }),
    );
    const stored = await eventItem('c1');
    expect(Buffer.from(stored?.['signature']?.B ?? [])).toEqual(Buffer.alloc(32, 0xab));
    expect(stored).not.toHaveProperty('fact');
    expect(await events.find('live', 'c1')).toMatchObject([
      { fact: '["event.1","c1","transaction.paid","T","100.00","USD",null]', signature: 'ab'.repeat(32) },
    ]);
  });

  it('has an event name without a meaning, which waits', async () => {
    await consumerOver({ writer: tableWriter(tables.client) })(
      sqsEvent({ body: eventBody({ id: 'c2', order: 'A', action: 'settled' }) }),
    );
    expect(
      await item('events', { event_key: 'live:name:transaction.settled', record: 'event_name' }),
    ).toEqual({
      event_key: { S: 'live:name:transaction.settled' },
      record: { S: 'event_name' },
      waiting: { S: 'live:event_name' },
      recorded_at: { S: '2026-11-21T10:00:01.000Z' },
      mode: { S: 'live' },
      event_name: { S: 'transaction.settled' },
      event_id: { S: 'c2' },
      order_id: { S: 'A' },
    });
  });
});
