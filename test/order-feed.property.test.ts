import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictFact } from '../lambdas/domain/fact.ts';
import { foldOrder } from '../lambdas/domain/fold-order.ts';
import { orderChange } from '../lambdas/order-feed/order-change.ts';
import { createOrderFeed } from '../lambdas/order-feed/order-feed.ts';
import type { OrderStatusChanged } from '../lambdas/order-feed/order-status-changed.ts';
import { streamRecord, type WrittenOrder } from './doubles/stream-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

/** Few ids, few amounts: collisions are what these properties are about. */
const anyFact = fc.oneof(
  fc
    .record({
      eventId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
      action: fc.constantFrom('paid', 'refunded', 'failed', 'disputed'),
      tx: fc.constantFrom('T', 'U', null),
      amount: fc.constantFrom('100', '60', '40', null),
    })
    .map(({ eventId, action, tx, amount }) =>
      JSON.stringify(['event.1', eventId, `transaction.${action}`, tx, amount, 'USD', null]),
    ),
  fc.constant(conflictFact('a', 'ab12')),
);
/** Merges in the order in which they were committed, of several orders; a merge may bring nothing new. */
const merges = fc.array(
  fc.record({
    orderId: fc.constantFrom('order-1', 'order-2', 'order-3'),
    facts: fc.array(anyFact, { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 25 },
);

interface Merge {
  readonly orderId: string;
  readonly facts: readonly string[];
}

/** What the stream holds after these merges, and the facts of each order in the end. */
function streamOf(committed: readonly Merge[]) {
  const orders = new Map<string, readonly string[]>();
  const written: WrittenOrder[] = [];
  for (const [index, { orderId, facts }] of committed.entries()) {
    const before = orders.get(orderId);
    const after = [...new Set([...(before ?? []), ...facts])];
    orders.set(orderId, after);
    const sequenceNumber = String(1_000 + index);
    written.push({ orderId, after, sequenceNumber, ...(before === undefined ? {} : { before }) });
  }
  return { orders, written };
}

function changesOf(written: readonly WrittenOrder[]): OrderStatusChanged[] {
  return written.flatMap(({ orderId = '', before, after }) => {
    const change = orderChange({ order: { mode: 'live', id: orderId }, before, after, updatedAt: '' });
    return change === undefined ? [] : [change];
  });
}

/** What a consumer knows that keeps the event with the highest sequence of each order. */
function lastOf(events: readonly OrderStatusChanged[]): Map<string, OrderStatusChanged> {
  const last = new Map<string, OrderStatusChanged>();
  for (const event of events) {
    if (event.sequence > (last.get(event.order_id)?.sequence ?? 0)) last.set(event.order_id, event);
  }
  return last;
}

function expectFinalStates(
  known: ReadonlyMap<string, OrderStatusChanged>,
  orders: ReturnType<typeof streamOf>['orders'],
) {
  expect(known.size).toBe(orders.size);
  for (const [orderId, facts] of orders) {
    const { status, attention, transactions } = foldOrder(facts);
    expect(known.get(orderId)).toMatchObject({ current: { status, attention }, transactions });
  }
}

describe('the changes of an order', () => {
  it('lead to its final state in any order of delivery, however often each one comes', () => {
    const deliveries = merges.map(streamOf).chain(({ orders, written }) => {
      const twice = [...changesOf(written), ...changesOf(written)];
      return fc.tuple(fc.constant(orders), fc.shuffledSubarray(twice, { minLength: twice.length }));
    });
    const property = fc.property(deliveries, ([orders, delivered]) => {
      expectFinalStates(lastOf(delivered), orders);
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it('count upwards, each from the state in which the one before it ended', () => {
    const property = fc.property(merges.map(streamOf), ({ written }) => {
      const last = new Map<string, OrderStatusChanged>();
      const ids = new Set<string>();
      for (const event of changesOf(written)) {
        const before = last.get(event.order_id);
        expect(event.sequence).toBeGreaterThan(before?.sequence ?? 0);
        expect(event.previous).toEqual(before?.current ?? null);
        expect(ids).not.toContain(event.id);
        ids.add(event.id);
        last.set(event.order_id, event);
      }
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});

/** Hands the stream over as Lambda does: in batches, and again from the first failure on. */
async function drain(written: readonly WrittenOrder[], batchSize: number, faults: readonly string[]) {
  const remaining = [...faults];
  const taken: OrderStatusChanged[] = [];
  const feed = createOrderFeed({
    bus: {
      async put(entries) {
        return entries.map((entry) => {
          const fault = remaining.shift();
          if (fault === 'lost') throw new Error('no answer');
          if (fault === 'refused') return 'InternalFailure';
          taken.push(entry.change);
          if (fault === 'unanswered') throw new Error('no answer');
          return undefined;
        });
      },
    },
    pause: async () => {},
    telemetry: recordTelemetry(),
  });
  const records = written.map(streamRecord);
  let position = 0;
  // Bounded by the faults, which run out.
  for (let round = 0; position < records.length && round < 1_000; round += 1) {
    const batch = records.slice(position, position + batchSize);
    const { batchItemFailures } = await feed({ Records: batch });
    const failed = batch.findIndex(
      ({ dynamodb }) => dynamodb?.SequenceNumber === batchItemFailures[0]?.itemIdentifier,
    );
    position += failed === -1 ? batch.length : failed;
  }
  expect(position).toBe(records.length);
  return taken;
}

describe('the feed under faults', () => {
  it('publishes every change at least once, and leads to the final states', async () => {
    const property = fc.asyncProperty(
      merges.map(streamOf),
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.constantFrom('none', 'refused', 'lost', 'unanswered'), { maxLength: 60 }),
      async ({ orders, written }, batchSize, faults) => {
        const taken = await drain(written, batchSize, faults);
        const due = changesOf(written).map(({ id }) => id);
        expect(new Set(taken.map(({ id }) => id))).toEqual(new Set(due));
        expectFinalStates(lastOf(taken), orders);
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });
});
