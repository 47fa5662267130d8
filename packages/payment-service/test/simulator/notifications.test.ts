import { describe, expect, it } from 'vitest';
import type { DeliveryRecord } from '../../src/simulator/delivery/notifier.ts';
import { noRetries } from '../../src/simulator/index.ts';
import {
  anHour,
  event,
  paidWebhook,
  runReceiver,
  runSimulator,
  runWithReceiver,
} from './running-simulator.ts';

const slow = { ...noRetries, pausesMilliseconds: [anHour] };

const outcomes = ({ delivery }: DeliveryRecord) => [
  delivery.state,
  ...delivery.attempts.map(({ result }) => ('status' in result ? result.status : result.error)),
];

/** A simulator in the hour between a first attempt that got a 503 and the second one. */
async function runWithPendingRetry() {
  const parts = await runWithReceiver([503], { schedule: slow });
  const emitted = parts.emit(event('e1'));
  await expect.poll(() => parts.deliveries()[0]?.delivery.attempts).toHaveLength(1);
  return { ...parts, emitted };
}

describe('6 a notification', () => {
  it('is signed with the key of its mode over the bytes that are sent, in the documented header', async () => {
    const live = await runWithReceiver();
    const sandbox = await runReceiver(202);
    live.registerWebhook(paidWebhook(sandbox.url, false));
    await live.emit(event('e1'));
    await live.emit(event('e1', { sandbox: true }));
    const headers = { 'content-type': 'application/json' };
    const body = '{"id":"e1","event_name":"transaction.paid","sandbox":false,"payload":{}}';
    // printf %s "$BODY" | openssl dgst -sha256 -hmac pri_live
    const signature = 'ee98e5f0e1dea07570d4983645cc40efaf32fd261eabc7d0721b637e29c9314f';
    expect(live.received).toMatchObject([{ body, signature, headers }]);
    // The same with pri_sandbox_test and "sandbox":true.
    const ofSandbox = 'a673cdba58d90d0663d5e0a1692df79e441e7e90ca80a9764e525639e9e4ef79';
    expect(sandbox.received).toMatchObject([{ signature: ofSandbox }]);
  });

  it('goes to every webhook that has the event enabled, and to no other', async () => {
    const { received, registerWebhook, emit, url } = await runWithReceiver();
    registerWebhook({
      ...paidWebhook(`${url}/both`),
      enabledEvents: ['transaction.refunded', 'transaction.paid'],
    });
    registerWebhook({ ...paidWebhook(`${url}/other`), enabledEvents: ['transaction.refunded'] });
    const records = await emit(event('e1'));
    expect(records.map(outcomes)).toEqual(Array(2).fill(['delivered', 202]));
    const paths = received.map((request) => request.url).toSorted();
    expect(paths).toEqual(['/webhooks/payments', '/webhooks/payments/both']);
  });

  it('has its signature in the header of the option', async () => {
    const { received, emit } = await runWithReceiver([202], { signatureHeader: () => 'X-Shop-Signature' });
    await emit(event('e1'));
    expect(received[0]?.headers['x-shop-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(received[0]?.signature).toBeUndefined();
  });

  it('is sent again with the same bytes until the response is 2xx', async () => {
    const { received, emit } = await runWithReceiver([500, 403, 202]);
    expect((await emit(event('e1'))).map(outcomes)).toEqual([['delivered', 500, 403, 202]]);
    expect(new Set(received.map(({ signature, body }) => signature + body)).size).toBe(1);
  });

  it.each([
    [{ event_name: 'paid' }, /event_resource\.event_action/],
    [{ sandbox: true }, /"shop" has no sandbox key/],
  ])('is refused with %j by an account without a sandbox key', async (change, message) => {
    const { emit } = await runSimulator({ account: { name: 'shop', privateKey: 'pri_live' } });
    expect(() => emit(event('e1', change))).toThrow(message);
  });
});

describe('4.5 the webhook history', () => {
  it("shows each attempt and the endpoint's response, the latest first", async () => {
    const { request, webhook, emit, deliveries, url } = await runWithReceiver([503, 202]);
    await emit(event('e1'));
    const { status, json } = await request(`GET /api/v2/webhooks/${webhook.id}/history`);
    const same = {
      object: 'v2.webhook_history',
      delivery_id: deliveries()[0]?.delivery.id,
      webhook_id: webhook.id,
      event_id: 'e1',
      event_name: 'transaction.paid',
      url,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      error: null,
      is_retry_pending: false,
      retry_at: null,
    };
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'v2.webhook_history',
      data: [
        { ...same, attempt: 2, response_status: 202, response_body: 'response 202' },
        { ...same, attempt: 1, response_status: 503, response_body: 'response 503' },
      ],
      pagination: { current_page: 1, per_page: 10, total: 2, last_page: 1 },
    });
  });

  it('shows the attempts of one webhook, and is a 404 without that webhook', async () => {
    const { request, registerWebhook, emit, url } = await runWithReceiver();
    const { id } = registerWebhook(paidWebhook(url, false));
    await emit(event('e1'));
    expect((await request(`GET /api/v2/webhooks/${id}/history`)).json).toMatchObject({ data: [] });
    expect((await request('GET /api/v2/webhooks/none/history')).status).toBe(404);
  });
});

describe('a pending retry', () => {
  it('ends when its webhook is deleted (4.4)', async () => {
    const { request, webhook, emitted } = await runWithPendingRetry();
    await request(`DELETE /api/v2/webhooks/${webhook.id}`);
    expect((await emitted).map(outcomes)).toEqual([['stopped', 503]]);
  });

  it('ends when the simulator stops', async () => {
    const { simulator, emitted } = await runWithPendingRetry();
    await simulator.stop();
    expect((await emitted).map(outcomes)).toEqual([['stopped', 503]]);
    expect(simulator.deliveries().map(outcomes)).toEqual([['stopped', 503]]);
  });
});
