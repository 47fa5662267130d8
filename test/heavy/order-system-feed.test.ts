import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  type SampleEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrderCondition } from '../../lambdas/order-feed/order-status-changed.ts';
import { type FeedEvent, readFeed } from '../local/feed/feed-reader.ts';
import { eventually, type RunningPipeline, runPipeline } from '../local/pipeline/running-pipeline.ts';
import { createRandom, shuffle } from './random.ts';

let pipeline: RunningPipeline;

beforeAll(async () => {
  pipeline = await runPipeline();
});
afterAll(() => pipeline.stop());

const senders = 20;

/** An order system, written from `docs/order-feed.md`: it drops duplicates and what is older than it knows. */
function createOrderSystem() {
  const seen = new Set<string>();
  const orders = new Map<string, OrderCondition & { readonly sequence: number }>();
  const counts = { duplicate: 0, older: 0 };
  return {
    counts,
    orders,
    receive({ detail: { id, mode, order_id, sequence, current } }: FeedEvent): void {
      const key = `${mode} ${order_id}`;
      if (seen.has(id)) counts.duplicate += 1;
      else if ((orders.get(key)?.sequence ?? 0) >= sequence) counts.older += 1;
      else orders.set(key, { ...current, sequence });
      seen.add(id);
    },
  };
}

/** Mode and order id, status and attention. */
function conditionsText(orders: Iterable<readonly [string, OrderCondition]>): string[] {
  return [...orders].map(([key, { status, attention }]) => `${key}: ${status} ${attention.join(' ')}`).sort();
}

/** The events of an order, and its final status and attention. */
const histories: readonly (readonly [(orderId: string) => SampleEvent[], string])[] = [
  [(orderId) => [paidEvent({ orderId })], 'paid '],
  [
    (orderId) => [paidEvent({ orderId, seed: orderId }), refundedEvent({ orderId, seed: orderId })],
    'refunded ',
  ],
  [(orderId) => [failedEvent({ orderId }), paidEvent({ orderId })], 'paid '],
  [
    (orderId) => [
      paidEvent({ orderId, seed: orderId }),
      refundedEvent({ orderId, seed: orderId, amount: '30.00' }),
    ],
    'partially_refunded ',
  ],
  [(orderId) => [paidEvent({ orderId }), paidEvent({ orderId })], 'paid multiple_paid_transactions'],
  [(orderId) => [refundedEvent({ orderId })], 'refunded refund_without_payment'],
  [(orderId) => [failedEvent({ orderId }), unknownEvent({ orderId })], 'failed '],
];

/** Posts the bodies from several senders at once. */
async function postAll(bodies: readonly Uint8Array[]): Promise<void> {
  const refused: number[] = [];
  const send = async (first: number): Promise<void> => {
    for (let n = first; n < bodies.length; n += senders) {
      const { status } = await pipeline.post(bodies[n] ?? new Uint8Array());
      if (status !== 202) refused.push(status);
    }
  };
  await Promise.all(Array.from({ length: senders }, (_, first) => send(first)));
  expect(refused).toEqual([]);
}

/** Every live order of the order query. */
async function listOrders(): Promise<[string, OrderCondition][]> {
  const found: [string, OrderCondition][] = [];
  let path: string | undefined = '/orders?limit=100';
  while (path !== undefined) {
    const { json } = await pipeline.get(path);
    for (const order of json['orders'] as (OrderCondition & { order_id: string })[]) {
      // That of another test.
      if (order.order_id !== 'hot') found.push([`live ${order.order_id}`, order]);
    }
    const cursor = json['next_cursor'];
    path = cursor === null ? undefined : `/orders?limit=100&cursor=${encodeURIComponent(String(cursor))}`;
  }
  return found;
}

describe('an order system on the feed', () => {
  it('ends with the state of 300 orders whose events came twice, late and out of order', async () => {
    const random = createRandom(20_261_121);
    const expected: string[] = [];
    const events = Array.from({ length: 300 }, (_, n) => {
      const [history, ending] = histories[Math.floor(random() * histories.length)] ?? [];
      expected.push(`live order-${n}: ${ending}`);
      return history?.(`order-${n}`) ?? [];
    }).flat();
    const bodies = events.map(bytesOf);
    const again = bodies.filter(() => random() < 0.3);
    const posts = shuffle([...bodies, ...again], random);
    expect(posts.length).toBeLessThan(1_200);

    const system = createOrderSystem();
    const first = await readFeed(pipeline.baseUrl);
    const half = Math.floor(posts.length / 2);
    await postAll(posts.slice(0, half));
    // It disconnects, and reconnects with its last event.
    await first.close();
    await postAll(posts.slice(half));
    const second = await readFeed(pipeline.baseUrl, { lastEventId: first.lastEventId() });
    await pipeline.settled();
    let received = 0;
    const ended = await eventually(
      async () => {
        const all = [...first.events, ...second.events];
        for (const event of all.slice(received)) system.receive(event);
        received = all.length;
        return conditionsText(system.orders);
      },
      (conditions) => conditions.join() === expected.toSorted().join(),
    );
    expect(ended).toEqual(conditionsText(await listOrders()));

    // EventBridge guarantees neither order nor a single delivery: the events again, shuffled, some twice.
    const all = [...first.events, ...second.events];
    const other = createOrderSystem();
    for (const event of shuffle([...all, ...all.filter(() => random() < 0.3)], random)) other.receive(event);
    expect(conditionsText(other.orders)).toEqual(ended);
    expect(other.counts.duplicate).toBeGreaterThan(50);
    expect(other.counts.older).toBeGreaterThan(50);
    await second.close();
  });

  it('follows one order with 300 events from 20 senders, in rising sequence', async () => {
    const feed = await readFeed(pipeline.baseUrl);
    const bodies = Array.from({ length: 300 }, (_, n) =>
      bytesOf(paidEvent({ orderId: 'hot', eventId: `hot-${n}`, transactionId: `txn-${n}` })),
    );
    await postAll(bodies);
    await pipeline.settled();
    const order = await pipeline.order('hot');
    expect(order['events']).toHaveLength(300);
    const events = await eventually(
      async () => feed.events,
      (received) => received.at(-1)?.detail.sequence === order['sequence'],
    );
    const seen = new Set<string>();
    const sequences = events
      .filter(({ detail }) => detail.order_id === 'hot' && seen.size < seen.add(detail.id).size)
      .map(({ detail }) => detail.sequence);
    expect(sequences).toEqual(sequences.toSorted((left, right) => left - right));
    expect(new Set(sequences).size).toBe(sequences.length);
    expect(await pipeline.deadLetters()).toBe(0);
    expect(await pipeline.messagesIn(pipeline.resources.feedFailureQueueUrl)).toBe(0);
    await feed.close();
  });
});
