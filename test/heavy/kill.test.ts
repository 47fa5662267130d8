import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { expect, it } from 'vitest';
import { type FeedEvent, readFeed } from '../local/feed/feed-reader.ts';
import { eventually, requestsTo } from '../local/pipeline/running-pipeline.ts';
import { postUntilKilled, processesOnOneDirectory } from './local-process.ts';

const kills = 3;
const eventsPerRun = 200;
const acknowledgedBeforeKill = 100;
const ordersCount = 40;
const orderOf = (n: number): string => `order-${n % ordersCount}`;

/** Each event has a transaction of its own, so each one changes its order. */
const bodiesOf = (run: number): ReadonlyMap<string, Uint8Array> =>
  new Map(
    Array.from({ length: eventsPerRun }, (_, index) => {
      const n = run * eventsPerRun + index;
      const ids = { eventId: `evt-${n}`, orderId: orderOf(n), transactionId: `txn-${n}` };
      return [ids.eventId, bytesOf(paidEvent({ seed: `kill ${n}`, ...ids }))];
    }),
  );

/** The acknowledged events of the payment service that caused none of these changes. */
function missing(acknowledged: ReadonlySet<string>, changes: readonly FeedEvent[]): string[] {
  const causes = new Set(changes.flatMap(({ detail }) => detail.caused_by.map(({ id }) => id)));
  return [...acknowledged].filter((id) => !causes.has(id));
}

it(`keeps every acknowledged event, once, and publishes every change, through ${kills} times kill -9`, async () => {
  const start = await processesOnOneDirectory();
  const bodies = new Map<string, Uint8Array>();
  const acknowledged = new Set<string>();
  const received: FeedEvent[] = [];
  let lastEventId: string | undefined;
  for (let run = 0; run < kills; run += 1) {
    const local = await start();
    const reader = await readFeed(local.baseUrl, { lastEventId });
    const sent = bodiesOf(run);
    for (const [id, body] of sent) bodies.set(id, body);
    for (const id of await postUntilKilled(local, sent, acknowledgedBeforeKill)) acknowledged.add(id);
    await reader.ended.catch(() => {});
    received.push(...reader.events);
    lastEventId = reader.lastEventId();
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(kills * acknowledgedBeforeKill);
  expect(acknowledged.size).toBeLessThan(bodies.size);

  const last = await start();
  const { event, order } = requestsTo(last.baseUrl);
  for (const id of acknowledged) {
    const recorded = await event(id, ({ outcome }) => outcome === 'applied');
    expect(recorded).toMatchObject({ order_id: orderOf(Number(id.slice('evt-'.length))), others: [] });
    const bytes = Buffer.from(String(recorded['body_base64']), 'base64');
    expect(bytes.equals(bodies.get(id) ?? Buffer.alloc(0))).toBe(true);
  }

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

  const counted: string[] = [];
  for (let n = 0; n < ordersCount; n += 1) {
    const { status, sequence, events } = await order(orderOf(n));
    expect(status).toBe('paid');
    counted.push(...(events as { id: string }[]).map(({ id }) => id));
    // The last change of each order has the sequence that the order query shows.
    const own = all().filter(({ detail }) => detail.order_id === orderOf(n));
    expect(Math.max(...own.map(({ detail }) => detail.sequence))).toBe(sequence);
  }
  expect(counted).toHaveLength(new Set(counted).size);
  expect([...acknowledged].filter((id) => !counted.includes(id))).toEqual([]);
  await Promise.all([resumed.close(), replayed.close()]);
  expect(await last.kill('SIGTERM')).toBe(0);
});
