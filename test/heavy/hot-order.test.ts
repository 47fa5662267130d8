import type { StreamPosition } from '@payhooks/cdk-local/emulators';
import { bytesOf, paidEvent, refundedEvent, unknownEvent } from '@payhooks/payment-service/simulator';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { orderChange } from '../../lambdas/order-feed/order-change.ts';
import { readOrderWrite } from '../../lambdas/order-feed/stream-record.ts';
import { consumerOver } from '../doubles/consumer.ts';
import { fold } from '../doubles/fold.ts';
import { type LocalTables, openTables, startTables } from '../doubles/local-tables.ts';
import { sqsEvent } from '../doubles/sqs-event.ts';

const consumers = 20;
const eventsCount = 1_000;
const batchRecords = 10;

let tables: LocalTables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());

/** Four events for each of 250 transactions, so that nearly every write changes the view of the order. */
const bodies = Array.from({ length: eventsCount }, (_, n) => {
  const make = [paidEvent, paidEvent, refundedEvent, unknownEvent][n % 4] ?? paidEvent;
  return bytesOf(
    make({ orderId: 'hot', eventId: `evt-${n}`, transactionId: `txn-${n >> 2}`, seed: `hot ${n}` }),
  );
});

it('records 1,000 events on one order from 20 consumers at once, and the feed publishes rising sequences', async () => {
  const positions: StreamPosition[] = [];
  const stream = await tables.emulator.openStream({
    tableName: 'orders',
    keyNames: ['order_key'],
    stream: {
      arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/1',
      viewType: 'NEW_AND_OLD_IMAGES',
    },
  });
  stream.follow((position) => positions.push(position));
  const { store, orders } = openTables(tables.client);
  const batches = Array.from({ length: eventsCount / batchRecords }, (_, n) =>
    bodies.slice(n * batchRecords, (n + 1) * batchRecords).map((body) => ({ body })),
  );
  const consumeAll = async (first: number): Promise<void> => {
    const consumer = consumerOver(store, { now: () => new Date() });
    for (let n = first; n < batches.length; n += consumers) {
      // SQS delivers again what failed: on a busy machine a write may run out of its time.
      let { Records } = sqsEvent(...(batches[n] ?? []));
      while (Records.length > 0) {
        const failed = (await consumer({ Records })).batchItemFailures;
        const ids = failed.map(({ itemIdentifier }) => itemIdentifier);
        Records = Records.filter(({ messageId }) => ids.includes(messageId));
      }
    }
  };
  await Promise.all(Array.from({ length: consumers }, (_, first) => consumeAll(first)));

  const row = await orders.get({ mode: 'live', id: 'hot' });
  expect(row?.facts).toHaveLength(eventsCount);
  // Each transaction has four events: two payments, their refund, and one that is history only.
  expect(fold(row?.facts ?? []).status).toBe('refunded');

  const records = await stream.read(positions);
  const writes = records.map((record) => readOrderWrite(record as unknown as DynamoDBRecord, 0));
  const changes = writes.flatMap((write) => (write === undefined ? [] : [orderChange(write)]));
  const sequences = changes.flatMap((change) => (change === undefined ? [] : [change.sequence]));
  expect(sequences.length).toBeGreaterThanOrEqual(eventsCount / batchRecords);
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b));
  expect(sequences.at(-1)).toBe(row?.sequence);
});
