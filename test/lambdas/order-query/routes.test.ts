import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../../lambdas/ports/rows.ts';
import type { FoundBodies } from '../../../lambdas/ports/stores.ts';
import { conflictRow, eventRow, sha256 } from '../../doubles/event-rows.ts';
import { createMemoryTables } from '../../doubles/memory-store.ts';
import { consumedTables, orderQueryOver, readerOf, request } from '../../doubles/order-query.ts';
import { type SentBody, sampleSignature } from '../../doubles/sqs-event.ts';

const options = { seed: 'one', orderId: 'o-1', transactionId: 'txn-1' };
const paid = bytesOf(paidEvent({ ...options, eventId: 'evt-paid' }));
const elsewhere = bytesOf(paidEvent({ ...options, orderId: 'o-2', eventId: 'evt-paid' }));
const nameless = bytesOf(refundedEvent({ ...options, eventId: 'evt-nameless', orderId: '' }));

type Query = Record<string, string>;
const routeKey = 'GET /events/{event_id}';

async function setUp(...sent: SentBody[]) {
  const stores = await consumedTables(...sent);
  const query = orderQueryOver({ reader: stores.reader });
  const get = (event_id: string, queryStringParameters: Query = {}) =>
    request(query, { routeKey, pathParameters: { event_id }, queryStringParameters });
  return { ...stores, get };
}

describe('GET /events/{event_id}', () => {
  it('returns the bytes as received and the outcome of the event', async () => {
    const { get } = await setUp({ body: paid });
    const { status, body } = await get('evt-paid');
    expect(status).toBe(200);
    expect(Buffer.from(body.body_base64, 'base64').equals(paid)).toBe(true);
    expect(body).toMatchObject({
      id: 'evt-paid',
      mode: 'live',
      outcome: 'applied',
      reason: null,
      event_name: 'transaction.paid',
      order_id: 'o-1',
      transaction_id: 'txn-1',
      received_at: '2026-11-21T10:00:00.000Z',
      recorded_at: '2026-11-21T10:00:01.000Z',
      key_id: '9a76d0a46113',
      signature: sampleSignature,
      body_sha256: sha256(paid),
      payload: { transaction: { order_id: 'o-1' } },
      others: [],
    });
  });

  it('shows an event as pending until its order has its fact', async () => {
    const { get, orders } = await setUp({ body: paid });
    orders.clear();
    expect((await get('evt-paid')).body).toMatchObject({ outcome: 'pending', order_id: 'o-1' });
  });

  it('shows the order that an event without an order id was assigned to', async () => {
    const { get, orders } = await setUp({ body: paid }, { body: nameless });
    expect((await get('evt-nameless')).body).toMatchObject({ outcome: 'applied', order_id: 'o-1' });
    orders.clear();
    expect((await get('evt-nameless')).body).toMatchObject({ outcome: 'pending', order_id: 'o-1' });
  });

  it('shows an event that no order is known for as unassigned', async () => {
    const { get } = await setUp({ body: nameless });
    expect((await get('evt-nameless')).body).toMatchObject({ outcome: 'unassigned', order_id: null });
  });

  it('shows everything but the bytes when they have expired', async () => {
    const { get, events } = await setUp({ body: paid });
    const { body: whole } = await get('evt-paid');
    for (const [key, { body: _, ...row }] of events) events.set(key, row);
    expect((await get('evt-paid')).body).toEqual({ ...whole, body_base64: null, payload: null });
    expect(whole.payload).not.toBeNull();
  });

  it('lists another body under others, without its bytes', async () => {
    const { get } = await setUp({ body: paid }, { body: elsewhere });
    const { body } = await get('evt-paid');
    expect(body.others).toMatchObject([{ outcome: 'conflict', order_id: 'o-2' }]);
    expect(body.others[0]).not.toHaveProperty('body_base64');
  });

  it('returns a quarantined body with the reason, under the mode of its key', async () => {
    const { get } = await setUp({ body: paid, mode: 'sandbox' });
    const quarantined = { outcome: 'quarantined', reason: 'sandbox_flag_disagrees', mode: 'sandbox' };
    expect((await get('evt-paid', { mode: 'sandbox' })).body).toMatchObject(quarantined);
    expect(await get('evt-paid')).toMatchObject({
      status: 404,
      body: { detail: 'No live event has the id "evt-paid".' },
    });
  });
});

describe('GET /events/{event_id}, of an id under which', () => {
  /** As tables that find this, and can read only these rows. */
  async function getEvent(found: FoundBodies, readable: readonly EventRow[]) {
    const reader = readerOf(createMemoryTables());
    const events = { ...reader.events, bodiesOf: async () => found, find: async () => readable };
    const query = orderQueryOver({ reader: { ...reader, events } });
    return request(query, { routeKey, pathParameters: { event_id: 'evt-1' } });
  }
  const [event, other] = [eventRow('evt-1'), conflictRow('evt-1', 'other')];

  it('there are too many bodies, returns the first of them', async () => {
    const { status, body } = await getEvent({ kind: 'too_many_bodies' }, [other, event]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ body_sha256: event.bodySha256, others: [{ outcome: 'conflict' }] });
  });

  it('another body cannot be read, returns those that can', async () => {
    const { status, body } = await getEvent({ kind: 'unreadable' }, [event]);
    expect([status, body.body_sha256, body.others]).toEqual([200, event.bodySha256, []]);
  });

  it.each([
    ['alone', []],
    ['with a body that can', [other]],
  ])('the row of the event cannot be read, %s, responds 500 and what to do', async (_, readable) => {
    expect(await getEvent({ kind: 'unreadable' }, readable)).toMatchObject({
      status: 500,
      type: 'application/problem+json',
      body: {
        title: 'The row of this event cannot be read',
        detail: expect.stringMatching(
          /^The row event of "live:event:evt-1" .* Deploy the newest version, or /,
        ),
      },
    });
  });
});
