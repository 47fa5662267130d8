import { describe, expect, it } from 'vitest';
import type { SeenRequest } from '../../src/simulator/simulator.ts';
import { liveCredential, runSimulator } from './running-simulator.ts';

const unauthenticated = '{"message":"Unauthenticated"}';
const list = 'GET /api/v2/webhooks';
const body = { url: 'https://shop.example/hook', enabled_events: ['transaction.paid'] };

describe('5.3 the access token', () => {
  const bearer = { authorization: 'Bearer first-access' };

  it('is limited by its scopes: view-webhooks lists and does no more', async () => {
    const { request } = await runSimulator();
    expect((await request(list, bearer)).status).toBe(200);
    expect((await request('GET /api/v2/account/me', bearer)).status).toBe(200);
    const { id } = (await request('POST /api/v2/webhooks', { body })).json;
    for (const call of [
      'POST /api/v2/webhooks',
      `PUT /api/v2/webhooks/${id}`,
      `DELETE /api/v2/webhooks/${id}`,
    ]) {
      expect(await request(call, { ...bearer, body })).toMatchObject({ status: 403, text: unauthenticated });
    }
    const unscoped = { authorization: 'Bearer unscoped-access' };
    expect((await request('POST /api/v2/webhooks', { ...unscoped, body })).status).toBe(201);
  });
});

// The base64 below is what `printf 'pri_…:' | base64` prints.
const refused: readonly [string, string | string[] | null, number, string][] = [
  ['without a credential', null, 401, 'missing_credential'],
  ['with another scheme', 'Digest cHJpX2xpdmU6', 401, 'malformed_credential'],
  ['with two credentials', [liveCredential, liveCredential], 401, 'malformed_credential'],
  ['with the bare key', 'pri_live', 401, 'malformed_credential'],
  ['with base64 that goes on', 'Basic cHJpX2xpdmU6!', 401, 'malformed_credential'],
  ['with a password', 'Basic cHJpX2xpdmU6eA==', 401, 'malformed_credential'],
  ['with a password that ends in a colon', 'Basic cHJpX2xpdmU6eDo=', 401, 'malformed_credential'],
  ['with a key that is no pri_ key', 'Basic c2tfbGl2ZTo=', 401, 'malformed_credential'],
  ['with a sandbox key (5.2)', 'Basic cHJpX3NhbmRib3hfdGVzdDo=', 401, 'sandbox_key'],
  ['with a key of no account', 'Basic cHJpX25vYm9keTo=', 401, 'unknown_account'],
  ['with an unknown access token', 'Bearer unknown', 401, 'unknown_account'],
  ['with an access token that is none', 'Bearer first access', 401, 'malformed_credential'],
  ['with another character after an access token', 'Bearer first-access"', 401, 'malformed_credential'],
  ['with a refresh token as access token', 'Bearer first-refresh', 401, 'unknown_account'],
  ['for a token without the scope', 'Bearer unscoped-access', 403, 'missing_scope'],
  ['for an inactive account', 'Basic cHJpX2luYWN0aXZlOg==', 403, 'account_inactive'],
  ['for an unverified identity', 'Basic cHJpX3VudmVyaWZpZWQ6', 403, 'identity_unverified'],
];

describe('7 a request is refused', () => {
  it.each(refused)('%s', async (_, authorization, status, reason) => {
    const seen: SeenRequest[] = [];
    const { request } = await runSimulator({ onRequest: (request) => seen.push(request) });
    const response = await request(list, { authorization });
    expect([response.status, response.text]).toEqual([status, unauthenticated]);
    expect(response.headers['content-type']).toBe('application/json');
    expect(seen).toEqual([{ method: 'GET', path: '/api/v2/webhooks', status, reason }]);
  });

  it.each([
    [null, 401],
    ['Basic cHJpX2luYWN0aXZlOg==', 403],
    ['Bearer unscoped-access', 200],
  ])('at account/me too, which needs no scope: %s gets a %i', async (authorization, status) => {
    const { request } = await runSimulator();
    expect((await request('GET /api/v2/account/me', { authorization })).status).toBe(status);
  });

  it('before its query and its Accept header are checked', async () => {
    const { request } = await runSimulator();
    const response = await request('GET /api/v2/webhooks?limit=none', { authorization: null, accept: null });
    expect(response.status).toBe(401);
  });
});

describe('4 a request to the simulator', () => {
  it.each(['application/json;q=0.9', 'text/html, application/json', 'Application/JSON'])(
    'is served with Accept: %s',
    async (accept) => {
      const { request } = await runSimulator();
      expect((await request(list, { accept })).status).toBe(200);
    },
  );

  it.each([null, '*/*', 'text/html', 'application/jsonp', 'x-application/json'])(
    'gets a 406 with Accept: %s',
    async (accept) => {
      const { request } = await runSimulator();
      expect(await request(list, { accept })).toMatchObject({
        status: 406,
        text: '{"message":"Send Accept: application/json."}',
      });
    },
  );

  it('gets the allowed methods after another one, and a 413 above 64 KiB', async () => {
    const { request } = await runSimulator();
    expect((await request('DELETE /api/v2/webhooks')).headers['allow']).toBe('GET, POST');
  });
});

const notLive = 'The private key of the account "a" is not a live key, pri_<identifier>.';

it.each([
  [[{ name: 'a', privateKey: 'pri_sandbox_x' }], notLive],
  [[{ name: 'a', privateKey: 'pri_sec:ret' }], notLive],
  [
    [{ name: 'a', privateKey: 'pri_x', sandboxKey: 'pri_y' }],
    'The sandbox key of the account "a" is not pri_sandbox_<identifier>.',
  ],
  [[], 'The simulator needs at least one account.'],
])(
  '5 an account with a key of another form or mode is refused without quoting it (%#)',
  async (given, message) => {
    await expect(runSimulator({ accounts: given })).rejects.toThrow(new TypeError(message));
  },
);
