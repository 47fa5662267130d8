import type { Order } from '@payhooks/order-client';
import { beforeEach, expect, it, vi } from 'vitest';
import { type ListPart, latestOf, readPartAgain, type ShownParts } from '../../../console/page/list/pages.ts';
import { listedOrder } from '../../doubles/listed-orders.ts';

const minute = 60_000;
const orderList = {
  idOf: ({ order_id }: Order) => order_id,
  timeOf: ({ updated_at }: Order) => updated_at,
};
const ordersOf = (...times: readonly number[]): readonly Order[] =>
  times.map((at) => listedOrder(`order-${at}`, [{ id: `event-${at}`, at }]));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  return () => void vi.useRealTimers();
});

/** A list that shows so many parts of two orders each. */
async function shownList(parts: number, stored: readonly Order[]) {
  let orders = stored;
  let reads = 0;
  async function read(cursor: string | undefined): Promise<ListPart<Order>> {
    reads += 1;
    const left = orders.filter(({ updated_at }) => cursor === undefined || updated_at < cursor);
    const read = left.slice(0, 2);
    const next = left.length > 2 ? (read.at(-1)?.updated_at ?? null) : null;
    return { rows: read, readAt: Date.now(), next };
  }
  /** As an infinite query reads the parts that it has, each with the cursor of the one before it. */
  async function readParts(count: number, shown?: ShownParts<Order>): Promise<ShownParts<Order>> {
    const [pages, pageParams]: [ListPart<Order>[], (string | undefined)[]] = [[], []];
    do {
      const cursor = pages.at(-1)?.next ?? undefined;
      pages.push(await readPartAgain(orderList, read, cursor, shown));
      pageParams.push(cursor);
    } while (pages.length < count && pages.at(-1)?.next !== null);
    return { pages, pageParams };
  }
  let shown = await readParts(parts);
  return {
    /** The orders that the list shows after a change of what is stored, and how often it read. */
    async after(changed: readonly Order[]) {
      [orders, reads] = [changed, 0];
      shown = await readParts(shown.pages.length, shown);
      const rows = latestOf(
        orderList,
        shown.pages.flatMap((part) => part.rows),
      );
      return { reads, shown: rows.map(({ order_id }) => order_id) };
    },
  };
}

it('a list of several parts reads its top again, and shows what is new there', async () => {
  const list = await shownList(3, ordersOf(6, 5, 4, 3, 2, 1));
  for (const newest of [7, 8]) {
    const stored = ordersOf(...[8, 7, 6, 5, 4, 3, 2, 1].filter((at) => at <= newest));
    expect(await list.after(stored)).toEqual({ reads: 1, shown: stored.map(({ order_id }) => order_id) });
  }
});

it('a list reads all its parts again when more is new than its top holds', async () => {
  const list = await shownList(2, ordersOf(4, 3, 2, 1));
  const { reads, shown } = await list.after(ordersOf(7, 6, 5, 4, 3, 2, 1));
  expect({ reads, shown }).toEqual({ reads: 2, shown: ['order-7', 'order-6', 'order-5', 'order-4'] });
});

it('an order that no longer matches leaves each part of a list within a minute', async () => {
  const list = await shownList(3, ordersOf(6, 5, 4, 3, 2, 1));
  const stored = ordersOf(6, 5, 4, 2, 1);
  vi.setSystemTime(Date.now() + minute - 1);
  expect((await list.after(stored)).shown).toContain('order-3');
  vi.setSystemTime(Date.now() + 1);
  expect((await list.after(stored)).shown).not.toContain('order-3');
});

it('an order that no longer matches leaves a list of one part at once', async () => {
  const list = await shownList(1, ordersOf(4, 3, 2, 1));
  expect((await list.after(ordersOf(4, 2, 1))).shown).toEqual(['order-4', 'order-2']);
});
