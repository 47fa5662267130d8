import { paidEvent } from '@payhooks/payment-service/simulator';
import { paidWebhook, runReceiver, runSimulator } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import type { QueueMessage } from '../../../lambdas/contract/queue-message.ts';
import { createSigningKey } from '../../../lambdas/domain/signature.ts';
import { createVerifier } from '../../../lambdas/verifier/verifier.ts';
import { gatewayEvent } from '../../doubles/gateway-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

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

/** The statuses of the verifier for what a receiver got, with the keys of the simulator's first account. */
async function verify(received: Awaited<ReturnType<typeof runReceiver>>['received']) {
  const queued: QueueMessage[] = [];
  const keys = [createSigningKey('pri_live'), createSigningKey('pri_sandbox_test')];
  const known = { keys, isCertain: true };
  const verifier = createVerifier({
    signatureHeader: 'x-service-signature',
    keys: { current: async () => known, reread: async () => known },
    enqueue: async (message) => void queued.push(message),
    now: Date.now,
    telemetry: recordTelemetry(),
  });
  const statuses: unknown[] = [];
  for (const { headers, body: text } of received) {
    const body = Buffer.from(text).toString('base64');
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const request = { routeKey: 'POST /webhooks/payments', headers: texts, body, isBase64Encoded: true };
    statuses.push((await verifier(gatewayEvent(request))).statusCode);
  }
  return { statuses, modes: queued.map(({ mode }) => mode) };
}

describe('the verifier and a notification of the service', () => {
  it('acknowledges it with a 2xx when its signature is right (6, rules 1 to 3)', async () => {
    const { url, received } = await runReceiver(202);
    const { registerWebhook, emit } = await runSimulator();
    for (const isLive of [true, false]) registerWebhook(paidWebhook(url, isLive));
    for (const sandbox of [false, true]) await emit(paidEvent({ orderId: 'order-1', sandbox }));
    expect(await verify(received)).toEqual({ statuses: [202, 202], modes: ['live', 'sandbox'] });
  });

  it.each(['wrong_key', 'reserialised_body'] as const)(
    'refuses it with 403 for a %s (6, rules 3 and 4), and takes the retry that is right',
    async (kind) => {
      const { url, received } = await runReceiver(403, 403, 202);
      const { registerWebhook, emit, misbehave } = await runSimulator();
      registerWebhook(paidWebhook(url));
      misbehave([{ kind, attempts: 2 }]);
      await emit(paidEvent({ orderId: 'order-1' }));
      expect(await verify(received)).toEqual({ statuses: [403, 403, 202], modes: ['live'] });
    },
  );
});
