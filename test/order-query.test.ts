import { createHash } from 'node:crypto';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { consumedStores, orderQueryOver, request } from './doubles/order-query.ts';
import type { SentBody } from './doubles/sqs-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

const createdAt = '2026-11-21T09:59:59.000000Z';
const receivedAt = '2026-11-21T10:00:00.000Z';
const orderId = 'a/b é?';
const options = { seed: 'one', orderId, createdAt, transactionId: 'txn-1' };
const paid = bytesOf(paidEvent({ ...options, eventId: 'evt-paid' }));
const refunded = bytesOf(refundedEvent({ ...options, eventId: 'evt-refunded' }));

const conflicting = bytesOf(paidEvent({ ...options, seed: 'two', eventId: 'evt-paid', amount: '1.00' }));
const nameless = bytesOf(refundedEvent({ ...options, eventId: 'evt-nameless', orderId: '' }));
const signature = 'ab'.repeat(32);

type Query = Record<string, string>;

async function setUp(...sent: SentBody[]) {
  const stores = await consumedStores(...sent);
  const query = orderQueryOver({ reader: stores.reader });
  const get = (routeKey: string) => (pathParameters: Query, queryStringParameters: Query) =>
    request(query, { routeKey, pathParameters, queryStringParameters });
  const [getOrderBy, getEventBy] = [get('GET /orders/{order_id}'), get('GET /events/{event_id}')];
  /** Changes the stored row of an event. */
  const change = (eventId: string, changed: Partial<EventRow>) => {
    const key = `live:event:${eventId} event`;
    const stored = stores.events.get(key);
    if (stored === undefined) throw new Error(`There is no row ${key}.`);
    stores.events.set(key, { ...stored, ...changed });
  };
  return {
    ...stores,
    change,
    getOrderEvents: (order_id: string) => get('GET /orders/{order_id}/events')({ order_id }, {}),
    list: () => get('GET /orders')({}, {}),
    getOrder: (order_id: string, parameters: Query = {}) => getOrderBy({ order_id }, parameters),
    getEvent: (event_id: string, parameters: Query = {}) => getEventBy({ event_id }, parameters),
  };
}

/** The order query over tables that fail every read. */
async function setUpFailing() {
  const fail = () => Promise.reject(new Error('table name and account'));
  const { reader } = await consumedStores();
  const telemetry = recordTelemetry();
  return { query: orderQueryOver({ reader: { ...reader, get: fail, find: fail }, telemetry }), telemetry };
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
        sequence: 2,
        updated_at: '2026-11-21T10:00:01.000Z',
      },
    });
  });

  it('lists an event whose row a release before 0.3 let expire first, without its times', async () => {
    const { getOrder, events } = await setUp({ body: paid }, { body: refunded });
    events.delete('live:event:evt-refunded event');
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
  it('shows every listed event as applied, also when a release before 0.3 let its row expire', async () => {
    const { getOrderEvents, events } = await setUp({ body: paid }, { body: refunded });
    events.delete('live:event:evt-refunded event');
    const { body } = await getOrderEvents(orderId);
    expect(body.events).toMatchObject([
      { id: 'evt-refunded', outcome: 'applied', received_at: null, recorded_at: null, counts: false },
      { id: 'evt-paid', outcome: 'applied', received_at: receivedAt, key_id: '9a76d0a46113' },
    ]);
  });
});

describe('GET /events/{event_id}', () => {
  it('returns the bytes as received and the outcome of the event', async () => {
    const { getEvent } = await setUp({ body: paid });
    const { status, body } = await getEvent('evt-paid');
    expect(status).toBe(200);
    expect(Buffer.from(body.body_base64, 'base64').equals(paid)).toBe(true);
    expect(body).toMatchObject({
      id: 'evt-paid',
      mode: 'live',
      outcome: 'applied',
      reason: null,
      event_name: 'transaction.paid',
      order_id: orderId,
      transaction_id: 'txn-1',
      received_at: receivedAt,
      recorded_at: '2026-11-21T10:00:01.000Z',
      key_id: '9a76d0a46113',
      body_sha256: createHash('sha256').update(paid).digest('hex'),
      payload: { transaction: { order_id: orderId } },
      others: [],
    });
  });

  it('shows an event as pending until its order has its fact', async () => {
    const { getEvent, orders } = await setUp({ body: paid });
    orders.delete(`live:order:${orderId}`);
    expect((await getEvent('evt-paid')).body).toMatchObject({ outcome: 'pending', order_id: orderId });
  });

  const otherFact = '["event.1","evt-paid","transaction.paid","txn-1","7.00","USD",null]';

  it('shows an event as pending when its order has only the fact of a conflicting body', async () => {
    const { getEvent, change } = await setUp({ body: paid }, { body: conflicting });
    change('evt-paid', { signature, fact: otherFact });
    expect((await getEvent('evt-paid')).body.outcome).toBe('pending');
  });

  it('shows an event as applied when another release has read another fact from its body', async () => {
    const { getEvent, change } = await setUp({ body: paid });
    change('evt-paid', { signature, fact: otherFact });
    expect((await getEvent('evt-paid')).body.outcome).toBe('applied');
  });

  it('shows an event of 0.2.0 as applied by its id, since its fact may have been shortened otherwise', async () => {
    const { getEvent, events } = await setUp({ body: paid });
    const { signature: _, ...row } = events.get('live:event:evt-paid event') as EventRow;
    const fact = '["event.1","evt-paid","transaction.paid","txn-1","100.00","USD",null]';
    events.set('live:event:evt-paid event', { ...row, fact });
    expect((await getEvent('evt-paid')).body).toMatchObject({ outcome: 'applied', signature: null });
  });

  it('shows the order that an event without an order id was assigned to', async () => {
    const { getEvent, change, orders } = await setUp({ body: paid }, { body: nameless });
    const fact = '["event.1","evt-nameless","transaction.refunded","txn-1","100.00","USD",null]';
    const assigned = { outcome: 'applied', assignedOrderId: orderId, fact, signature } as const;
    change('evt-nameless', assigned);
    orders.get(`live:order:${orderId}`)?.facts.clear();
    expect((await getEvent('evt-nameless')).body).toMatchObject({ outcome: 'pending', order_id: orderId });
    orders.get(`live:order:${orderId}`)?.facts.add(fact);
    expect((await getEvent('evt-nameless')).body).toMatchObject({ outcome: 'applied', order_id: orderId });
  });

  it('shows an event that no order is known for as unassigned', async () => {
    const { getEvent, change } = await setUp({ body: nameless });
    change('evt-nameless', { outcome: 'unassigned' });
    expect((await getEvent('evt-nameless')).body).toMatchObject({ outcome: 'unassigned', order_id: null });
  });

  it('shows everything but the bytes when they have expired', async () => {
    const { getEvent, events, orders } = await setUp({ body: paid });
    const { body: whole } = await getEvent('evt-paid');
    const { body: _, ...row } = events.get('live:event:evt-paid event') as EventRow;
    const [fact = ''] = orders.get(`live:order:${orderId}`)?.facts ?? [];
    events.set('live:event:evt-paid event', { ...row, fact, signature });
    const { status, body } = await getEvent('evt-paid');
    expect(status).toBe(200);
    expect(body).toEqual({ ...whole, body_base64: null, payload: null, signature });
    expect(whole.payload).not.toBeNull();
  });

  it('shows the event itself before other bodies under its id, whenever they arrived', async () => {
    const { getEvent, change } = await setUp({ body: paid }, { body: conflicting });
    change('evt-paid', {
      outcome: 'quarantined',
      reason: 'order_refused',
      receivedAt: '2026-11-22T10:00:00.000Z',
    });
    expect((await getEvent('evt-paid')).body).toMatchObject({
      outcome: 'quarantined',
      reason: 'order_refused',
      others: [{ outcome: 'conflict' }],
    });
  });

  it('lists a conflicting body under others, without its bytes', async () => {
    const { getEvent } = await setUp({ body: paid }, { body: conflicting });
    const { body } = await getEvent('evt-paid');
    expect(body.outcome).toBe('applied');
    expect(body.others).toMatchObject([{ outcome: 'conflict', order_id: orderId }]);
    expect(body.others[0]).not.toHaveProperty('body_base64');
  });

  it('returns a quarantined body with the reason, under the mode of its key', async () => {
    const { getEvent } = await setUp({ body: paid, mode: 'sandbox' });
    const quarantined = { outcome: 'quarantined', reason: 'sandbox_flag_disagrees', mode: 'sandbox' };
    expect((await getEvent('evt-paid', { mode: 'sandbox' })).body).toMatchObject(quarantined);
    expect(await getEvent('evt-paid')).toMatchObject({
      status: 404,
      body: { detail: 'No live event has the id "evt-paid".' },
    });
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
