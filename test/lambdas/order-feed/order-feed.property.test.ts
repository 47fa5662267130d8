import fc from 'fast-check';
import { expect, it } from 'vitest';
import { conflictFact } from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import type { OrderStatusChanged } from '../../../lambdas/order-feed/order-status-changed.ts';
import { fact } from '../../doubles/facts.ts';
import { rowsAfter, setUpFeed, streamRecord, type WrittenOrder } from '../../doubles/stream-event.ts';

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
      added: fc.array(anyFact, { maxLength: 3 }),
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

/** By order and sequence, the view of its row. */
const viewsOf = (written: readonly WrittenOrder[]) =>
  new Map(
    written.map(({ orderId, sequence, after }) => [`${orderId} ${sequence}`, shownOf(foldOrder(after))]),
  );
const shownOf = ({ status, attention, transactions }: ReturnType<typeof foldOrder>) => ({
  current: { status, attention },
  transactions,
});

interface Delivery {
  readonly batchSize: number;
  readonly faults: readonly string[];
  /** Of each read of the rows: how many writes there are after the batch, and how many the read misses. */
  readonly reads: readonly { readonly more: number; readonly missed: number }[];
}

/** Delivers the stream like Lambda: in batches, and again from the first failure on. */
async function deliver(written: readonly WrittenOrder[], { batchSize, faults, reads }: Delivery) {
  const remaining = [...faults];
  const published: OrderStatusChanged[] = [];
  const records = written.map(streamRecord);
  let position = 0;
  let readCount = 0;
  const { publishRecords, telemetry } = setUpFeed({
    async getAll(keys, { consistent = true } = {}) {
      const { more = 0, missed = 0 } = reads[readCount % (reads.length || 1)] ?? {};
      readCount += 1;
      const until = position + batchSize + more;
      const rows = rowsAfter(records.slice(0, consistent ? until : Math.max(until - missed, 0)));
      return new Map([...rows].filter(([key]) => keys.includes(key)));
    },
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
  expect(telemetry.metrics).not.toContain('ForgeriesFound');
  return published;
}

const anyReads = fc.array(fc.record({ more: fc.nat(4), missed: fc.nat(6) }), { maxLength: 9 });

it('what is published is what the row says, and leads a reader to the final state in any order', async () => {
  const property = fc.asyncProperty(
    anyStream,
    fc.record({
      batchSize: fc.integer({ min: 1, max: 12 }),
      faults: fc.array(fc.constantFrom('none', 'refusal', 'lost request', 'lost response'), {
        maxLength: 60,
      }),
      reads: anyReads,
    }),
    fc.infiniteStream(fc.nat()),
    async ({ orders, written }, delivery, places) => {
      const published = await deliver(written, delivery);
      const views = viewsOf(written);
      for (const { order_id, sequence, current, transactions } of published)
        expect({ current, transactions }).toEqual(views.get(`${order_id} ${sequence}`));
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

it('no record that an invocation makes up changes what is published as the state of an order', async () => {
  const anyFacts = fc.uniqueArray(anyFact, { maxLength: 4 });
  const anyRecord = fc
    .record({
      orderId: fc.constantFrom('order-1', 'order-4'),
      before: fc.option(anyFacts, { nil: undefined }),
      after: anyFacts,
      sequence: fc.integer({ min: 1, max: 30 }),
      published: fc.option(fc.constant('forged'), { nil: undefined }),
    })
    .map(({ before, published, ...record }): WrittenOrder => {
      return { ...record, ...(before && { before }), ...(published !== undefined && { published }) };
    });
  const property = fc.asyncProperty(
    anyStream,
    fc.array(anyRecord, { minLength: 1, maxLength: 8 }),
    async ({ written }, forged) => {
      const rows = rowsAfter(written.map(streamRecord));
      const { publish, requests } = setUpFeed({ getAll: async () => rows });
      expect(await publish(...forged)).toEqual({ batchItemFailures: [] });
      for (const { change } of requests.flat()) {
        const row = rows.get(`live:order:${change.order_id}`) ?? expect.unreachable();
        expect(change).toMatchObject({ sequence: row.sequence, ...shownOf(foldOrder(row.facts)) });
      }
    },
  );
  await fc.assert(property, { numRuns: 1_000 });
});
