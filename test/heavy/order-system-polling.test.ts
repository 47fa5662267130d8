import {
  createOrderClient,
  type Order,
  type OrderClient,
  type OrderStatus,
  ProblemError,
} from '@payhooks/order-client';
import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  type SampleOptions,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type RunningPipeline, runPipeline } from '../local/pipeline/running-pipeline.ts';
import { createRandom, shuffle } from './random.ts';

let pipeline: RunningPipeline;
let client: OrderClient;

beforeAll(async () => {
  pipeline = await runPipeline();
  client = createOrderClient({ baseUrl: pipeline.baseUrl, credentials: false });
});
afterAll(() => pipeline.stop());

/** The final status of an order, and its events in any order. */
const histories: readonly [OrderStatus, (order: SampleOptions) => Uint8Array[]][] = [
  ['paid', (order) => [bytesOf(paidEvent(order))]],
  ['refunded', (order) => [bytesOf(paidEvent(order)), bytesOf(refundedEvent(order))]],
  [
    'partially_refunded',
    (order) => [paidEvent(order), refundedEvent({ ...order, amount: '40.00' })].map(bytesOf),
  ],
  [
    'paid',
    (order) => {
      const failed = failedEvent({ ...order, transactionId: `${order.transactionId}-failed` });
      return [failed, paidEvent(order), unknownEvent(order)].map(bytesOf);
    },
  ],
  ['failed', (order) => [bytesOf(failedEvent(order))]],
];

const ordersCount = 300;
const orders = Array.from({ length: ordersCount }, (_, n) => {
  const id = `order-${n}`;
  const [status, events] = histories[n % histories.length] ?? ['pending', () => []];
  return { id, status, events: events({ orderId: id, seed: id, transactionId: `txn-${n}` }) };
});

/** Every event in random order; a quarter are repeated, and a tenth come long after the rest. */
function deliveries() {
  const random = createRandom(20_261_121);
  const all = orders.flatMap(({ events }) => events);
  const repeated = all.filter(() => random() < 0.25);
  const bodies = shuffle([...all, ...repeated], random);
  const lateCount = Math.floor(bodies.length / 10);
  return { prompt: bodies.slice(lateCount), late: bodies.slice(0, lateCount) };
}

async function postAll(bodies: readonly Uint8Array[]): Promise<void> {
  const waiting = bodies.values();
  const sender = async (): Promise<void> => {
    for (const body of waiting) expect((await pipeline.post(body)).status).toBe(202);
  };
  await Promise.all(Array.from({ length: 16 }, sender));
}

/** An order system, written from `docs/order-query.md`: it stores the orders and the cursor. */
function createOrderSystem() {
  const known = new Map<string, Order>();
  let cursor: string | undefined;
  return {
    known,
    /** Follows the changes; returns the function that stops it. */
    start() {
      const controller = new AbortController();
      const onCursor = (next: string) => {
        cursor = next;
      };
      const follow = async (): Promise<void> => {
        const { signal } = controller;
        while (!signal.aborted) {
          try {
            for await (const order of client.changes({ cursor, signal, onCursor, pauseMilliseconds: 100 })) {
              known.set(order.order_id, order);
            }
          } catch (error) {
            // A fault on the side of the server, such as a call that took too long: it goes on from its cursor.
            if (!(error instanceof ProblemError)) throw error;
          }
        }
      };
      const following = follow();
      return async () => {
        controller.abort();
        await following;
      };
    },
  };
}

describe('an order system that polls', () => {
  it('ends with the state of 300 orders whose events came twice, late and out of order', async () => {
    const { prompt, late } = deliveries();
    expect(prompt.length + late.length).toBeGreaterThan(600);
    const system = createOrderSystem();
    const stop = system.start();
    await postAll(prompt.slice(0, 360));
    await stop();
    expect(system.known.size).toBeGreaterThan(30);
    // It stops while events arrive, and continues from its stored cursor.
    await postAll(prompt.slice(360));
    const stopAgain = system.start();
    await pipeline.settled();
    await postAll(late);
    await pipeline.settled();

    const expected = new Map<string, Order>();
    for (const { id } of orders) expected.set(id, await client.order(id));
    await eventually(
      async () =>
        orders.filter(({ id }) => system.known.get(id)?.updated_at !== expected.get(id)?.updated_at),
      (outdated) => outdated.length === 0,
    );
    await stopAgain();
    const known = [...system.known.keys()].filter((id) => id.startsWith('order-'));
    expect(known).toHaveLength(ordersCount);
    for (const { id, status, events } of orders) {
      expect(system.known.get(id)).toEqual(expected.get(id));
      expect(expected.get(id)).toMatchObject({ status, attention: [] });
      expect(expected.get(id)?.events).toHaveLength(events.length);
    }
  });
});

describe('the order client', () => {
  it.each(['a/b', 'a?b=c&d', 'a%2Fb', 'ümläut 😀', "o'neil #1", 'a b+c', '...'])(
    'reads the order %j and its events',
    async (orderId) => {
      const body = bytesOf(paidEvent({ orderId, eventId: `event of ${orderId}` }));
      await pipeline.post(body);
      await pipeline.settled();
      expect(await client.order(orderId)).toMatchObject({ order_id: orderId, status: 'paid' });
      expect(await client.orderEvents(orderId)).toMatchObject({
        order_id: orderId,
        events: [{ id: `event of ${orderId}`, outcome: 'applied' }],
      });
      const event = await client.event(`event of ${orderId}`);
      expect(Buffer.from(event.body_base64 ?? '', 'base64').equals(body)).toBe(true);
    },
  );

  it('throws OrderNotFoundError for an unknown order, and for a live order in the sandbox', async () => {
    await pipeline.post(bytesOf(paidEvent({ orderId: 'live only' })));
    await pipeline.settled();
    await expect(client.order('nope')).rejects.toMatchObject({ name: 'OrderNotFoundError', status: 404 });
    const sandbox = client.order('live only', { mode: 'sandbox' });
    await expect(sandbox).rejects.toMatchObject({ name: 'OrderNotFoundError' });
  });

  it('iterates over all orders, page by page', async () => {
    const own = Array.from({ length: 100 }, (_, n) => `page-${n}`);
    await postAll(own.map((orderId) => bytesOf(paidEvent({ orderId }))));
    await pipeline.settled();
    const ids: string[] = [];
    for await (const { order_id } of client.allOrders({ limit: 30 })) ids.push(order_id);
    expect(ids).toEqual(expect.arrayContaining(own));
  });
});
