import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listOrders } from '../../../lambdas/order-query/list-orders.ts';
import { readListRequest } from '../../../lambdas/order-query/parameters.ts';
import { fact } from '../../doubles/facts.ts';
import { createMemoryTables } from '../../doubles/memory-store.ts';
import { readerOf } from '../../doubles/order-query.ts';

const start = Date.parse('2026-11-21T10:00:00.000Z');
/** Few times for many orders, so that pages end in the middle of a millisecond. */
const write = fc.record({ id: fc.integer({ min: 0, max: 30 }), at: fc.integer({ min: 0, max: 15 }) });
const page = fc.record({ limit: fc.integer({ min: 1, max: 7 }), changed: fc.array(write, { maxLength: 2 }) });

/** The list with the newest change first, over writes that the test makes. */
function setUp() {
  const tables = createMemoryTables();
  const { store } = tables.open();
  const parts = { ...readerOf(tables), now: () => start, changesSettleSeconds: 30 };
  let writes = 0;
  const latest = new Map<string, number>();
  return {
    /** The time of the latest change of each order. */
    latest,
    async change(id: string, at: number) {
      writes += 1;
      latest.set(id, at);
      const facts = [fact(`evt-${writes}`, 'paid')];
      await store.merge({ order: { mode: 'live', id }, facts, now: () => new Date(start + at) });
    },
    list: (parameters: Record<string, string>) =>
      listOrders(parts, readListRequest({ sort_order: 'desc', ...parameters })),
  };
}

it('lists with sort_order=desc each order once, newest first, in pages of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 15 }),
      async (writes, limit, since) => {
        const { change, latest, list } = setUp();
        for (const { id, at } of writes) await change(`order-${id}`, at);
        const listed: (readonly [string, number])[] = [];
        let next: Record<string, string> = { updated_since: new Date(start + since).toISOString() };
        for (let cursor: string | null = ''; cursor !== null; next = { cursor: cursor ?? '' }) {
          const { orders, next_cursor } = await list({ ...next, limit: String(limit) });
          listed.push(...orders.map((one) => [one.order_id, Date.parse(one.updated_at) - start] as const));
          cursor = next_cursor;
        }
        const times = listed.map(([, at]) => at);
        expect(times).toEqual(times.toSorted((a, b) => b - a));
        const wanted = [...latest].filter(([, at]) => at >= since);
        expect(listed.toSorted()).toEqual(wanted.toSorted());
      },
    ),
    { numRuns: 150 },
  );
});

it('lists with sort_order=desc, while orders change, no order twice and every order that stays', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 5, maxLength: 60 }),
      fc.array(page, { minLength: 1, maxLength: 12 }),
      async (writes, pages) => {
        const { change, latest, list } = setUp();
        for (const { id, at } of writes) await change(`order-${id}`, at);
        const stays = new Set(latest.keys());
        const listed: string[] = [];
        let cursor: string | null | undefined;
        for (let n = 0; cursor !== null; n += 1) {
          const { limit = 3, changed = [] } = pages[n] ?? {};
          const given: Record<string, string> = cursor === undefined ? {} : { cursor };
          const { orders, next_cursor } = await list({ ...given, limit: String(limit) });
          listed.push(...orders.map(({ order_id }) => order_id));
          cursor = next_cursor;
          for (const { id } of changed) {
            // Later than every other change, as time goes on.
            await change(`order-${id}`, 1_000 + n);
            stays.delete(`order-${id}`);
          }
        }
        expect(new Set(listed).size).toBe(listed.length);
        expect([...stays].filter((id) => !listed.includes(id))).toEqual([]);
      },
    ),
    { numRuns: 150 },
  );
});
