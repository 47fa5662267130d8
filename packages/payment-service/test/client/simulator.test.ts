import { expect, it, onTestFinished } from 'vitest';
import {
  createPaymentServiceClient,
  createTokenExchange,
  heldAuthentication,
  privateKeyAuthentication,
  type TokenResponse,
} from '../../src/client/index.ts';
import { createSimulator, noRetries, paidEvent } from '../../src/simulator/index.ts';
import { privateKey, startService } from './service.ts';

const oauth = { clientId: 'client-1', clientSecret: 'client-secret-1' };
const first: Pick<TokenResponse, 'access_token' | 'refresh_token'> = {
  access_token: 'access-token-1',
  refresh_token: 'refresh-token-1',
};
const registration = { url: 'https://shop.example/', enabled_events: ['transaction.paid'] };
const shop = { name: 'Invented Shop' };

/** The strict simulator with one account and its OAuth client, and clients for both credentials. */
async function start(scopes: readonly string[] = ['view-webhooks']) {
  const seen: string[] = [];
  const state = { now: Date.UTC(2026, 10, 2, 9, 0, 0) };
  const client = { ...oauth, refreshToken: 'refresh-token-1', accessToken: 'access-token-1', scopes };
  const simulator = await createSimulator({
    accounts: [{ ...shop, privateKey, clients: [client] }],
    clock: () => state.now,
    schedule: noRetries,
    onRequest: ({ method, path, status }) => seen.push(`${method} ${path.slice(8)} ${status}`),
  });
  onTestFinished(() => simulator.stop());
  const { baseUrl, emit } = simulator;
  const exchange = createTokenExchange({ baseUrl, ...oauth });
  const held = heldAuthentication<typeof first>({
    isFresh: () => true,
    obtain: async (former) => (former === undefined ? first : exchange(former.refresh_token)),
    accessTokenOf: ({ access_token = '' }) => access_token,
  });
  const clientWith = (authentication: typeof held) => createPaymentServiceClient({ baseUrl, authentication });
  const byKey = clientWith(privateKeyAuthentication(privateKey));
  return { seen, state, emit, clientWith, byKey, byToken: clientWith(held) };
}

it('4.2, 4.3, 4.1, 4.4 create, update, list and delete a webhook of the simulator', async () => {
  const { byKey } = await start();
  const created = await byKey.createWebhook(registration);
  const created_at = '2026-11-02 09:00:00';
  expect(created).toMatchObject({ object: 'v2.webhook', is_live_mode: true, created_at, ...registration });
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
  expect(listed).toEqual({ object: 'v2.webhook', data: [changed], unreadable: [], pagination });
  await byKey.deleteWebhook(created.id);
  expect((await byKey.listWebhooks()).data).toEqual([]);
  await expect(byKey.deleteWebhook(created.id)).rejects.toMatchObject({ status: 404 });
});

it('4.5 the history of the simulator shows each attempt and the response of the endpoint', async () => {
  const { byKey, emit } = await start();
  const receiver = await startService({ status: 202 });
  const { id } = await byKey.createWebhook({ ...registration, url: `${receiver.baseUrl}/hook` });
  await emit(paidEvent({ orderId: 'order-1' }));
  const { data } = await byKey.webhookHistory(id, { limit: 10 });
  const event_id = JSON.parse(receiver.received[0]?.body ?? '').id;
  const attempt = { event_name: 'transaction.paid', attempt: 1, response_status: 202, retry_pending: false };
  expect(data).toMatchObject([{ ...attempt, event_id }]);
});

it('4.7 and 5.1 the account of the simulator proves a private key', async () => {
  const { byKey, clientWith } = await start();
  expect(await byKey.currentAccount()).toMatchObject(shop);
  const stranger = clientWith(privateKeyAuthentication('pri_unknown'));
  const refused = { name: 'UnauthenticatedError', serviceMessage: 'Unauthenticated' };
  await expect(stranger.currentAccount()).rejects.toMatchObject(refused);
});

it('5.3 an access token of the simulator that has expired is renewed', async () => {
  const { byToken, state, seen } = await start();
  await byToken.listWebhooks();
  state.now += 3_600_000;
  await byToken.listWebhooks();
  expect(seen).toEqual(['GET webhooks 200', 'GET webhooks 401', 'POST oauth/token 200', 'GET webhooks 200']);
});

it('5.3 a token of the simulator without the scope view-webhooks gets a 403, except for account/me', async () => {
  const { byToken, seen } = await start([]);
  await expect(byToken.listWebhooks()).rejects.toThrow('may lack the scope view-webhooks;');
  expect(seen).toEqual(['GET webhooks 403']);
  expect(await byToken.currentAccount()).toMatchObject(shop);
});
