import { describe, expect, it, onTestFinished } from 'vitest';
import {
  accessTokenAuthentication,
  createPaymentServiceClient,
  createTokenExchange,
  heldAuthentication,
  privateKeyAuthentication,
} from '../../src/client/index.ts';
import { createSimulator, paidEvent } from '../../src/simulator/index.ts';
import { privateKey, startService } from './service.ts';

const oauth = { clientId: 'client-1', clientSecret: 'client-secret-1' };

/** The simulator with one account and its OAuth client, and clients for both credentials. */
async function start(scopes: readonly string[] = ['view-webhooks']) {
  const seen: string[] = [];
  const state = { now: Date.UTC(2026, 10, 2, 9, 0, 0) };
  const first = { access_token: 'access-token-1', refresh_token: 'refresh-token-1' };
  const client = { ...oauth, refreshToken: 'refresh-token-1', accessToken: 'access-token-1', scopes };
  const simulator = await createSimulator({
    accounts: [{ name: 'Invented Shop', privateKey, clients: [client] }],
    clock: () => state.now,
    onRequest: ({ method, path, status }) => seen.push(`${method} ${path} ${status}`),
  });
  onTestFinished(() => simulator.stop());
  const { baseUrl } = simulator;
  const exchange = createTokenExchange({ baseUrl, ...oauth });
  const withToken = heldAuthentication<typeof first>({
    isFresh: () => true,
    obtain: async (former) => (former === undefined ? first : exchange(former.refresh_token)),
    accessTokenOf: ({ access_token }) => access_token,
  });
  return {
    ...simulator,
    seen,
    state,
    exchange,
    byKey: createPaymentServiceClient({ baseUrl, authentication: privateKeyAuthentication(privateKey) }),
    byToken: createPaymentServiceClient({ baseUrl, authentication: withToken }),
  };
}

const registration = (path: string) => ({
  url: `https://shop.example/${path}`,
  enabled_events: ['transaction.paid', 'transaction.refunded'],
});

describe('the client and the strict simulator', () => {
  it('4.2, 4.3, 4.1, 4.4 create, update, list and delete a webhook', async () => {
    const { byKey } = await start();
    const created = await byKey.createWebhook(registration('one'));
    expect(created).toMatchObject({ object: 'v2.webhook', is_live_mode: true, ...registration('one') });
    expect(created.created_at).toBe('2026-11-02 09:00:00');
    const change = { url: 'https://shop.example/two', enabled_events: ['transaction.refunded'] };
    const record = { ...created.record, ...change, enabled_events: '["transaction.refunded"]' };
    const changed = { ...created, ...change, record };
    expect(await byKey.updateWebhook(created.id, change)).toEqual(changed);
    const pagination = { current_page: 1, per_page: 50, total: 1, last_page: 1 };
    const listed = await byKey.listWebhooks({
      sort_field: 'created_at',
      sort_order: 'asc',
      page: 1,
      limit: 50,
    });
    expect(listed).toEqual({ object: 'v2.webhook', data: [changed], pagination });
    await byKey.deleteWebhook(created.id);
    expect((await byKey.listWebhooks()).data).toEqual([]);
    await expect(byKey.deleteWebhook(created.id)).rejects.toMatchObject({ status: 404 });
  });

  it('4.1 walks over all pages, the most recent first', async () => {
    const { byKey, state, seen } = await start();
    for (const path of ['1', '2', '3', '4', '5', '6', '7']) {
      state.now += 1_000;
      await byKey.createWebhook(registration(path));
    }
    const paths: string[] = [];
    for await (const { url } of byKey.allWebhooks({ limit: 3 })) paths.push(url.slice(-1));
    expect(paths.join('')).toBe('7654321');
    expect(seen.filter((line) => line === 'GET /api/v2/webhooks 200')).toHaveLength(3);
  });

  it('4.5 shows each attempt and the response of the endpoint', async () => {
    const simulator = await start();
    const receiver = await startService({ status: 202 });
    const events = { enabled_events: ['transaction.paid'] };
    const { id } = await simulator.byKey.createWebhook({ url: `${receiver.baseUrl}/hook`, ...events });
    await simulator.emit(paidEvent({ orderId: 'order-1', seed: 'history' }));
    const { data } = await simulator.byKey.webhookHistory(id, { limit: 10 });
    const event_id = JSON.parse(receiver.received[0]?.body ?? '').id;
    const attempt = {
      event_name: 'transaction.paid',
      attempt: 1,
      response_status: 202,
      retry_pending: false,
    };
    expect(data).toMatchObject([{ ...attempt, event_id }]);
  });

  it('4.7 and 5.1 prove the private key', async () => {
    const { byKey, baseUrl } = await start();
    expect(await byKey.currentAccount()).toMatchObject({ name: 'Invented Shop' });
    const authentication = privateKeyAuthentication('pri_unknown');
    const stranger = createPaymentServiceClient({ baseUrl, authentication });
    await expect(stranger.currentAccount()).rejects.toMatchObject({
      name: 'UnauthenticatedError',
      serviceMessage: 'Unauthenticated',
    });
  });

  it('4.6 exchanges a refresh token once', async () => {
    const { exchange, baseUrl } = await start();
    const { access_token } = await exchange('refresh-token-1');
    const authentication = accessTokenAuthentication(access_token);
    const client = createPaymentServiceClient({ baseUrl, authentication });
    expect(await client.currentAccount()).toMatchObject({ name: 'Invented Shop' });
    await expect(exchange('refresh-token-1')).rejects.toMatchObject({ status: 400 });
  });

  it('5.3 renews an access token that has expired', async () => {
    const { byToken, state, seen } = await start();
    await byToken.listWebhooks();
    state.now += 3_600_000;
    await byToken.listWebhooks();
    expect(seen).toEqual([
      'GET /api/v2/webhooks 200',
      'GET /api/v2/webhooks 401',
      'POST /api/v2/oauth/token 200',
      'GET /api/v2/webhooks 200',
    ]);
  });

  it('5.3 gets a 403 for a token without the scope view-webhooks', async () => {
    const { byToken, seen } = await start([]);
    await expect(byToken.listWebhooks()).rejects.toThrow('may lack the scope view-webhooks;');
    expect(seen).toEqual(['GET /api/v2/webhooks 403']);
    expect(await byToken.currentAccount()).toMatchObject({ name: 'Invented Shop' });
  });
});
