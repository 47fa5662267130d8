import { DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished } from 'vitest';
import { createOperatorTables } from '../lambdas/aws/operator-tables.ts';
import { eventAttributes, eventKey, orderAttributes } from '../lambdas/contract/schema.ts';
import { createOperations } from '../lambdas/operations/operations.ts';
import { consumerOver } from './doubles/consumer.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fold, meaningOf } from './doubles/fold.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { startTables, tableWriter } from './doubles/local-tables.ts';
import { sqsEvent } from './doubles/sqs-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

/** Tables that lose rows, as those do that are restored to an earlier time. */
async function setUp() {
  const { client, close } = await startTables();
  onTestFinished(close);
  const consume = consumerOver({ writer: tableWriter(client) });
  const tables = createOperatorTables(client, { events: 'events', orders: 'orders' });
  const api = createOperations({
    ...tables,
    meaningOf,
    eventRetentionDays: undefined,
    now: () => new Date('2026-11-22T10:00:00.000Z'),
    telemetry: recordTelemetry(),
  });
  const rows = async (TableName: string) => (await client.send(new ScanCommand({ TableName }))).Items ?? [];
  async function lose(TableName: string, names: readonly string[], lost: (key: string) => boolean) {
    for (const row of await rows(TableName)) {
      if (!lost(row[names[0] ?? '']?.S ?? '')) continue;
      const Key = Object.fromEntries(names.map((name) => [name, row[name] ?? { S: '' }]));
      await client.send(new DeleteItemCommand({ TableName, Key }));
    }
  }
  async function run(route: string, fields: object = {}) {
    const pages = [];
    let cursor: string | undefined;
    do {
      const body = JSON.stringify({ ...fields, ...(cursor && { cursor }) });
      const response = await api(gatewayEvent({ routeKey: `POST /operations/${route}`, body }));
      const page = JSON.parse(response.body ?? '');
      pages.push(page);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return pages;
  }
  return {
    run,
    tables,
    deliver: (fields: EventFields) => consume(sqsEvent({ body: eventBody(fields) })),
    loseOrders: () => lose('orders', [orderAttributes.key], () => true),
    loseEvent: (id: string) =>
      lose('events', [eventAttributes.key, eventAttributes.record], (key) => key === eventKey('live', id)),
    facts: async (id: string) => (await tables.orders.get({ mode: 'live', id }))?.facts ?? [],
    differences: async () => (await run('verify')).flatMap((page) => page.differences),
  };
}

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
