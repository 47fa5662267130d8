import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { parsePaymentEvent } from '../../lambdas/domain/payment-event.ts';

describe('the sample events', () => {
  const documented = {
    token: ['id'],
    customer: ['id', 'city', 'name', 'email', 'phone', 'state', 'address', 'zip_code', 'country_code'],
    metadata: ['type', 'shop.example'],
    transaction: [
      'id',
      'amount',
      'status',
      'currency',
      'order_id',
      'created_at',
      'base_amount',
      'base_currency',
    ],
    payment_method: ['id', 'name', 'card'],
  };

  it('have every field that API document 2.3 shows', () => {
    const { payload, ...event } = paidEvent({ orderId: 'order-1' });
    expect(Object.keys(event)).toEqual(['id', 'event_name', 'sandbox']);
    const fields = Object.entries(payload).map(([name, value]) => [name, Object.keys(value).sort()]);
    expect(Object.fromEntries(fields)).toEqual(
      Object.fromEntries(Object.entries(documented).map(([name, keys]) => [name, keys.toSorted()])),
    );
    const card = ['brand', 'country_code', 'fingerprint', 'id', 'is_3d_secure', 'last_digits'];
    expect(Object.keys(payload.payment_method.card).sort()).toEqual(card);
    expect(payload.transaction.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('have null in every nullable field on request', () => {
    const { customer, transaction } = paidEvent({ orderId: 'order-1', nullable: 'null' }).payload;
    const { id, ...nullable } = customer;
    expect(Object.values(nullable)).toEqual([null, null, null, null, null, null, null, null]);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect([transaction.base_amount, transaction.base_currency]).toEqual([null, null]);
  });

  it('are what the pipeline reads, under their four names', () => {
    const events = [paidEvent, refundedEvent, failedEvent, unknownEvent].map((build) =>
      build({ orderId: 'order-1' }),
    );
    const read = events.map((event) => parsePaymentEvent(bytesOf(event)));
    expect(read.map((parsed) => parsed.ok && parsed.event.eventName)).toEqual([
      'transaction.paid',
      'transaction.refunded',
      'transaction.failed',
      'transaction.disputed',
    ]);
    expect(read.map((parsed) => parsed.ok && parsed.event.order)).toEqual(Array(4).fill({ id: 'order-1' }));
  });

  it('are the same bytes for the same seed and other ids without one', () => {
    const seeded = () => Buffer.from(bytesOf(paidEvent({ orderId: 'order-1', seed: 'a' }))).toString('utf8');
    expect(seeded()).toBe(seeded());
    expect(paidEvent({ orderId: 'order-1', seed: 'b' }).id).not.toBe(
      paidEvent({ orderId: 'order-1', seed: 'a' }).id,
    );
    expect(paidEvent({ orderId: 'order-1' }).id).not.toBe(paidEvent({ orderId: 'order-1' }).id);
  });
});
