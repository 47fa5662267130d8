import { bytesOf, paidEvent, refundedEvent, unknownEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { setUpQuery } from '../../doubles/order-query.ts';

const createdAt = '2026-11-21T09:59:59.000000Z';
const transaction = { transactionId: 't 1', createdAt };
const payment = (orderId: string, eventId: string, more: object = {}) =>
  bytesOf(paidEvent({ seed: eventId, eventId, orderId, ...transaction, ...more }));
const refund = (orderId: string) =>
  bytesOf(refundedEvent({ seed: 'r', eventId: 'evt-refund', orderId, ...transaction }));

async function setUp(...bodies: Uint8Array[]) {
  const { deliver, get, orders } = setUpQuery();
  await deliver(bodies);
  return {
    orders,
    get: (transaction_id: string, query = {}) =>
      get('/transactions/{transaction_id}', { transaction_id }, query),
  };
}

describe('GET /transactions/{transaction_id}', () => {
  it('returns the order of a payment, with the state of both', async () => {
    const { get } = await setUp(payment('o-1', 'evt-paid'), refund(''));
    const amount = { amount: '100.00', currency: 'USD' };
    const shown = { id: 't 1', status: 'refunded', ...amount, returned: '100.00', created_at: createdAt };
    expect(await get('t 1')).toEqual({
      status: 200,
      type: 'application/json',
      body: {
        ...{ transaction_id: 't 1', mode: 'live' },
        orders: [{ order_id: 'o-1', status: 'refunded', attention: [], transaction: shown }],
        events_without_order_id: [
          { event_id: 'evt-refund', event_name: 'transaction.refunded', meaning: 'refunded', ...amount },
        ],
      },
    });
  });

  it.each([
    ['each order in which it was paid', payment('o-2', 'evt-2'), { status: 'paid' }],
    ['an order that only a refund of it names', refund('o-2'), { status: 'refunded' }],
  ])('returns %s', async (_, body, second) => {
    const { get } = await setUp(body, payment('o-1', 'evt-1'));
    const attention = expect.arrayContaining(['transaction_in_two_orders']);
    expect((await get('t 1')).body.orders).toMatchObject([
      { order_id: 'o-1', status: 'paid', attention },
      { order_id: 'o-2', ...second, attention },
    ]);
  });

  it('shows the transaction that it names, and no other of its order', async () => {
    const other = payment('o-1', 'evt-1', { transactionId: 'a' });
    const { get } = await setUp(other, payment('o-1', 'evt-2'));
    for (const id of ['a', 't 1']) expect((await get(id)).body.orders[0].transaction).toMatchObject({ id });
  });

  it('shows an event without an order before any payment', async () => {
    const { body } = await (await setUp(refund(''))).get('t 1');
    expect(body).toMatchObject({ orders: [], events_without_order_id: [{ event_id: 'evt-refund' }] });
  });

  it('does not know one of which only events without money name orders', async () => {
    const { get } = await setUp(bytesOf(unknownEvent({ orderId: 'o-1', transactionId: 't 1' })));
    expect((await get('t 1')).status).toBe(404);
  });

  it('responds 404 in the other mode, and names what is missing', async () => {
    const { get } = await setUp(payment('o-1', 'evt-1'));
    const { status, type, body } = await get('t 1', { mode: 'sandbox' });
    expect([status, type]).toEqual([404, 'application/problem+json']);
    expect(body.detail).toBe(
      'The transaction "t 1" is not known in sandbox mode: no recorded event about money names it and an ' +
        'order, and none without an order id names it. Events that wait for a person do not count.',
    );
  });
});
