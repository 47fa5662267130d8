import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../../lambdas/ports/rows.ts';
import type { FoundBodies } from '../../../lambdas/ports/stores.ts';
import { conflictRow, eventRow, sha256 } from '../../doubles/event-rows.ts';
import { paid as paidFact } from '../../doubles/facts.ts';
import { setUpQuery } from '../../doubles/order-query.ts';
import { type SentBody, sampleSignature } from '../../doubles/sqs-event.ts';

const createdAt = '2026-11-21T09:59:59.000000Z';
const order_id = 'a/b é?';
const options = { seed: 'one', orderId: order_id, createdAt, transactionId: 'txn-1' };
const paid = bytesOf(paidEvent({ ...options, eventId: 'evt-paid' }));
const refunded = bytesOf(refundedEvent({ ...options, eventId: 'evt-refunded' }));

const [orderRoute, eventRoute] = ['/orders/{order_id}', '/events/{event_id}'];
/** What both events say of their transaction, and when both were received and stored. */
const said = { transaction_id: 'txn-1', amount: '100.00', currency: 'USD' };
const stored = { received_at: '2026-11-21T10:00:00.000Z', recorded_at: '2026-11-21T10:00:01.000Z' };
const paidView = { id: 'evt-paid', event_name: 'transaction.paid', meaning: 'paid', ...said, ...stored };
const refund = { event_name: 'transaction.refunded', meaning: 'refunded' };
const refundedView = { id: 'evt-refunded', ...refund, ...said, ...stored };

async function setUp(...sent: readonly (SentBody | Uint8Array)[]) {
  const query = setUpQuery();
  await query.deliver(sent);
  return query;
}

describe('GET /orders/{order_id}', () => {
  it('returns the state of the order and its events', async () => {
    const { get } = await setUp(refunded, paid);
    const sums = { amount: '100.00', returned: '100.00', currency: 'USD' };
    const transaction = { id: 'txn-1', ...sums, created_at: createdAt };
    expect(await get(orderRoute, { order_id })).toEqual({
      status: 200,
      type: 'application/json',
      body: {
        ...{ order_id, mode: 'live', status: 'refunded', attention: [] },
        transactions: [{ ...transaction, status: 'refunded' }],
        events: [
          { ...paidView, status_after: 'paid' },
          { ...refundedView, status_after: 'refunded' },
        ],
        // Both events came in one write.
        ...{ sequence: 1, updated_at: '2026-11-21T10:00:01.000Z' },
      },
    });
  });

  it('returns the order of a heartbeat in the mode of heartbeats, and in no other', async () => {
    const { get } = await setUp({
      body: bytesOf({ ...paidEvent(options), sandbox: true }),
      mode: 'heartbeat',
    });
    const { status, body } = await get(orderRoute, { order_id }, { mode: 'heartbeat' });
    expect([status, body.status]).toEqual([200, 'paid']);
    for (const mode of ['live', 'sandbox'])
      expect((await get(orderRoute, { order_id }, { mode })).status).toBe(404);
    expect((await get('/orders', {}, { mode: 'heartbeat' })).status).toBe(400);
  });

  it('lists an event whose row cannot be read first, without its times', async () => {
    const { get, events } = await setUp(paid, refunded);
    events.delete('live:event:evt-refunded\nevent');
    const gone = { received_at: null, recorded_at: null };
    expect((await get(orderRoute, { order_id })).body.events).toEqual([
      { ...refundedView, ...gone, status_after: 'refunded' },
      { ...paidView, status_after: 'refunded' },
    ]);
    expect((await get(`${orderRoute}/events`, { order_id })).body.events).toMatchObject([
      { id: 'evt-refunded', outcome: 'applied', ...gone, counts: null, others: null },
      { id: 'evt-paid', outcome: 'applied', ...stored, key_id: '9a76d0a46113' },
    ]);
  });
});

describe('GET /events/{event_id}', () => {
  const nameless = bytesOf(refundedEvent({ ...options, eventId: 'evt-nameless', orderId: '' }));
  const [event_id, ofNameless] = ['evt-paid', { event_id: 'evt-nameless' }];

  it('returns the bytes as received and the outcome of the event', async () => {
    const { get } = await setUp(paid);
    const { status, body } = await get(eventRoute, { event_id });
    expect(status).toBe(200);
    expect(Buffer.from(body.body_base64, 'base64').equals(paid)).toBe(true);
    expect(body).toMatchObject({
      ...{ id: 'evt-paid', mode: 'live', outcome: 'applied', reason: null },
      ...{ event_name: 'transaction.paid', order_id, transaction_id: 'txn-1' },
      ...{ ...stored, key_id: '9a76d0a46113', signature: sampleSignature, body_sha256: sha256(paid) },
      ...{ payload: { transaction: { order_id } }, others: [] },
    });
  });

  it('shows an event as pending until its order has its fact, also one that was assigned to it', async () => {
    const { get, commit, orders } = await setUp(paid, nameless);
    expect((await get(eventRoute, ofNameless)).body).toMatchObject({ outcome: 'applied', order_id });
    orders.clear();
    for (const facts of [[], [paidFact('evt-paid', { amount: '1' })]]) {
      if (facts.length > 0) await commit(order_id, 0, facts);
      for (const path of [ofNameless, { event_id }])
        expect((await get(eventRoute, path)).body).toMatchObject({ outcome: 'pending', order_id });
    }
  });

  it('shows everything but the bytes when they have expired', async () => {
    const { get, events } = await setUp(paid);
    const { body: whole } = await get(eventRoute, { event_id });
    for (const [key, { body: _, ...row }] of events) events.set(key, row);
    const expired = { ...whole, body_base64: null, payload: null };
    expect((await get(eventRoute, { event_id })).body).toEqual(expired);
    expect(whole.payload).not.toBeNull();
  });

  it('returns a quarantined body with the reason, under the mode of its key', async () => {
    const { get } = await setUp({ body: paid, mode: 'sandbox' });
    const quarantined = { outcome: 'quarantined', reason: 'sandbox_flag_disagrees', mode: 'sandbox' };
    expect((await get(eventRoute, { event_id }, { mode: 'sandbox' })).body).toMatchObject(quarantined);
    const detail = 'No live event has the id "evt-paid".';
    expect(await get(eventRoute, { event_id })).toMatchObject({ status: 404, body: { detail } });
  });
});

describe('GET /events/{event_id}, of an id under which', () => {
  /** As tables that find this, and can read only these rows. */
  function getEvent(found: FoundBodies, readable: readonly EventRow[]) {
    const { get } = setUpQuery(({ events }) => ({
      events: { ...events, bodiesOf: async () => found, find: async () => readable },
    }));
    return get(eventRoute, { event_id: 'evt-1' });
  }
  const event = eventRow('evt-1', { receivedAt: '2026-11-21T10:00:03.000Z' });
  const other = (record: string, second: number) =>
    conflictRow('evt-1', record, { record, receivedAt: `2026-11-21T10:00:0${second}.000Z` });

  it('there are too many bodies, returns the event, then the others as they were received', async () => {
    const others = [other('conflict:b', 1), other('conflict:a', 2), other('conflict:c', 2)];
    const rows = [event, ...others];
    for (const readable of [rows, rows.toReversed()]) {
      const { status, body } = await getEvent({ kind: 'too_many_bodies' }, readable);
      const hashes = [body, ...body.others].map(({ body_sha256 }) => body_sha256);
      expect([status, hashes]).toEqual([200, rows.map(({ bodySha256 }) => bodySha256)]);
      expect(body.others[0]).toMatchObject({ outcome: 'conflict', order_id: 'order-1' });
      expect(body.others[0]).not.toHaveProperty('body_base64');
    }
  });

  it('the row of the event cannot be read, responds 500 and what to do', async () => {
    const { status, type, body } = await getEvent({ kind: 'unreadable' }, [other('conflict:a', 1)]);
    expect([status, type]).toEqual([500, 'application/problem+json']);
    expect(body.detail).toMatch(/^The row event of "live:event:evt-1" .* Deploy the newest version, or /);
  });
});

describe('the order query', () => {
  /** Over tables that fail every read. */
  function setUpFailing() {
    const fail = () => Promise.reject(new Error('table name and account'));
    return setUpQuery(({ orders, events, transactions }) => ({
      orders: { ...orders, get: fail },
      events: { ...events, find: fail },
      transactions: { ...transactions, getTransaction: fail },
    }));
  }

  it.each([
    [orderRoute, 'order_id', 'é'.repeat(512), 'é'.repeat(513)],
    [eventRoute, 'event_id', 'x'.repeat(512), 'x'.repeat(513)],
    ['/transactions/{transaction_id}', 'transaction_id', 'x'.repeat(256), 'x'.repeat(257)],
    ['/transactions/{transaction_id}', 'transaction_id', 'x', '\ud800'],
    ['/transactions/{transaction_id}', 'transaction_id', 'x', ''],
  ])('responds 404 to GET %s without a read when no table key can have the id', async (...given) => {
    const [route, parameter, possible, impossible] = given;
    const { get } = setUpFailing();
    const statusOf = async (id: string) => (await get(route, { [parameter]: id })).status;
    expect([await statusOf(possible), await statusOf(impossible)]).toEqual([500, 404]);
  });
});
