import type { Order, OrderClient } from '@payhooks/order-client';
import {
  bytesOf,
  noRetries,
  paidEvent,
  refundedEvent,
  type SampleEvent,
} from '@payhooks/payment-service/simulator';
import type { Bench } from './bench.ts';
import type { Experiment } from './experiment.ts';

const orderCount = 250;
const eventCount = 2 * orderCount;
const inFlightMax = 20;
/** A webhook that gets no 2xx is sent again like the payment service does. */
const schedule = { ...noRetries, pausesMilliseconds: [500, 1_000, 2_000, 4_000] };

export const burst: Experiment = {
  name: 'burst',
  group: 'faults',
  disturbs: true,
  title: `Burst of ${eventCount}`,
  does: `Sends the payments and refunds of ${orderCount} orders in random order, ${inFlightMax} at a time.`,
  expected: `As many events are recorded as got 2xx, and all ${orderCount} orders are refunded.`,
  guarantee: 'The queue takes the peak; events are recorded as fast as the tables allow.',
  alarm: null,
  async run(bench) {
    const { record, orderId } = bench;
    record.progress({ total: eventCount });
    using handled = countHandled(bench);
    const acknowledged = await sendAll(bench, shuffled(eventsOf(orderId)));
    const seconds = ((Date.now() - record.startedAt.getTime()) / 1_000).toFixed(1);
    record.step('sent', `${eventCount} webhooks in ${seconds} s, ${acknowledged} got 2xx`);
    await bench.until(
      async () => handled.size(),
      (size) => size >= acknowledged,
    );
    const orders = await bench.until(
      () => ordersOf(bench.orders, bench),
      (found) => countEvents(found) >= acknowledged,
    );
    const recorded = countEvents(orders);
    const refunded = orders.filter(
      ({ status, attention }) => status === 'refunded' && attention.length === 0,
    );
    const seen =
      `${acknowledged} of ${eventCount} webhooks got 2xx; ${recorded} of these are recorded, ` +
      `and ${refunded.length} of ${orderCount} orders are refunded.`;
    record.progress({ recorded });
    record.step('seen', seen, { page: 'order', id: `${orderId}-1`, mode: 'live' });
    const isComplete = acknowledged === eventCount && refunded.length === orderCount;
    return { asExpected: isComplete && recorded === acknowledged, seen };
  },
};

function eventsOf(orderId: string): SampleEvent[] {
  return Array.from({ length: orderCount }, (_, index) => {
    const payment = paidEvent({ orderId: `${orderId}-${index + 1}`, amount: '20.00' });
    const { order_id, id, amount } = payment.payload.transaction;
    return [payment, refundedEvent({ orderId: order_id, transactionId: id, amount })];
  }).flat();
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ item }) => item);
}

/** Resolves with how many got 2xx. */
async function sendAll({ record, post }: Bench, events: readonly SampleEvent[]): Promise<number> {
  const next = events.values();
  let [sent, acknowledged] = [0, 0];
  async function sendNext(): Promise<void> {
    for (const event of next) {
      const { state } = await post(bytesOf(event), { schedule });
      sent += 1;
      if (state === 'delivered') acknowledged += 1;
      record.progress({ sent, acknowledged });
    }
  }
  await Promise.all(Array.from({ length: inFlightMax }, sendNext));
  return acknowledged;
}

/** Counts the events of the run that the consumer has handled. */
function countHandled({ liveLog, orderId, record }: Bench) {
  const ids = new Set<string>();
  const unsubscribe = liveLog.subscribe(({ message, fields }) => {
    if (message !== 'event handled' || !fields.order_id?.startsWith(`${orderId}-`)) return;
    ids.add(fields.event_id ?? '');
    record.progress({ recorded: ids.size });
  });
  return { size: () => ids.size, [Symbol.dispose]: unsubscribe };
}

async function ordersOf(client: OrderClient, { orderId, record, signal }: Bench): Promise<Order[]> {
  const found = new Map<string, Order>();
  const updated_since = record.startedAt.toISOString();
  for await (const order of client.allOrders({ updated_since, limit: 100, signal }))
    if (order.order_id.startsWith(`${orderId}-`)) found.set(order.order_id, order);
  return [...found.values()];
}

const countEvents = (orders: readonly Order[]): number =>
  orders.reduce((sum, { events }) => sum + events.length, 0);
