import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActStores, createDryRunStores } from '../lambdas/operations/dry-run-stores.ts';
import { observeRows } from '../lambdas/operations/observe-rows.ts';
import { observeOrders, orderChange } from '../lambdas/operations/order-changes.ts';
import { orderItemBytes } from '../lambdas/operations/order-item-size.ts';
import { type EventRow, type OrderMerge, PermanentStoreError } from '../lambdas/ports/stores.ts';
import { memoryActStores, tableActStores } from './doubles/act-stores.ts';
import { eventBody } from './doubles/event-body.ts';
import { fact, paid } from './doubles/facts.ts';
import { meaningOf } from './doubles/fold.ts';
import { type LocalTables, startTables } from './doubles/local-tables.ts';
import { memoryStores } from './doubles/memory-stores.ts';

const now = () => new Date('2026-11-21T10:00:01.000Z');
const orderA = { mode: 'live', id: 'A' } as const;

describe('the orders of a dry run', () => {
  let tables: LocalTables;
  let stores: ActStores;
  beforeAll(async () => {
    tables = await startTables();
    stores = tableActStores(tables.client);
  });
  afterAll(() => tables.close());

  /** What becomes of a merge; the error's name when it is refused. */
  const resultOf = async ({ orders }: ActStores, merge: Omit<OrderMerge, 'now'>) => {
    try {
      const { facts, changed } = await orders.merge({ ...merge, now });
      return { facts: facts.length, changed };
    } catch (error) {
      if (error instanceof PermanentStoreError) return 'full';
      throw error;
    }
  };

  it('are full exactly when the row would be larger than DynamoDB allows', async () => {
    // The other attributes take about 150 bytes, and 40 more while the row keeps headroom.
    const sizes = Array.from({ length: 14 }, (_, n) => 409_600 - 100 - 10 * n);
    const refusals = new Set<number>();
    for (const bytes of sizes) {
      const order = { mode: 'live', id: `full ${bytes}` } as const;
      // Only a row that exists becomes full.
      await stores.orders.merge({ order, facts: ['y'], now });
      const merge = { order, facts: ['x'.repeat(bytes)] };
      const both = async (to: ActStores) => [
        await resultOf(to, merge),
        await resultOf(to, { ...merge, releasesHeadroom: true }),
      ];
      const predicted = await both(createDryRunStores(stores));
      expect(predicted).toEqual(await both(stores));
      refusals.add(predicted.filter((result) => result === 'full').length);
    }
    expect(refusals).toEqual(new Set([0, 1, 2]));
  });

  it.each([
    // "order_key", "facts", "updated_at" and "change_shard" have 36 bytes, their values 43.
    [true, 79],
    // "mode" and "order_id" have 12, their values 5.
    [false, 96],
  ])('have the size that DynamoDB counts, with compact rows: %j', (compact, bytes) => {
    const row = { order: orderA, facts: ['x'], updatedAt: now().toISOString() };
    expect(orderItemBytes(row, { headroom: false, compact })).toBe(bytes);
  });

  it('may fill a row to its last byte', async () => {
    const order = { mode: 'live', id: 'A' } as const;
    const others = orderItemBytes(
      { order, facts: [], updatedAt: now().toISOString() },
      { headroom: false, compact: false },
    );
    const merge = (bytes: number) =>
      createDryRunStores(memoryActStores(memoryStores())).orders.merge({
        ...{ order, facts: ['x'.repeat(bytes)], now, releasesHeadroom: true },
      });
    expect(await merge(409_600 - others)).toMatchObject({ changed: true });
    await expect(merge(409_601 - others)).rejects.toMatchObject({
      name: 'PermanentStoreError',
      message: 'The row of the order would be larger than 409600 bytes.',
    });
  });
});

describe('the events of a dry run', () => {
  const [one, other] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const [body, otherBody] = [eventBody({ id: 'e', order: 'A' }), eventBody({ id: 'e', order: 'B' })];
  const times = { receivedAt: '2026-11-21T10:00:00.000Z', recordedAt: '2026-11-21T10:00:01.000Z' };
  const row: EventRow = {
    ...{ key: 'live:event:e', record: 'event', mode: 'live', outcome: 'applied', keyId: 'k', ...times },
    ...{ eventId: 'e', bodySha256: one, orderId: 'A' },
  };
  const conflict: EventRow = { ...row, record: `conflict:${other}`, outcome: 'conflict', bodySha256: other };
  const erased = { by: 'ann', at: '2026-11-22T09:00:00.000Z', reason: 'requested' };
  const { events: table } = memoryActStores(memoryStores());
  const start = () => createDryRunStores({ ...memoryActStores(memoryStores()), events: table }).events;

  it('have the body that was stored in a row of its own for them, and for no other', async () => {
    const events = start();
    await events.putBody({ key: 'live:event:f', bodySha256: one, body: otherBody });
    await events.putBody({ key: row.key, bodySha256: other, body: otherBody });
    expect(await events.put(row)).toEqual({ kind: 'stored' });
    expect(await events.find('live', 'e')).toStrictEqual([row]);
    await events.putBody({ key: row.key, bodySha256: one, body });
    await events.put(conflict);
    const found = [
      { ...row, body, fact: paid('e') },
      { ...conflict, body: otherBody },
    ];
    expect(await events.find('live', 'e')).toStrictEqual(found);
    expect(await events.find('live', 'f')).toEqual([]);
  });

  it.each([
    ['its own fact, whatever its body says', { fact: 'kept', body }],
    ['no fact of a body that is no event', { body: Buffer.from('{') }],
  ])('have %s', async (_, state) => {
    const events = start();
    await events.put({ ...row, ...state });
    expect(await events.find('live', 'e')).toStrictEqual([{ ...row, ...state }]);
  });

  it('are found by their body, together with the row of the event', async () => {
    const events = start();
    await events.put(row);
    await events.put(conflict);
    await events.put({ ...conflict, key: 'live:event:f' });
    expect(await events.findBody('live', 'e', other)).toStrictEqual([row, conflict]);
    expect(await events.findBody('live', 'e', one)).toStrictEqual([row]);
    expect(await events.findBody('live', 'g', one)).toEqual([]);
  });

  it('are stored once', async () => {
    const events = start();
    await events.put({ ...row, body });
    const present = { ...row, body, fact: paid('e') };
    expect(await events.put({ ...row, outcome: 'unassigned' })).toEqual({ kind: 'present', row: present });
    expect(await events.find('live', 'e')).toEqual([present]);
  });

  it('lose the body that is erased, keep the fact, and the first decision', async () => {
    const events = start();
    await events.put({ ...row, body });
    await events.put({ ...conflict, body: otherBody });
    const bodyRow = { key: row.key, record: `body:${one}`, erased };
    await events.eraseBody(bodyRow);
    const [own, left] = await events.find('live', 'e');
    expect([own?.body, left?.body]).toEqual([undefined, otherBody]);
    await events.eraseBody({ key: row.key, record: conflict.record, erased, fact: 'kept' });
    await events.eraseBody({ key: row.key, record: conflict.record, erased: { ...erased, by: 'bob' } });
    expect((await events.find('live', 'e'))[1]).toStrictEqual({ fact: 'kept', ...conflict, erased });
  });

  it('are not created by the erasure of a row that has expired', async () => {
    const events = start();
    await events.eraseBody({ key: row.key, record: conflict.record, erased });
    expect(await events.put(conflict)).toEqual({ kind: 'stored' });
  });

  it('are read again only in the bytes and in the state that were read', async () => {
    const reading = {
      key: row.key,
      mode: 'live',
      fact: 'f',
      outcome: 'unassigned',
      from: 'applied',
    } as const;
    const events = start();
    await events.reread({ ...reading, bodySha256: one });
    await events.put(row);
    await events.reread({ ...reading, bodySha256: other });
    await events.reread({ ...reading, bodySha256: one, from: 'recorded' });
    expect(await events.find('live', 'e')).toEqual([row]);
    await events.reread({ ...reading, bodySha256: one });
    expect(await events.find('live', 'e')).toMatchObject([{ outcome: 'unassigned', fact: 'f' }]);
    await events.put(conflict);
    const { record, outcome } = conflict;
    await events.reread({ ...reading, record, outcome, from: outcome, bodySha256: other });
    expect((await events.find('live', 'e'))[1]).toMatchObject({ record, outcome, fact: 'f' });
  });
});

describe('the transactions of a dry run', () => {
  const ofT = { mode: 'live', transactionId: 'T' } as const;
  const start = () => createDryRunStores(memoryActStores(memoryStores())).transactions;

  it('join ten orders and fifty facts, and keep those that came first', async () => {
    const transactions = start();
    const ids = Array.from({ length: 11 }, (_, n) => `A${n}`);
    const facts = Array.from({ length: 51 }, (_, n) => `f${n}`);
    for (const orderId of ids) await transactions.join({ ...ofT, add: { orderId } });
    for (const fact of facts) await transactions.join({ ...ofT, add: { fact } });
    expect(await transactions.join({ ...ofT, add: { fact: 'f0' } })).toEqual({
      orderIds: ids.slice(0, 10),
      facts: facts.slice(0, 50),
    });
    const corrected = await transactions.join({ ...ofT, add: { correction: 'c' } });
    expect(corrected.facts).toEqual([...facts.slice(0, 50), 'c']);
  });

  it('join an order unless there is another, and lose one that leaves', async () => {
    const transactions = start();
    const join = (orderId: string) => transactions.join({ ...ofT, add: { orderId, unlessOthers: true } });
    expect([(await join('A')).orderIds, (await join('B')).orderIds]).toEqual([['A'], ['A']]);
    await transactions.join({ ...ofT, add: { orderId: 'B' } });
    await transactions.leave({ ...ofT, orderId: 'A' });
    expect((await transactions.get('live', 'T')).orderIds).toEqual(['B']);
  });
});

describe('observeOrders', () => {
  it('returns the orders that changed, with their facts before and after', async () => {
    const { orders } = memoryActStores(memoryStores());
    await orders.merge({ order: orderA, facts: [paid('e1')], now });
    const observed = observeOrders(orders);
    const add = (id: string, facts: string[]) =>
      observed.orders.merge({ order: { ...orderA, id }, facts, now });
    await Promise.all([add('B', [paid('e1')]), add('A', [fact('e2', 'refunded')]), add('A', [paid('e1')])]);
    expect(await observed.changed()).toEqual([
      { order: orderA, before: [paid('e1')], after: [paid('e1'), fact('e2', 'refunded')] },
      { order: { ...orderA, id: 'B' }, before: [], after: [paid('e1')] },
    ]);
  });

  it('sorts the orders by id, and announces each that gets a fact, also next to one that it has', async () => {
    const { orders } = memoryActStores(memoryStores());
    const announced: string[] = [];
    const observed = observeOrders(orders, async ({ id }) => void announced.push(id));
    const add = (id: string, facts: string[]) =>
      observed.orders.merge({ order: { ...orderA, id }, facts, now });
    for (const id of ['C', 'A', 'B']) await add(id, [paid('e1')]);
    await add('A', [paid('e1'), paid('e2')]);
    await add('A', [paid('e2')]);
    expect((await observed.changed()).map(({ order }) => order.id)).toEqual(['A', 'B', 'C']);
    expect(announced).toEqual(['C', 'A', 'B', 'A']);
  });

  it('keeps the longer of two responses, whichever comes last', async () => {
    const { orders } = memoryActStores(memoryStores());
    const responses = [[paid('e1'), paid('e2')], [paid('e1')]];
    const merge = async () => ({ facts: responses.shift() ?? [], changed: true });
    const observed = observeOrders({ ...orders, merge });
    for (const id of ['e1', 'e2']) await observed.orders.merge({ order: orderA, facts: [paid(id)], now });
    expect((await observed.changed())[0]?.after).toEqual([paid('e1'), paid('e2')]);
  });

  it('leaves out an order that had all the facts', async () => {
    const { orders } = memoryActStores(memoryStores());
    await orders.merge({ order: orderA, facts: [paid('e1')], now });
    const observed = observeOrders(orders);
    await observed.orders.merge({ order: orderA, facts: [paid('e1')], now });
    expect(await observed.changed()).toEqual([]);
  });
});

describe('observeRows', () => {
  const row = { key: 'live:event:e', record: 'event', mode: 'live', eventId: 'e', bodySha256: 'h' } as const;
  const stored = { ...row, outcome: 'unassigned', waiting: 'unassigned' } as EventRow;
  const table = (found: EventRow | undefined, settled?: string) => {
    const { events } = memoryActStores(memoryStores());
    const changes = { getRow: async () => found, settle: async () => settled, reread: async () => {} };
    const watched: ActStores['events'] = { ...events, ...changes };
    return observeRows(watched);
  };
  const settlement = { key: row.key, mode: 'live', bodySha256: 'h', outcome: 'applied' } as const;

  it('shows a settlement that was made, and none that the row refused', async () => {
    const [made, refused, missing] = [table(stored, 'h'), table(stored), table(undefined, 'h')];
    for (const { events } of [made, refused, missing]) await events.settle(settlement);
    expect(made.changed()).toMatchObject([
      { before: { outcome: 'unassigned' }, after: { outcome: 'applied' } },
    ]);
    expect([refused.changed(), missing.changed()]).toEqual([[], []]);
  });

  it('leaves out a row whose state stays as it was', async () => {
    const { events, changed } = table({ ...row, outcome: 'applied' } as EventRow, 'h');
    await events.settle(settlement);
    await events.reread({ ...settlement, fact: 'f', from: 'applied' });
    expect(changed()).toEqual([]);
  });

  it.each<[string, EventRow | undefined, EventRow | undefined]>([
    ['is not there to be read again', undefined, undefined],
    ['expires while it is read again', stored, undefined],
    ['is stored while it is read again', undefined, stored],
  ])('shows nothing of a row that %s', async (_, before, after) => {
    const { events } = memoryActStores(memoryStores());
    const found = [before, after];
    const changes = { getRow: async () => found.shift(), reread: async () => {} };
    const watched: ActStores['events'] = { ...events, ...changes };
    const observed = observeRows(watched);
    await observed.events.reread({ ...settlement, fact: 'f', from: 'unassigned' });
    expect([observed.changed(), found]).toEqual([[], []]);
  });

  it('shows that a row waits from now on', () => {
    const { beginWait, changed } = table(undefined);
    const { waiting: _, ...dismissed } = stored;
    beginWait(dismissed, 'unassigned');
    expect(changed()).toMatchObject([
      {
        before: { outcome: 'unassigned', waiting: null },
        after: { outcome: 'unassigned', waiting: 'unassigned' },
      },
    ]);
  });
});

describe('orderChange', () => {
  it('folds the facts before and after into status, attention and money', () => {
    const transaction = { id: 'T', amount: '100.00', currency: 'USD', created_at: null };
    const refund = fact('e2', 'refunded', { amount: '10.00' });
    const changed = { order: orderA, before: [paid('e1')], after: [paid('e1'), refund] };
    expect(orderChange(changed, meaningOf)).toEqual({
      order_id: 'A',
      before: {
        status: 'paid',
        attention: [],
        transactions: [{ ...transaction, status: 'paid' }],
        sequence: 1,
      },
      after: {
        status: 'partially_refunded',
        attention: [],
        transactions: [{ ...transaction, status: 'partially_refunded' }],
        sequence: 2,
      },
    });
  });

  it('has nothing before an order that no event had named', () => {
    const change = orderChange({ order: orderA, before: [], after: [paid('e1')] }, meaningOf);
    expect(change).toMatchObject({ before: null, after: { status: 'paid', sequence: 1 } });
  });
});
