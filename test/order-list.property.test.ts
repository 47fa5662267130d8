import { describe, expect, it } from 'vitest';
import { listOrders } from '../lambdas/order-query/list-orders.ts';
import { readListRequest } from '../lambdas/order-query/parameters.ts';
import type { OrderRow } from '../lambdas/ports/stores.ts';
import { memoryStores } from './doubles/memory-stores.ts';

/** A small generator of numbers from 0 to 1 (mulberry32), so that a run can be repeated by its seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const writers = 200;
const writesEach = 10;
const secondsOfWriting = 60;
/** What the guarantee allows between a time stamp and the moment at which the change shows in the index. */
const commitDelaySeconds = 14;

interface Commit {
  readonly visibleAt: number;
  readonly stampedAt: number;
  readonly orderId: string;
  readonly fact: string;
}

/** Writers who stamp their change at one moment and whose commit shows at a later one. */
function plan(random: () => number): Commit[] {
  const commits = Array.from({ length: writers * writesEach }, (_, n): Commit => {
    const stampedAt = 1_000_000 + Math.floor(random() * secondsOfWriting * 1000);
    return {
      stampedAt,
      visibleAt: stampedAt + Math.floor(random() ** 3 * commitDelaySeconds * 1000),
      orderId: `order-${Math.floor(random() * 150)}`,
      fact: JSON.stringify(['event.1', `evt-${n}`, 'transaction.disputed', 'T', null, null, null]),
    };
  });
  return commits.toSorted((a, b) => a.visibleAt - b.visibleAt);
}

/** A reader who walks the pages again and again, and keeps the last cursor that was not null. */
async function follow(random: () => number) {
  const stores = memoryStores();
  const commits = plan(random);
  const seen = new Map<string, number>();
  let cursor: string | undefined;
  let now = 1_000_000;
  const parts = { changes: stores.reader, orders: stores.reader, events: stores.reader, now: () => now };
  const end = 1_000_000 + (secondsOfWriting + commitDelaySeconds + 40) * 1000;
  while (now < end) {
    now += Math.floor(random() * 3_000);
    while (commits[0] !== undefined && commits[0].visibleAt <= now) {
      const { orderId, fact, stampedAt } = commits.shift() as Commit;
      const order = { mode: 'live' as const, id: orderId };
      await stores.writer.merge({
        order,
        facts: [fact],
        status: 'pending',
        at: new Date(stampedAt).toISOString(),
      });
    }
    const limit = String(1 + Math.floor(random() * 40));
    const page = await listOrders(
      parts,
      readListRequest({ limit, ...(cursor === undefined ? {} : { cursor }) }),
    );
    for (const { order_id, events } of page.orders) seen.set(order_id, events.length);
    cursor = page.next_cursor ?? cursor;
  }
  return { seen, told: [...stores.orders].map(([, order]): [string, number] => countOf(order)) };
}

const countOf = ({ order, facts }: { order: OrderRow['order']; facts: Set<string> }): [string, number] => [
  order.id,
  facts.size,
];

describe('a reader who keeps the last cursor', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))(
    'misses no change of 200 writers whose commits show up to 14 s late (seed %i)',
    async (seed) => {
      const { seen, told } = await follow(seeded(seed));
      expect(told.length).toBeGreaterThan(140);
      expect([...seen].toSorted()).toEqual(told.toSorted());
    },
  );
});
