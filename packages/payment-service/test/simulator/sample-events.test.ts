import { describe, expect, it } from 'vitest';
import {
  disputedEvent,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '../../src/simulator/index.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const options = { orderId: 'order-1', seed: 'one' };
/** As `printf one/event/transaction.paid | sha256sum` prints them, with the bits of a random UUID. */
const ids = {
  event: 'efe1f87a-5c42-42b9-880c-c06d54f83782',
  token: 'e555362e-61b5-4c21-8e8c-8cbf49cb4d98',
  customer: '10d63beb-cb59-476f-80c1-b0a8644faaf3',
  transaction: 'fae03918-07a0-4b3a-8b46-6b7dd2ba6a78',
  card: '6ae00d7d-ec0c-4f72-8db3-3c6eebcdb6ce',
};

describe('2.3 a sample event', () => {
  it('has the ids that its seed decides', () => {
    const { id, payload } = paidEvent(options);
    const { token, customer, transaction, payment_method } = payload;
    const made = {
      event: id,
      token: token.id,
      customer: customer.id,
      transaction: transaction.id,
      card: payment_method.card.id,
    };
    expect(made).toEqual(ids);
  });

  it('has random ids and the present time without a seed', () => {
    const [one, other] = [paidEvent({ orderId: 'o' }), paidEvent({ orderId: 'o' })];
    expect([one.id, one.payload.transaction.id, one.payload.token.id]).toEqual(
      Array(3).fill(expect.stringMatching(uuid)),
    );
    expect(one.id).not.toBe(other.id);
    const { created_at: at } = one.payload.transaction;
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(3_600_000);
  });

  it.each([
    ['transaction.refunded', 2, refundedEvent(options)],
    ['transaction.failed', 3, failedEvent(options)],
    ['transaction.disputed', 1, disputedEvent(options)],
    ['transaction.updated', 1, unknownEvent(options)],
    ['charge.won', 1, unknownEvent({ ...options, eventName: 'charge.won' })],
  ])('named %s has the status %i and the transaction of its payment', (event_name, status, event) => {
    expect(event).toMatchObject({ event_name, payload: { transaction: { id: ids.transaction, status } } });
    expect(event.id).not.toBe(ids.event);
  });
});
