import { DeleteItemCommand, PutItemCommand, ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import type { Item } from '../lambdas/aws/dynamodb.ts';
import { eventAttributes, eventKey, orderAttributes, orderKey } from '../lambdas/contract/schema.ts';
import { orderChange } from '../lambdas/order-feed/order-change.ts';
import type { EventFields } from './doubles/event-body.ts';
import { fold, meaningOf } from './doubles/fold.ts';
import { operationsOverTables } from './doubles/operations-over-tables.ts';

/** Tables that lose rows, as those do that are restored to an earlier time. */
async function setUp() {
  const operations = await operationsOverTables();
  const { client, tables, run } = operations;
  const rows = async (TableName: string) => (await client.send(new ScanCommand({ TableName }))).Items ?? [];
  async function lose(TableName: string, names: readonly string[], lost: (key: string) => boolean) {
    for (const row of await rows(TableName)) {
      if (!lost(row[names[0] ?? '']?.S ?? '')) continue;
      const Key = Object.fromEntries(names.map((name) => [name, row[name] ?? { S: '' }]));
      await client.send(new DeleteItemCommand({ TableName, Key }));
    }
  }
  return {
    ...operations,
    eventRows: () => rows('events'),
    async putEventRow(Item: Item): Promise<void> {
      const ConditionExpression = `attribute_not_exists(${eventAttributes.key})`;
      await client
        .send(new PutItemCommand({ TableName: 'events', Item, ConditionExpression }))
        .catch((error) => {
          if (error.name !== 'ConditionalCheckFailedException') throw error;
        });
    },
    /** As the row was when it had only these facts. */
    async restoreFacts(id: string, facts: readonly string[]): Promise<void> {
      const Key = { [orderAttributes.key]: { S: orderKey('live', id) } };
      const ExpressionAttributeValues = { ':facts': { SS: [...facts] } };
      const UpdateExpression = `SET ${orderAttributes.facts} = :facts`;
      const update = { TableName: 'orders', Key, UpdateExpression, ExpressionAttributeValues };
      await client.send(new UpdateItemCommand(update));
    },
    loseOrders: () => lose('orders', [orderAttributes.key], () => true),
    loseEvent: (id: string) =>
      lose('events', [eventAttributes.key, eventAttributes.record], (key) => key === eventKey('live', id)),
    facts: async (id: string) => (await tables.orders.get({ mode: 'live', id }))?.facts ?? [],
    differences: async () => (await run('verify')).flatMap((page) => page.differences),
  };
}

it('a restored table that gets the rows which only the old one holds has the same money again', async () => {
  const { deliver, eventRows, loseEvent, loseOrders, putEventRow, facts, run, differences } = await setUp();
  await deliver(paid);
  await deliver(refund);
  const [before, old] = [fold(await facts('order-1')), await eventRows()];
  await loseEvent('evt-paid');
  await loseEvent('evt-refund');
  await loseOrders();
  // Nothing names what is in the old table only.
  expect(await differences()).toEqual([]);

  for (const row of old) await putEventRow(row);
  await run('replay', { reason: 'rows copied' });
  expect(fold(await facts('order-1'))).toEqual(before);
  expect(await differences()).toEqual([]);
});

it('after a restore a new change may have the sequence and the id of one that was published', async () => {
  const { deliver, facts, restoreFacts, run } = await setUp();
  const order = { mode: 'live', id: 'order-1' } as const;
  const changeFrom = async (before: readonly string[]) =>
    orderChange({ order, before, after: await facts('order-1'), updatedAt: '' }, meaningOf);
  await deliver(paid);
  await deliver({ id: 'evt-again', order: 'order-1', transaction: 'txn-9' });
  const restored = await facts('order-1');
  await run('resolve', { order_id: 'order-1', sequence: restored.length, reason: 'both are right' });
  const published = await changeFrom(restored);

  await restoreFacts('order-1', restored);
  await deliver({ ...refund, order: 'order-1' });
  const missed = await changeFrom(restored);
  expect([published?.sequence, missed?.sequence]).toEqual([3, 3]);
  expect(missed?.id).toBe(published?.id);
  const isRefunded = missed?.transactions?.some(({ status }) => status === 'refunded');
  expect([published?.transactions?.length, isRefunded]).toEqual([2, true]);
  expect(published?.transactions?.every(({ status }) => status === 'paid')).toBe(true);
});

const paid: EventFields = { id: 'evt-paid', order: 'order-1', transaction: 'txn-1' };
const refund: EventFields = { id: 'evt-refund', action: 'refunded', order: null, transaction: 'txn-1' };

it('an empty table of orders is filled from the events alone, with the same money', async () => {
  const { deliver, loseOrders, facts, run, differences } = await setUp();
  await deliver(paid);
  await deliver(refund);
  await deliver({ id: 'evt-2', order: 'order-2', transaction: 'txn-2' });
  const before = [fold(await facts('order-1')), fold(await facts('order-2'))];
  expect(before.map(({ status }) => status)).toEqual(['refunded', 'paid']);

  await loseOrders();
  expect(await facts('order-1')).toEqual([]);
  expect((await differences()).length).toBeGreaterThan(0);
  await run('replay', { reason: 'orders lost' });
  expect([fold(await facts('order-1')), fold(await facts('order-2'))]).toEqual(before);
  expect(await differences()).toEqual([]);
});

it('a resolution is not brought back by a rebuild: the attention is open again', async () => {
  const { deliver, loseOrders, facts, run } = await setUp();
  await deliver(paid);
  await deliver({ id: 'evt-again', order: 'order-1', transaction: 'txn-9' });
  const attention = 'multiple_paid_transactions';
  expect(fold(await facts('order-1')).attention).toEqual([attention]);
  const { length: sequence } = await facts('order-1');
  await run('resolve', { order_id: 'order-1', sequence, reason: 'both are right' });
  expect(fold(await facts('order-1')).attention).toEqual([]);

  await loseOrders();
  await run('replay', { reason: 'orders lost' });
  expect(fold(await facts('order-1')).attention).toEqual([attention]);
});

it('a fact whose event is lost still counts, is named by verify, and no replay finds it', async () => {
  const { deliver, loseEvent, facts, run, differences } = await setUp();
  await deliver(paid);
  await loseEvent('evt-paid');
  expect(fold(await facts('order-1')).status).toBe('paid');
  expect(await differences()).toMatchObject([
    { kind: 'fact_without_event', order_id: 'order-1', event_id: 'evt-paid' },
  ]);
  const [replayed] = await run('replay', { event_id: 'evt-paid', reason: 'lost' });
  expect(JSON.stringify(replayed)).toContain('evt-paid');
  expect((await facts('order-1')).length).toBe(1);
});

it('an event that is delivered again after its row was lost counts once', async () => {
  const { deliver, loseEvent, facts, differences } = await setUp();
  await deliver(paid);
  const before = await facts('order-1');
  await loseEvent('evt-paid');
  await deliver(paid);
  expect(await facts('order-1')).toEqual(before);
  expect(await differences()).toEqual([]);
});

it('a refund without an order finds its order again once its payment is delivered again', async () => {
  const { deliver, loseEvent, loseOrders, facts, differences, run } = await setUp();
  await deliver(paid);
  await deliver(refund);
  await loseEvent('evt-paid');
  await loseOrders();
  await deliver(paid);
  await run('replay', { reason: 'restored' });
  expect(fold(await facts('order-1')).status).toBe('refunded');
  expect(await differences()).toEqual([]);
});
