import { expect, it } from 'vitest';
import { leftFact } from '../lambdas/domain/fact.ts';
import { memoryActStores } from './doubles/act-stores.ts';
import { consumerOver } from './doubles/consumer.ts';
import { eventBody } from './doubles/event-body.ts';
import { deliver, moneyOf } from './doubles/misread.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

// Orders that a replay takes out of a transaction while one of its payments arrives.

const refund = { id: 'r', action: 'refunded' };
const later = { id: 's', action: 'refunded', amount: '1.00' };
const second = { id: 'q', order: 'A' };

it('a payment whose second join fails returns to the queue, and the rest of its batch is done', async () => {
  const tables = sharedTables();
  await deliver(tables, refund);
  const order = { mode: 'live', id: 'A' } as const;
  const now = () => new Date('2026-11-22T09:00:00.000Z');
  await tables.writer.merge({ order, facts: [leftFact('T')], now });
  let joins = 0;
  const join: typeof tables.writer.join = (one) => {
    joins += 1;
    return joins === 2 ? Promise.reject(new Error('throttled')) : tables.writer.join(one);
  };
  const consumer = consumerOver({ writer: { ...tables.writer, join } }, { now });
  const sent = [second, { id: 'x', order: 'X', transaction: null }].map((event) => ({
    body: eventBody(event),
    messageId: event.id,
  }));
  expect((await consumer(sqsEvent(...sent))).batchItemFailures).toEqual([{ itemIdentifier: 'q' }]);
  expect((await consumer(sqsEvent(...sent))).batchItemFailures).toEqual([]);
  expect(Object.keys(moneyOf(tables))).toEqual(['A', 'X']);
  expect(tables.waiting()).toEqual([]);
});

it('a payment joins its order again, and the other orders of its batch are written once', async () => {
  const tables = sharedTables();
  await deliver(tables, refund);
  const now = () => new Date('2026-11-22T09:00:00.000Z');
  await tables.writer.merge({ order: { mode: 'live', id: 'A' }, facts: [leftFact('T')], now });
  const merged: string[] = [];
  const merge: typeof tables.writer.merge = async (request) => {
    const response = await tables.writer.merge(request);
    merged.push(request.order.id);
    if (merged.length > 1) return response;
    // The replay that has left its mark goes on.
    await memoryActStores(tables).transactions.leave({ mode: 'live', transactionId: 'T', orderId: 'A' });
    await deliver(tables, later);
    return response;
  };
  const arriving = [second, { id: 'x', order: 'X', transaction: null }];
  const sent = arriving.map((event) => ({ body: eventBody(event), messageId: event.id }));
  const { batchItemFailures } = await consumerOver(
    { writer: { ...tables.writer, merge } },
    { now },
  )(sqsEvent(...sent));
  expect(batchItemFailures).toEqual([]);
  expect(merged.sort()).toEqual(['A', 'A', 'X']);
  expect(tables.waiting()).toEqual([]);
  const reference = sharedTables();
  await deliver(reference, refund, later, ...arriving);
  expect(moneyOf(tables)).toEqual(moneyOf(reference));
});
