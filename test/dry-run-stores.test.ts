import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActStores, createDryRunStores } from '../lambdas/operations/dry-run-stores.ts';
import { observeOrders, orderChange } from '../lambdas/operations/order-changes.ts';
import { type OrderMerge, PermanentStoreError } from '../lambdas/ports/stores.ts';
import { memoryActStores, tableActStores } from './doubles/act-stores.ts';
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

  it('leaves out an order that had all the facts', async () => {
    const { orders } = memoryActStores(memoryStores());
    await orders.merge({ order: orderA, facts: [paid('e1')], now });
    const observed = observeOrders(orders);
    await observed.orders.merge({ order: orderA, facts: [paid('e1')], now });
    expect(await observed.changed()).toEqual([]);
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
