import { expect, it, onTestFinished } from 'vitest';
import {
  type Authentication,
  accessTokenAuthentication,
  createPaymentServiceClient,
  privateKeyAuthentication,
} from '../../src/client/index.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { privateKey } from './service.ts';

const registration = { url: 'https://shop.example/', enabled_events: ['transaction.paid'] };
const shop = { name: 'Invented Shop' };

/** The strict simulator with one account and an OAuth client without scopes, and clients for it. */
async function start() {
  const tokens = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1', scopes: [] };
  const client = { clientId: 'client-1', clientSecret: 'client-secret-1', ...tokens };
  const simulator = await createSimulator({
    account: { ...shop, privateKey, clients: [client] },
    clock: () => Date.UTC(2026, 10, 2, 9, 0, 0),
  });
  onTestFinished(() => simulator.stop());
  const { baseUrl } = simulator;
  const clientWith = (authentication: Authentication) =>
    createPaymentServiceClient({ baseUrl, authentication });
  return { clientWith, byKey: clientWith(privateKeyAuthentication(privateKey)) };
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

it('4.7 and 5.1 the account of the simulator proves a private key', async () => {
  const { byKey, clientWith } = await start();
  expect(await byKey.currentAccount()).toMatchObject(shop);
  const stranger = clientWith(privateKeyAuthentication('pri_unknown'));
  const refused = { name: 'UnauthenticatedError', serviceMessage: 'Unauthenticated' };
  await expect(stranger.currentAccount()).rejects.toMatchObject(refused);
});

it('5.3 a token of the simulator without the scope view-webhooks gets a 403, except for account/me', async () => {
  const byToken = (await start()).clientWith(accessTokenAuthentication('access-token-1'));
  await expect(byToken.listWebhooks()).rejects.toThrow('may lack the scope view-webhooks;');
  expect(await byToken.currentAccount()).toMatchObject(shop);
});
