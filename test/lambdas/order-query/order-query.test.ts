import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { consumedTables, orderQueryOver, request } from '../../doubles/order-query.ts';
import type { SentBody } from '../../doubles/sqs-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const createdAt = '2026-11-21T09:59:59.000000Z';
const receivedAt = '2026-11-21T10:00:00.000Z';
const orderId = 'a/b é?';
const options = { seed: 'one', orderId, createdAt, transactionId: 'txn-1' };
const paid = bytesOf(paidEvent({ ...options, eventId: 'evt-paid' }));
const refunded = bytesOf(refundedEvent({ ...options, eventId: 'evt-refunded' }));

type Query = Record<string, string>;

async function setUp(...sent: SentBody[]) {
  const stores = await consumedTables(...sent);
  const query = orderQueryOver({ reader: stores.reader });
  const get = (routeKey: string, pathParameters: Query = {}, queryStringParameters: Query = {}) =>
    request(query, { routeKey, pathParameters, queryStringParameters });
  /** Leaves out the row of an event, as tables do with one that is damaged. */
  const damage = (eventId: string) => stores.events.delete(`live:event:${eventId}\nevent`);
  return {
    damage,
    getOrderEvents: (order_id: string) => get('GET /orders/{order_id}/events', { order_id }),
    list: () => get('GET /orders'),
    getOrder: (order_id: string, parameters: Query = {}) =>
      get('GET /orders/{order_id}', { order_id }, parameters),
  };
}

/** The order query over tables that fail every read. */
async function setUpFailing() {
  const fail = () => Promise.reject(new Error('table name and account'));
  const { reader } = await consumedTables();
  const telemetry = recordTelemetry();
  const orders = { ...reader.orders, get: fail };
  const events = { ...reader.events, bodiesOf: fail };
  return { query: orderQueryOver({ reader: { ...reader, orders, events }, telemetry }), telemetry };
}

/** What both events say of their transaction, and when both were received and stored. */
const said = { transaction_id: 'txn-1', amount: '100.00', currency: 'USD' };
const stored = { received_at: receivedAt, recorded_at: '2026-11-21T10:00:01.000Z' };

describe('GET /orders/{order_id}', () => {
  it('returns the state of the order and its events', async () => {
    const { getOrder } = await setUp({ body: refunded }, { body: paid });
    expect(await getOrder(orderId)).toEqual({
      status: 200,
      type: 'application/json',
      body: {
        order_id: orderId,
        mode: 'live',
        status: 'refunded',
        attention: [],
        transactions: [
          { id: 'txn-1', status: 'refunded', amount: '100.00', currency: 'USD', created_at: createdAt },
        ],
        events: [
          { id: 'evt-paid', event_name: 'transaction.paid', ...said, ...stored, status_after: 'paid' },
          {
            id: 'evt-refunded',
            event_name: 'transaction.refunded',
            ...said,
            ...stored,
            status_after: 'refunded',
          },
        ],
        // Both events came in one write.
        sequence: 1,
        updated_at: '2026-11-21T10:00:01.000Z',
      },
    });
  });

  it('lists an event whose row cannot be read first, without its times', async () => {
    const { getOrder, damage } = await setUp({ body: paid }, { body: refunded });
    damage('evt-refunded');
    expect((await getOrder(orderId)).body.events).toEqual([
      {
        ...{ id: 'evt-refunded', event_name: 'transaction.refunded', ...said },
        ...{ received_at: null, recorded_at: null, status_after: 'refunded' },
      },
      { id: 'evt-paid', event_name: 'transaction.paid', ...said, ...stored, status_after: 'refunded' },
    ]);
  });

  it('finds sandbox orders only with mode=sandbox', async () => {
    const body = bytesOf(paidEvent({ ...options, sandbox: true }));
    const { getOrder } = await setUp({ body, mode: 'sandbox' });
    expect((await getOrder(orderId)).status).toBe(404);
    expect((await getOrder(orderId, { mode: 'live' })).status).toBe(404);
    expect((await getOrder(orderId, { mode: 'sandbox' })).body).toMatchObject({
      mode: 'sandbox',
      status: 'paid',
    });
  });

  it('responds 404 with problem details to an unknown order', async () => {
    const { getOrder } = await setUp();
    const detail = 'No live event has named the order "nope".';
    expect(await getOrder('nope')).toEqual({
      status: 404,
      type: 'application/problem+json',
      body: { type: 'about:blank', title: 'Not Found', status: 404, detail, waiting: [], acts: [] },
    });
  });

  it('responds 400 to a wrong mode, with the given and the expected value', async () => {
    const { getOrder } = await setUp({ body: paid });
    expect(await getOrder(orderId, { mode: 'Live' })).toMatchObject({
      status: 400,
      type: 'application/problem+json',
      body: { detail: 'The parameter mode is "Live"; expected live or sandbox.' },
    });
  });

  it('returns no customer data', async () => {
    const { getOrder } = await setUp({ body: paid });
    const response = JSON.stringify((await getOrder(orderId)).body);
    for (const personal of ['Nobody Real', 'nobody@shop.example', 'Inventedville', 'invented-fingerprint']) {
      expect(paid.toString()).toContain(personal);
      expect(response).not.toContain(personal);
    }
  });
});

it('GET /orders shows when the events of each order were received and recorded', async () => {
  const other = bytesOf(paidEvent({ ...options, orderId: 'other', eventId: 'evt-other' }));
  const { list } = await setUp({ body: paid }, { body: other });
  const events = (await list()).body.orders.flatMap((order: { events: object[] }) => order.events);
  expect(events).toHaveLength(2);
  expect(events).toMatchObject([stored, stored]);
});

describe('GET /orders/{order_id}/events', () => {
  it('shows every listed event as applied, also when its row cannot be read', async () => {
    const { getOrderEvents, damage } = await setUp({ body: paid }, { body: refunded });
    damage('evt-refunded');
    const { body } = await getOrderEvents(orderId);
    expect(body.events).toMatchObject([
      {
        id: 'evt-refunded',
        outcome: 'applied',
        received_at: null,
        recorded_at: null,
        counts: null,
        others: null,
      },
      { id: 'evt-paid', outcome: 'applied', received_at: receivedAt, key_id: '9a76d0a46113' },
    ]);
  });
});

describe('the order query', () => {
  it('responds 404 to an unknown route', async () => {
    const { query } = await setUpFailing();
    expect((await request(query, { routeKey: 'GET /secrets' })).status).toBe(404);
  });

  it.each([
    ['GET /orders/{order_id}', 'order_id', 'é'.repeat(512), 'é'.repeat(513)],
    ['GET /events/{event_id}', 'event_id', 'x'.repeat(512), 'x'.repeat(513)],
  ])('responds 404 to %s without a read when the id is too long for a table key', async (...given) => {
    const [routeKey, parameter, longest, tooLong] = given;
    const { query } = await setUpFailing();
    const statusOf = async (id: string) =>
      (await request(query, { routeKey, pathParameters: { [parameter]: id } })).status;
    expect([await statusOf(longest), await statusOf(tooLong)]).toEqual([500, 404]);
  });

  it('responds 500 to a fault of ours, and only the log has the reason', async () => {
    const { query, telemetry } = await setUpFailing();
    const pathParameters = { order_id: 'order-1' };
    const { status, body } = await request(query, { routeKey: 'GET /orders/{order_id}', pathParameters });
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('table name');
    expect(telemetry.lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'request failed',
      fields: { error_message: 'table name and account' },
    });
  });
});
