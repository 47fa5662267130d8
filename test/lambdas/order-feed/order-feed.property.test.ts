import fc from 'fast-check';
import { expect, it } from 'vitest';
import { conflictFact } from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { orderChange } from '../../../lambdas/order-feed/order-change.ts';
import type { OrderStatusChanged } from '../../../lambdas/order-feed/order-status-changed.ts';
import { readOrderWrite } from '../../../lambdas/order-feed/stream-record.ts';
import { fact } from '../../doubles/facts.ts';
import { setUpFeed, streamRecord, type WrittenOrder } from '../../doubles/stream-event.ts';

/** Few ids and amounts, so that many facts collide. */
const anyFact = fc.oneof(
  fc
    .record({
      eventId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
      action: fc.constantFrom('paid', 'refunded', 'failed', 'disputed'),
      transactionId: fc.constantFrom('T', 'U', null),
      amount: fc.constantFrom('100', '60', '40', null),
    })
    .map(({ eventId, action, ...fields }) => fact(eventId, action, fields)),
  fc.constant(conflictFact('a', 'ab12')),
);

interface Write {
  readonly orderId: string;
  readonly added: readonly string[];
  /** Whether everything else leaves, as in a repair. */
  readonly replaces: boolean;
  readonly isPublished: boolean;
}

/** Writes to several orders, in the order of their commits; some change no fact. */
const anyStream = fc
  .array(
    fc.record({
      orderId: fc.constantFrom('order-1', 'order-2', 'order-3'),
      added: fc.array(anyFact, { minLength: 1, maxLength: 3 }),
      replaces: fc.boolean(),
      isPublished: fc.boolean(),
    }),
    { maxLength: 25 },
  )
  .map(streamOf);

/** The stream after these writes, and the final facts of each order. */
function streamOf(writes: readonly Write[]) {
  const orders = new Map<string, readonly string[]>();
  const sequences = new Map<string, number>();
  const written = writes.map(({ orderId, added, replaces, isPublished }, index): WrittenOrder => {
    const before = orders.get(orderId);
    const after = [...new Set([...(replaces ? [] : (before ?? [])), ...added])];
    const sequence = (sequences.get(orderId) ?? 0) + 1;
    orders.set(orderId, after);
    sequences.set(orderId, sequence);
    const published = isPublished ? { published: `r-${index}` } : {};
    const sequenceNumber = String(1_000 + index);
    return { orderId, after, sequence, sequenceNumber, ...published, ...(before && { before }) };
  });
  return { orders, written };
}

const changesOf = (written: readonly WrittenOrder[]): OrderStatusChanged[] =>
  written.flatMap((order) => {
    const write = readOrderWrite(streamRecord(order), 0);
    return (write && orderChange(write)) ?? [];
  });

/** A reader that keeps the change with the highest sequence of each order ends with these orders. */
function expectFinalStates(
  changes: readonly OrderStatusChanged[],
  orders: ReadonlyMap<string, readonly string[]>,
): void {
  const latest = new Map<string, OrderStatusChanged>();
  for (const change of changes) {
    if (change.sequence > (latest.get(change.order_id)?.sequence ?? 0)) latest.set(change.order_id, change);
  }
  expect(latest.size).toBe(orders.size);
  for (const [orderId, facts] of orders) {
    const { status, attention, transactions } = foldOrder(facts);
    expect(latest.get(orderId)).toMatchObject({ current: { status, attention }, transactions });
  }
}

it('the changes of an order have rising sequences and unique ids, and continue from the state before', () => {
  const property = fc.property(anyStream, ({ written }) => {
    const latest = new Map<string, OrderStatusChanged>();
    const ids = new Set<string>();
    for (const change of changesOf(written)) {
      const before = latest.get(change.order_id);
      expect(change.sequence).toBeGreaterThan(before?.sequence ?? 0);
      expect(change.previous).toEqual(before?.current ?? null);
      expect(ids).not.toContain(change.id);
      ids.add(change.id);
      latest.set(change.order_id, change);
    }
  });
  fc.assert(property, { numRuns: 1_000 });
});

/** Delivers the stream like Lambda: in batches, and again from the first failure on. */
async function deliver(written: readonly WrittenOrder[], batchSize: number, faults: readonly string[]) {
  const remaining = [...faults];
  const published: OrderStatusChanged[] = [];
  const { publishRecords } = setUpFeed({
    put: (entries) =>
      entries.map(({ change }) => {
        const fault = remaining.shift();
        if (fault === 'lost request') throw new Error('no response');
        if (fault === 'refusal') return 'InternalFailure';
        published.push(change);
        if (fault === 'lost response') throw new Error('no response');
        return undefined;
      }),
  });
  const records = written.map(streamRecord);
  let position = 0;
  // Ends when the faults are used up.
  for (let round = 0; position < records.length && round < 1_000; round += 1) {
    const batch = records.slice(position, position + batchSize);
    const { batchItemFailures } = await publishRecords(...batch);
    const failed = batch.findIndex(
      ({ dynamodb }) => dynamodb?.SequenceNumber === batchItemFailures[0]?.itemIdentifier,
    );
    position += failed === -1 ? batch.length : failed;
  }
  expect(position).toBe(records.length);
  return published;
}

it('every change is published at least once, and leads a reader to the final state in any order', async () => {
  const property = fc.asyncProperty(
    anyStream,
    fc.integer({ min: 1, max: 12 }),
    fc.array(fc.constantFrom('none', 'refusal', 'lost request', 'lost response'), { maxLength: 60 }),
    fc.infiniteStream(fc.nat()),
    async ({ orders, written }, batchSize, faults, places) => {
      const published = await deliver(written, batchSize, faults);
      const expected = changesOf(written).map(({ id }) => id);
      expect(new Set(published.map(({ id }) => id))).toEqual(new Set(expected));
      const shuffled = [...published, ...published]
        .map((change) => ({ change, place: places.next().value }))
        .toSorted((a, b) => a.place - b.place);
      expectFinalStates(
        shuffled.map(({ change }) => change),
        orders,
      );
    },
  );
  await fc.assert(property, { numRuns: 1_000 });
});
