import { bytesOf, paidEvent, refundedEvent, unknownEvent } from '@payhooks/payment-service/simulator';
import { expect, it } from 'vitest';
import { consumedTables, orderQueryOver, request } from '../../doubles/order-query.ts';
import type { SentBody } from '../../doubles/sqs-event.ts';

const createdAt = '2026-11-21T09:59:59.000000Z';
const payment = (orderId: string, eventId: string) =>
  bytesOf(paidEvent({ seed: eventId, eventId, orderId, transactionId: 't 1', createdAt }));
const refund = bytesOf(
  refundedEvent({ seed: 'r', eventId: 'evt-refund', orderId: '', transactionId: 't 1', createdAt }),
);

async function setUp(...bodies: Uint8Array[]) {
  const stores = await consumedTables(...bodies.map((body): SentBody => ({ body })));
  const query = orderQueryOver({ reader: stores.reader });
  const get = (transaction_id: string, queryStringParameters: Record<string, string> = {}) =>
    request(query, {
      routeKey: 'GET /transactions/{transaction_id}',
      pathParameters: { transaction_id },
      queryStringParameters,
    });
  return { ...stores, get };
}

it('GET /transactions/{transaction_id} returns the order of a payment, with the state of both', async () => {
  const { get } = await setUp(payment('o-1', 'evt-paid'), refund);
  expect(await get('t 1')).toEqual({
    status: 200,
    type: 'application/json',
    body: {
      transaction_id: 't 1',
      mode: 'live',
      orders: [
        {
          order_id: 'o-1',
          status: 'refunded',
          attention: [],
          transaction: {
            id: 't 1',
            status: 'refunded',
            amount: '100.00',
            currency: 'USD',
            created_at: createdAt,
          },
        },
      ],
      events_without_order_id: [{ event_id: 'evt-refund', event_name: 'transaction.refunded' }],
    },
  });
});

it('GET /transactions/{transaction_id} returns each order in which a transaction was paid', async () => {
  const { get } = await setUp(payment('o-2', 'evt-2'), payment('o-1', 'evt-1'));
  expect((await get('t 1')).body.orders).toMatchObject([
    { order_id: 'o-1', status: 'paid', attention: ['transaction_in_two_orders'] },
    { order_id: 'o-2', status: 'paid', attention: ['transaction_in_two_orders'] },
  ]);
});

it('GET /transactions/{transaction_id} shows the transaction that it names, and no other of its order', async () => {
  const first = paidEvent({ seed: 'a', eventId: 'evt-1', orderId: 'o-1', transactionId: 'a', createdAt });
  const { get } = await setUp(bytesOf(first), payment('o-1', 'evt-2'));
  for (const id of ['a', 't 1']) expect((await get(id)).body.orders[0].transaction).toMatchObject({ id });
});

it('GET /transactions/{transaction_id} shows an event without an order before any payment', async () => {
  const { get } = await setUp(refund);
  expect((await get('t 1')).body).toMatchObject({
    orders: [],
    events_without_order_id: [{ event_id: 'evt-refund' }],
  });
});

it('GET /transactions/{transaction_id} returns an order that only a refund of it names', async () => {
  const elsewhere = { seed: 'r', eventId: 'evt-r', orderId: 'o-2', transactionId: 't 1', createdAt };
  const { get } = await setUp(payment('o-1', 'evt-1'), bytesOf(refundedEvent(elsewhere)));
  expect((await get('t 1')).body.orders).toMatchObject([
    { order_id: 'o-1', status: 'paid', attention: ['transaction_in_two_orders'] },
    {
      order_id: 'o-2',
      status: 'refunded',
      attention: ['refund_without_payment', 'transaction_in_two_orders'],
    },
  ]);
});

it('GET /transactions/{transaction_id} does not know one of which only events without money name orders', async () => {
  const body = bytesOf(unknownEvent({ orderId: 'o-1', transactionId: 't 1' }));
  expect((await (await setUp(body)).get('t 1')).status).toBe(404);
});

it('GET /transactions/{transaction_id} shows an order that does not hold the transaction yet', async () => {
  const { get, orders } = await setUp(payment('o-1', 'evt-1'));
  orders.clear();
  expect((await get('t 1')).body.orders).toEqual([
    { order_id: 'o-1', status: 'pending', attention: [], transaction: null },
  ]);
});

it('GET /transactions/{transaction_id} looks for no id that a row cannot have, such as a long one', async () => {
  const { reader } = await consumedTables();
  const queried: string[] = [];
  const getTransaction = async (_: unknown, id: string) => {
    queried.push(id);
    return { entries: [], version: 0 };
  };
  const query = orderQueryOver({ reader: { ...reader, transactions: { getTransaction } } });
  for (const transaction_id of ['x'.repeat(256), 'x'.repeat(257), '\ud800', '']) {
    const parameters = { routeKey: 'GET /transactions/{transaction_id}', pathParameters: { transaction_id } };
    expect((await request(query, parameters)).status).toBe(404);
  }
  expect(queried).toEqual(['x'.repeat(256)]);
});

it.each([
  ['unknown', { mode: 'live' }],
  ['t 1', { mode: 'sandbox' }],
  ['x'.repeat(257), { mode: 'live' }],
  ['', { mode: 'live' }],
])(
  'GET /transactions/{transaction_id} responds 404 to %j %j and names what is missing',
  async (id, query) => {
    const { get } = await setUp(payment('o-1', 'evt-1'));
    expect(await get(id, query)).toMatchObject({
      status: 404,
      type: 'application/problem+json',
      body: {
        detail:
          `The transaction ${JSON.stringify(id)} is not known in ${query.mode} mode: no recorded event about money ` +
          'names it and an order, and none without an order id names it. ' +
          'Events that wait for a person do not count.',
      },
    });
  },
);
