import { describe, expect, it } from 'vitest';
import {
  disputedEvent,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '../../src/simulator/index.ts';

const options = { orderId: 'order-1', seed: 'one' };
/** As `printf one/transaction | sha256sum` prints it, with the bits of a random UUID. */
const transactionId = 'fae03918-07a0-4b3a-8b46-6b7dd2ba6a78';

describe('2.3 a sample event', () => {
  it('has the ids that its seed decides', () => {
    const { id, payload } = paidEvent(options);
    expect(id).toBe('efe1f87a-5c42-42b9-880c-c06d54f83782');
    expect(payload.transaction.id).toBe(transactionId);
    expect(payload.token.id).toBe('e555362e-61b5-4c21-8e8c-8cbf49cb4d98');
  });

  it.each([
    ['transaction.refunded', 2, refundedEvent(options)],
    ['transaction.failed', 3, failedEvent(options)],
    ['transaction.disputed', 1, disputedEvent(options)],
    ['transaction.updated', 1, unknownEvent(options)],
    ['charge.won', 1, unknownEvent({ ...options, eventName: 'charge.won' })],
  ])('named %s has the status %i and the transaction of its payment', (event_name, status, event) => {
    expect(event).toMatchObject({ event_name, payload: { transaction: { id: transactionId, status } } });
    expect(event.id).not.toBe(paidEvent(options).id);
  });
});
