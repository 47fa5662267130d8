import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fact } from '../../doubles/facts.ts';
import { iso, setUpQuery } from '../../doubles/order-query.ts';

const start = Date.parse('2026-11-21T10:00:00.000Z');

/** The list over writes that the test makes, and the clock. */
function setUp(sort_order: 'asc' | 'desc') {
  const { list, commit, state, orders } = setUpQuery();
  state.now = start;
  let writes = 0;
  const rows = () => [...orders.values()];
  return {
    state,
    /** A change of an order with a time stamp in milliseconds after the start. */
    async change(id: number, at: number) {
      writes += 1;
      await commit(`order-${id}`, start + at, [fact(`evt-${writes}`, 'paid')]);
    },
    list: (parameters: Record<string, string>) => list({ sort_order, ...parameters }),
    /** The number of facts of each order. */
    stored: () => new Map(rows().map(({ order, facts }) => [order.id, facts.length])),
    /** The time of the latest change of each order. */
    latest: () => rows().map((row) => [row.order.id, Date.parse(row.updatedAt) - start] as const),
  };
}

it('a reader who keeps the last cursor misses no change that becomes visible up to 29 s late', async () => {
  const commit = fc.record({
    id: fc.integer({ min: 0, max: 30 }),
    at: fc.integer({ min: 0, max: 60_000 }),
    delay: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 29_000 })),
  });
  const read = fc.record({
    wait: fc.integer({ min: 200, max: 3_000 }),
    limit: fc.integer({ min: 1, max: 9 }),
  });
  const property = fc.asyncProperty(
    fc.array(commit, { minLength: 50, maxLength: 300, size: 'max' }),
    fc.array(read, { minLength: 5, maxLength: 50 }),
    async (commits, reads) => {
      const { change, list, state, stored } = setUp('asc');
      const waiting = commits.toSorted((a, b) => a.at + a.delay - b.at - b.delay);
      const seen = new Map<string, number>();
      let cursor: string | undefined;
      const readPage = async (parameters: Record<string, string> = {}) => {
        const page = await list({ ...parameters, ...(cursor !== undefined && { cursor }) });
        for (const { order_id, events } of page.orders) seen.set(order_id, events.length);
        cursor = page.next_cursor ?? cursor;
        return page.next_cursor;
      };
      for (let n = 0; state.now < start + 130_000; n += 1) {
        const { wait, limit } = reads[n % reads.length] ?? { wait: 1_000, limit: 1 };
        state.now += wait;
        while (waiting[0] && start + waiting[0].at + waiting[0].delay <= state.now) {
          const { id, at } = waiting.shift() as (typeof waiting)[number];
          await change(id, at);
        }
        await readPage({ limit: String(limit) });
      }
      // Whatever the sizes of its pages were.
      while ((await readPage()) !== null);
      expect(seen).toEqual(stored());
    },
  );
  await fc.assert(property, { numRuns: 20 });
});

/** Few times for many orders, so that pages end in the middle of a millisecond. */
const write = fc.record({ id: fc.integer({ min: 0, max: 30 }), at: fc.integer({ min: 0, max: 15 }) });
const limits = fc.integer({ min: 1, max: 7 });

it.each(['asc', 'desc'] as const)(
  'lists with sort_order=%s each order once, by its change, in pages of any size',
  async (sortOrder) => {
    const property = fc.asyncProperty(
      fc.array(write, { maxLength: 60 }),
      limits,
      fc.integer({ min: 0, max: 15 }),
      async (writes, limit, since) => {
        const { change, latest, list } = setUp(sortOrder);
        for (const { id, at } of writes) await change(id, at);
        const listed: (readonly [string, number])[] = [];
        let next: Record<string, string> = { updated_since: iso(start + since) };
        for (let cursor: string | null = ''; cursor !== null; next = { cursor: cursor ?? '' }) {
          const { orders, next_cursor } = await list({ ...next, limit: String(limit) });
          listed.push(...orders.map((one) => [one.order_id, Date.parse(one.updated_at) - start] as const));
          cursor = next_cursor;
        }
        const times = listed.map(([, at]) => at);
        expect(times).toEqual(times.toSorted((a, b) => (sortOrder === 'asc' ? a - b : b - a)));
        const wanted = latest().filter(([, at]) => at >= since);
        expect(listed.toSorted()).toEqual(wanted.toSorted());
      },
    );
    await fc.assert(property, { numRuns: 100 });
  },
);

it('lists with sort_order=desc, while orders change, no order twice and every order that stays', async () => {
  const page = fc.record({ limit: limits, changed: fc.array(write, { maxLength: 2 }) });
  const property = fc.asyncProperty(
    fc.array(write, { minLength: 5, maxLength: 60 }),
    fc.array(page, { minLength: 1, maxLength: 12 }),
    async (writes, pages) => {
      const { change, latest, list } = setUp('desc');
      for (const { id, at } of writes) await change(id, at);
      const stays = new Set(latest().map(([id]) => id));
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
          await change(id, 1_000 + n);
          stays.delete(`order-${id}`);
        }
      }
      expect(new Set(listed).size).toBe(listed.length);
      expect([...stays].filter((id) => !listed.includes(id))).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: 100 });
});
