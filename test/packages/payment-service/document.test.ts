import { paidEvent } from '@payhooks/payment-service/simulator';
import { paidWebhook, runReceiver, runSimulator } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** Sections 2.3 and 3 as the document has them, without what may be null. */
const paidNotification = {
  id: uuid,
  event_name: 'transaction.paid',
  sandbox: false,
  payload: {
    token: { id: uuid },
    customer: expect.objectContaining({ id: uuid }),
    metadata: expect.objectContaining({ type: expect.any(String) }),
    transaction: expect.objectContaining({
      id: uuid,
      amount: expect.stringMatching(/^\d+(\.\d+)?$/),
      status: 1,
      currency: expect.stringMatching(/^[A-Z]{3}$/),
      order_id: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    }),
    payment_method: {
      id: expect.any(Number),
      name: expect.any(String),
      card: {
        id: uuid,
        brand: expect.stringMatching(/^[A-Z ]+$/),
        fingerprint: expect.any(String),
        last_digits: expect.stringMatching(/^\d{4}$/),
        country_code: expect.stringMatching(/^[A-Z]{2}$/),
        is_3d_secure: expect.any(Boolean),
      },
    },
  },
};

const customerFields = 'city name email phone state address zip_code country_code'.split(' ');
const baseFields = ['base_amount', 'base_currency'];

async function receivedBody(nullable: 'filled' | 'null') {
  const { url, received } = await runReceiver(202);
  const { registerWebhook, emit } = await runSimulator();
  registerWebhook(paidWebhook(url));
  await emit(paidEvent({ orderId: 'order-1', nullable }));
  return JSON.parse(received[0]?.body ?? '');
}

describe('the body of a notification', () => {
  it.each(['filled', 'null'] as const)(
    'has the fields and types of 2.3 (%s), and the status of 3',
    async (kind) => {
      const body = await receivedBody(kind);
      expect(body).toEqual(paidNotification);
      const { customer, transaction, metadata } = body.payload;
      expect(Object.keys(metadata).filter((key) => key.includes('.'))).toHaveLength(1);
      expect(Object.keys(customer).sort()).toEqual(['id', ...customerFields].sort());
      const nullable = [
        ...customerFields.map((field) => customer[field]),
        ...baseFields.map((field) => transaction[field]),
      ];
      const expected = kind === 'null' ? null : expect.any(String);
      expect(nullable).toEqual(Array(customerFields.length + baseFields.length).fill(expected));
    },
  );
});
