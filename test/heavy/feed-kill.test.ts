import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { expect, it } from 'vitest';
import { type FeedEvent, readFeed } from '../local/feed/feed-reader.ts';
import { eventually, requestsTo } from '../local/pipeline/running-pipeline.ts';
import { postUntilKilled, processesOnOneDirectory } from './local-process.ts';

const kills = 3;
const eventsPerRun = 200;
const acknowledgedBeforeKill = 100;
const ordersCount = 40;

/** Each event has a transaction of its own, so each one changes its order. */
const bodiesOf = (run: number): ReadonlyMap<string, Uint8Array> =>
  new Map(
    Array.from({ length: eventsPerRun }, (_, index) => {
      const n = run * eventsPerRun + index;
      const ids = { eventId: `evt-${n}`, orderId: `order-${n % ordersCount}`, transactionId: `txn-${n}` };
      return [ids.eventId, bytesOf(paidEvent(ids))];
    }),
  );

/** The acknowledged events of the payment service that caused none of these changes. */
function missing(acknowledged: ReadonlySet<string>, changes: readonly FeedEvent[]): string[] {
  const causes = new Set(changes.flatMap(({ detail }) => detail.caused_by.map(({ id }) => id)));
  return [...acknowledged].filter((id) => !causes.has(id));
}

it(`publishes every change at least once, through ${kills} times kill -9`, async () => {
  const start = await processesOnOneDirectory();
  const acknowledged = new Set<string>();
  const received: FeedEvent[] = [];
  let lastEventId: string | undefined;
  for (let run = 0; run < kills; run += 1) {
    const local = await start();
    const reader = await readFeed(local.baseUrl, { lastEventId });
    for (const id of await postUntilKilled(local, bodiesOf(run), acknowledgedBeforeKill))
      acknowledged.add(id);
    await reader.ended.catch(() => {});
    received.push(...reader.events);
    lastEventId = reader.lastEventId();
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(kills * acknowledgedBeforeKill);
  expect(acknowledged.size).toBeLessThan(kills * eventsPerRun);

  const last = await start();
  const resumed = await readFeed(last.baseUrl, { lastEventId });
  const replayed = await readFeed(last.baseUrl, { lastEventId: '0' });
  const all = (): FeedEvent[] => [...received, ...resumed.events];
  for (const read of [() => replayed.events, all]) {
    await eventually(
      async () => missing(acknowledged, read()),
      (ids) => ids.length === 0,
    );
  }
  expect(resumed.comments).toEqual([]);

  // The last change of each order has the sequence that the order query shows.
  const { order } = requestsTo(last.baseUrl);
  for (let n = 0; n < ordersCount; n += 1) {
    const id = `order-${n}`;
    const { sequence } = await order(id);
    const sequences = all().flatMap(({ detail }) => (detail.order_id === id ? [detail.sequence] : []));
    expect([id, Math.max(...sequences)]).toEqual([id, sequence]);
  }
  await Promise.all([resumed.close(), replayed.close()]);
  expect(await last.kill('SIGTERM')).toBe(0);
});
