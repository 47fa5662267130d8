import { createOrderClient, type Order, type OrderClient, type OrderStatus } from '@payhooks/order-client';
import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  type SampleOptions,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type RunningPipeline, runPipeline } from './running-pipeline.ts';

let pipeline: RunningPipeline;
let client: OrderClient;

beforeAll(async () => {
  pipeline = await runPipeline();
  client = createOrderClient({ baseUrl: pipeline.baseUrl, credentials: false });
});
afterAll(() => pipeline.stop());

/** What can happen to an order, and what its state then is, in whatever order its events come. */
const histories: readonly [OrderStatus, (order: SampleOptions) => Uint8Array[]][] = [
  ['paid', (order) => [bytesOf(paidEvent(order))]],
  ['refunded', (order) => [bytesOf(paidEvent(order)), bytesOf(refundedEvent(order))]],
  [
    'partially_refunded',
    (order) => [paidEvent(order), refundedEvent({ ...order, amount: '40.00' })].map(bytesOf),
  ],
  ['paid', (order) => [failedEvent(order), paidEvent(order), unknownEvent(order)].map(bytesOf)],
  ['failed', (order) => [bytesOf(failedEvent(order))]],
];

const ordersCount = 1_000;
const orders = Array.from({ length: ordersCount }, (_, n) => {
  const id = `order-${n}`;
  const [status, events] = histories[n % histories.length] ?? ['pending', () => []];
  return { id, status, events: events({ orderId: id, seed: id, transactionId: `txn-${n}` }) };
});

/** The same sequence on every run. */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Every event once or more, in no order: a quarter are repeated, and a tenth come long after the rest. */
function deliveries() {
  const dice = createDice(20_261_121);
  const all = orders.flatMap(({ events }) => events);
  const repeated = all.filter(() => dice() < 0.25);
  const shuffled = [...all, ...repeated]
    .map((body) => ({ body, place: dice(), late: dice() < 0.1 }))
    .toSorted((a, b) => a.place - b.place);
  const bodies = (late: boolean) => shuffled.filter((one) => one.late === late).map(({ body }) => body);
  return { prompt: bodies(false), late: bodies(true) };
}

async function postAll(bodies: readonly Uint8Array[]): Promise<void> {
  const waiting = bodies.values();
  const sender = async (): Promise<void> => {
    for (const body of waiting) expect((await pipeline.post(body)).status).toBe(202);
  };
  await Promise.all(Array.from({ length: 16 }, sender));
}

/** An order system: what it knows of each order, and the cursor that it stored. Written from the documents. */
function createOrderSystem() {
  const book = new Map<string, Order>();
  let cursor: string | undefined;
  return {
    book,
    /** Runs until it is stopped; what it stored survives. */
    start() {
      const controller = new AbortController();
      const onCursor = (given: string) => {
        cursor = given;
      };
      const follow = async (): Promise<void> => {
        const { signal } = controller;
        for await (const order of client.changes({ cursor, signal, onCursor, pauseMilliseconds: 100 })) {
          book.set(order.order_id, order);
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
  // Twenty seconds on an idle machine, a minute on a busy one.
  const patience = { timeout: 180_000 };
  it(
    'ends with the state of the pipeline for 1,000 orders, events repeated, late and out of order',
    patience,
    async () => {
      const { prompt, late } = deliveries();
      expect(prompt.length + late.length).toBeGreaterThan(2_000);
      const system = createOrderSystem();
      const stop = system.start();
      await postAll(prompt.slice(0, 1_200));
      await stop();
      expect(system.book.size).toBeGreaterThan(100);
      // It is away while events come, and goes on from the cursor that it had stored.
      await postAll(prompt.slice(1_200));
      const stopAgain = system.start();
      await pipeline.settled();
      await postAll(late);
      await pipeline.settled();

      const told = new Map<string, Order>();
      for (const { id } of orders) told.set(id, await client.order(id));
      await eventually(
        async () => orders.filter(({ id }) => system.book.get(id)?.updated_at !== told.get(id)?.updated_at),
        (behind) => behind.length === 0,
      );
      await stopAgain();
      expect(system.book.size).toBe(ordersCount);
      for (const { id, status, events } of orders) {
        expect(system.book.get(id)).toEqual(told.get(id));
        expect(told.get(id)).toMatchObject({ status, attention: [] });
        expect(told.get(id)?.events).toHaveLength(events.length);
      }
    },
  );
});

describe('the client', () => {
  it.each(['a/b', 'a?b=c&d', 'a%2Fb', 'ümläut 😀', "o'neil #1", 'a b+c', '...'])(
    'finds the order %j, its events, and each of them',
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
      expect(Buffer.from(event.body_base64, 'base64').equals(body)).toBe(true);
    },
  );

  it('says that there is no such order, or not in the sandbox', async () => {
    await pipeline.post(bytesOf(paidEvent({ orderId: 'live only' })));
    await pipeline.settled();
    await expect(client.order('nope')).rejects.toMatchObject({ name: 'OrderNotFoundError', status: 404 });
    const sandbox = client.order('live only', { mode: 'sandbox' });
    await expect(sandbox).rejects.toMatchObject({ name: 'OrderNotFoundError' });
  });

  it('walks through every order there is, page by page', async () => {
    const ids: string[] = [];
    for await (const { order_id } of client.allOrders({ limit: 90 })) ids.push(order_id);
    expect(ids).toEqual(expect.arrayContaining(orders.map(({ id }) => id)));
  });
});
