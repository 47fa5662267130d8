import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  type SampleEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FeedCondition, readFeed } from './feed-reader.ts';
import { conditionsText, createOrderSystem } from './order-system.ts';
import { eventually, type RunningPipeline, runPipeline } from './running-pipeline.ts';

let pipeline: RunningPipeline;

beforeAll(async () => {
  pipeline = await runPipeline();
});
afterAll(() => pipeline.stop());

const senders = 20;

/** Numbers from 0 to 1 that the seed alone decides. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    // The multiplier and the increment of Numerical Recipes, modulo 2^32.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffle<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((one) => [random(), one] as const)
    .sort(([left], [right]) => left - right)
    .map(([, one]) => one);
}

/** What may happen to an order, with how it ends. */
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

/** Posts bodies from several senders at a time; all of them are accepted. */
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

/** Every live order as the order query lists it. */
async function listOrders(): Promise<[string, FeedCondition][]> {
  const found: [string, FeedCondition][] = [];
  let path: string | undefined = '/orders?limit=100';
  while (path !== undefined) {
    const { json } = await pipeline.get(path);
    for (const order of json['orders'] as (FeedCondition & { order_id: string })[]) {
      found.push([`live ${order.order_id}`, order]);
    }
    const cursor = json['next_cursor'];
    path = cursor === null ? undefined : `/orders?limit=100&cursor=${encodeURIComponent(String(cursor))}`;
  }
  return found;
}

describe('an order system on the feed', () => {
  it('ends with the state of each of 1,000 orders, whatever came twice, late and in the wrong order', async () => {
    const random = createRandom(20_261_121);
    const expected: string[] = [];
    const events = Array.from({ length: 1_000 }, (_, n) => {
      const [history, ending] = histories[Math.floor(random() * histories.length)] ?? [];
      expected.push(`live order-${n}: ${ending}`);
      return history?.(`order-${n}`) ?? [];
    }).flat();
    const bodies = events.map(bytesOf);
    const again = bodies.filter(() => random() < 0.3);
    const posts = shuffle([...bodies, ...again], random);
    expect(posts.length).toBeLessThan(4_000);

    const system = createOrderSystem();
    const first = await readFeed(pipeline.baseUrl);
    const half = Math.floor(posts.length / 2);
    await postAll(posts.slice(0, half));
    // It goes away in the middle, and comes back with the last event that it had.
    await first.leave();
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

    // EventBridge promises no order and no single delivery: the same events, mixed and some of them twice.
    const all = [...first.events, ...second.events];
    const other = createOrderSystem();
    for (const event of shuffle([...all, ...all.filter(() => random() < 0.3)], random)) other.receive(event);
    expect(conditionsText(other.orders)).toEqual(ended);
    expect(other.counts.again).toBeGreaterThan(100);
    expect(other.counts.older).toBeGreaterThan(100);
    await second.leave();
  });

  it('sees one order with 1,000 events from 20 senders grow, in order and to its end', async () => {
    const feed = await readFeed(pipeline.baseUrl);
    const bodies = Array.from({ length: 1_000 }, (_, n) =>
      bytesOf(paidEvent({ orderId: 'hot', eventId: `hot-${n}`, transactionId: `txn-${n}` })),
    );
    await postAll(bodies);
    await pipeline.settled();
    const events = await eventually(
      async () => feed.events,
      (received) => received.at(-1)?.detail.sequence === 1_000,
    );
    const seen = new Set<string>();
    const sequences = events
      .filter(({ detail }) => seen.size < seen.add(detail.id).size)
      .map(({ detail }) => detail.sequence);
    expect(sequences).toEqual(sequences.toSorted((left, right) => left - right));
    expect(new Set(sequences).size).toBe(sequences.length);
    expect((await pipeline.order('hot'))['events']).toHaveLength(1_000);
    expect(await pipeline.deadLetters()).toBe(0);
    expect(await pipeline.messagesIn(pipeline.resources.feedFailureQueueUrl)).toBe(0);
    await feed.leave();
  });
});
