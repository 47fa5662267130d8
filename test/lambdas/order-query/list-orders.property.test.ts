import { describe, expect, it } from 'vitest';
import { listOrders } from '../../../lambdas/order-query/list-orders.ts';
import { readListRequest } from '../../../lambdas/order-query/parameters.ts';
import { fact } from '../../doubles/facts.ts';
import { createMemoryTables } from '../../doubles/memory-store.ts';
import { readerOf } from '../../doubles/order-query.ts';

/** Random numbers from 0 to 1 (mulberry32): the same seed repeats a run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const start = 1_000_000;
const writes = 2_000;
const writingMilliseconds = 60_000;
/** Less than the bound on the time between a time stamp and the moment when the change is in the index. */
const commitDelayMilliseconds = 29_000;
const changesSettleSeconds = 30;

interface Commit {
  readonly visibleAt: number;
  readonly stampedAt: number;
  readonly orderId: string;
  readonly fact: string;
}

function randomCommits(random: () => number): Commit[] {
  const commits = Array.from({ length: writes }, (_, n): Commit => {
    const stampedAt = start + Math.floor(random() * writingMilliseconds);
    const visibleAt = stampedAt + Math.floor(random() ** 3 * commitDelayMilliseconds);
    const orderId = `order-${Math.floor(random() * 150)}`;
    return { stampedAt, visibleAt, orderId, fact: fact(`evt-${n}`, 'disputed') };
  });
  return commits.toSorted((a, b) => a.visibleAt - b.visibleAt);
}

/** The number of events of each order: as stored, and as last seen by a reader who keeps the last cursor. */
async function readWhileWriting(random: () => number) {
  const tables = createMemoryTables();
  const { store } = tables.open();
  const commits = randomCommits(random);
  const seen = new Map<string, number>();
  let cursor: string | undefined;
  let now = start;
  const parts = { ...readerOf(tables), now: () => now, changesSettleSeconds };
  while (now < start + writingMilliseconds + commitDelayMilliseconds + 40_000) {
    now += Math.floor(random() * 3_000);
    while (commits[0] !== undefined && commits[0].visibleAt <= now) {
      const { orderId: id, fact, stampedAt } = commits.shift() as Commit;
      const stamp = () => new Date(stampedAt);
      await store.merge({ order: { mode: 'live', id }, facts: [fact], now: stamp });
    }
    const limit = String(1 + Math.floor(random() * 40));
    const request = readListRequest({ limit, ...(cursor === undefined ? {} : { cursor }) });
    const page = await listOrders(parts, request);
    for (const { order_id, events } of page.orders) seen.set(order_id, events.length);
    cursor = page.next_cursor ?? cursor;
  }
  return {
    seen,
    stored: new Map([...tables.orders.values()].map(({ order, facts }) => [order.id, facts.length])),
  };
}

describe('listOrders', () => {
  it.each(Array.from({ length: 8 }, (_, seed) => seed))(
    'misses none of 2,000 changes that become visible up to 29 s late (seed %i)',
    async (seed) => {
      const { seen, stored } = await readWhileWriting(seeded(seed));
      expect(stored.size).toBeGreaterThan(140);
      expect(seen).toEqual(stored);
    },
  );
});
