import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { consumedStores, orderQueryOver } from './doubles/order-query.ts';
import type { SentBody } from './doubles/sqs-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

const at = '2026-11-21T09:59:59.000000Z';
const order = { seed: 'one', orderId: 'a/b é?', createdAt: at, transactionId: 'txn-1' };
const paid = bytesOf(paidEvent({ ...order, eventId: 'evt-paid' }));
const refunded = bytesOf(refundedEvent({ ...order, eventId: 'evt-refunded' }));

async function scene(...sent: SentBody[]) {
  const stores = await consumedStores(...sent);
  const telemetry = recordTelemetry();
  const query = orderQueryOver({ reader: stores.reader, telemetry });
  const get = async (routeKey: string, id: string, parameters?: Record<string, string>) => {
    const parameter = routeKey.includes('order_id') ? 'order_id' : 'event_id';
    const answer = await query(
      gatewayEvent({
        routeKey,
        pathParameters: { [parameter]: id },
        ...(parameters === undefined ? {} : { queryStringParameters: parameters }),
      }),
    );
    return {
      status: answer.statusCode,
      type: answer.headers?.['content-type'],
      body: JSON.parse(answer.body ?? ''),
    };
  };
  return {
    ...stores,
    telemetry,
    query,
    order: (id: string, parameters?: Record<string, string>) => get('GET /orders/{order_id}', id, parameters),
    event: (id: string, parameters?: Record<string, string>) => get('GET /events/{event_id}', id, parameters),
  };
}

describe('GET /orders/{order_id}', () => {
  it('answers with the state, and with the events that made it', async () => {
    const { order: get } = await scene({ body: refunded }, { body: paid });
    expect(await get('a/b é?')).toEqual({
      status: 200,
      type: 'application/json',
      body: {
        order_id: 'a/b é?',
        mode: 'live',
        status: 'refunded',
        attention: [],
        transactions: [
          { id: 'txn-1', status: 'refunded', amount: '100.00', currency: 'USD', created_at: at },
        ],
        events: [
          { id: 'evt-paid', event_name: 'transaction.paid', received_at: '2026-11-21T10:00:00.000Z' },
          { id: 'evt-refunded', event_name: 'transaction.refunded', received_at: '2026-11-21T10:00:00.000Z' },
        ],
        sequence: 2,
        updated_at: '2026-11-21T10:00:01.000Z',
      },
    });
  });

  it('is right between the two writes of the consumer: the facts decide and not the stored status', async () => {
    const { order: get, orders } = await scene({ body: paid }, { body: refunded });
    const row = orders.get('live:order:a/b é?');
    if (row !== undefined) row.status = 'pending';
    expect((await get('a/b é?')).body.status).toBe('refunded');
  });

  it('keeps an event whose row has expired, without the time of its arrival', async () => {
    const { order: get, events } = await scene({ body: paid }, { body: refunded });
    events.delete('live:event:evt-refunded event');
    expect((await get('a/b é?')).body.events).toEqual([
      { id: 'evt-refunded', event_name: 'transaction.refunded', received_at: null },
      { id: 'evt-paid', event_name: 'transaction.paid', received_at: '2026-11-21T10:00:00.000Z' },
    ]);
  });

  it('looks at live orders unless it is asked for sandbox', async () => {
    const { order: get } = await scene({
      body: bytesOf(paidEvent({ ...order, sandbox: true })),
      mode: 'sandbox',
    });
    expect((await get('a/b é?')).status).toBe(404);
    expect((await get('a/b é?', { mode: 'live' })).status).toBe(404);
    expect((await get('a/b é?', { mode: 'sandbox' })).body).toMatchObject({
      mode: 'sandbox',
      status: 'paid',
    });
  });

  it('answers with problem details for an order that it does not know', async () => {
    const { order: get } = await scene();
    expect(await get('nope')).toEqual({
      status: 404,
      type: 'application/problem+json',
      body: {
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        detail: 'No live event has named the order "nope".',
      },
    });
  });

  it('knows no id that no key can hold, and does not ask DynamoDB, which would refuse it', async () => {
    const { telemetry, reader } = await scene();
    const refuse = () => Promise.reject(new Error('ValidationException'));
    const query = orderQueryOver({ reader: { ...reader, get: refuse, find: refuse }, telemetry });
    const status = async (routeKey: string, pathParameters: Record<string, string>) =>
      (await query(gatewayEvent({ routeKey, pathParameters }))).statusCode;
    expect(await status('GET /orders/{order_id}', { order_id: 'é'.repeat(513) })).toBe(404);
    expect(await status('GET /orders/{order_id}', { order_id: 'é'.repeat(512) })).toBe(500);
    expect(await status('GET /events/{event_id}', { event_id: 'x'.repeat(513) })).toBe(404);
    expect(await status('GET /events/{event_id}', { event_id: 'x'.repeat(512) })).toBe(500);
  });

  it('names a wrong parameter, what was given and what is expected', async () => {
    const { order: get } = await scene({ body: paid });
    expect(await get('a/b é?', { mode: 'Live' })).toMatchObject({
      status: 400,
      type: 'application/problem+json',
      body: { detail: 'The parameter mode is "Live"; expected live or sandbox.' },
    });
  });

  it('holds no customer data', async () => {
    const { order: get } = await scene({ body: paid });
    const answer = JSON.stringify((await get('a/b é?')).body);
    for (const personal of ['Nobody Real', 'nobody@shop.example', 'Inventedville', 'invented-fingerprint']) {
      expect(paid.toString()).toContain(personal);
      expect(answer).not.toContain(personal);
    }
  });
});

describe('GET /events/{event_id}', () => {
  it('answers with the bytes as received and what became of them', async () => {
    const { event: get } = await scene({ body: paid });
    const { status, body } = await get('evt-paid');
    expect(status).toBe(200);
    expect(Buffer.from(body.body_base64, 'base64').equals(paid)).toBe(true);
    expect(body).toMatchObject({
      id: 'evt-paid',
      mode: 'live',
      outcome: 'applied',
      reason: null,
      event_name: 'transaction.paid',
      order_id: 'a/b é?',
      transaction_id: 'txn-1',
      received_at: '2026-11-21T10:00:00.000Z',
      recorded_at: '2026-11-21T10:00:01.000Z',
      key_id: '9a76d0a46113',
      payload: { transaction: { order_id: 'a/b é?' } },
      others: [],
    });
  });

  it('lists a conflicting body beside the one that counts', async () => {
    const second = bytesOf(paidEvent({ ...order, seed: 'two', eventId: 'evt-paid', amount: '1.00' }));
    const { event: get } = await scene({ body: paid }, { body: second });
    const { body } = await get('evt-paid');
    expect(body.outcome).toBe('applied');
    expect(body.others).toMatchObject([{ outcome: 'conflict', order_id: 'a/b é?' }]);
    expect(body.others[0]).not.toHaveProperty('body_base64');
  });

  it('shows a quarantined body under its id, with the reason', async () => {
    const { event: get } = await scene({ body: paid, mode: 'sandbox' });
    expect((await get('evt-paid', { mode: 'sandbox' })).body).toMatchObject({
      outcome: 'quarantined',
      reason: 'sandbox_flag_disagrees',
      mode: 'sandbox',
    });
    expect((await get('evt-paid')).status).toBe(404);
  });
});

describe('the order query', () => {
  it('says 404 to a route that is not its own', async () => {
    const { query } = await scene();
    const answer = await query(gatewayEvent({ routeKey: 'GET /secrets' }));
    expect(answer.statusCode).toBe(404);
  });

  it('answers a fault of ours with 500 and tells the log, not the caller, what it was', async () => {
    const { telemetry, reader } = await scene();
    const broken = { ...reader, get: () => Promise.reject(new Error('table name and account')) };
    const query = orderQueryOver({ reader: broken, telemetry });
    const answer = await query(
      gatewayEvent({ routeKey: 'GET /orders/{order_id}', pathParameters: { order_id: 'order-1' } }),
    );
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('table name');
    expect(telemetry.lines.at(-1)).toMatchObject({ level: 'error', message: 'query failed' });
  });
});
