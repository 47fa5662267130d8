import { describe, expect, it } from 'vitest';
import type { SeenRequest } from '../../src/simulator/simulator.ts';
import { liveCredential, runSimulator, shop } from './running-simulator.ts';

const unauthenticated = '{"message":"Unauthenticated"}';
const list = 'GET /api/v2/webhooks';
const body = { url: 'https://shop.example/hook', enabled_events: ['transaction.paid'] };

it('5.3 an access token does what its scopes name, and nothing else', async () => {
  const { request } = await runSimulator();
  const bearer = { authorization: 'Bearer first-access' };
  expect((await request(list, bearer)).status).toBe(200);
  for (const method of ['PUT', 'DELETE'])
    expect((await request(`${method} /api/v2/webhooks/some`, { ...bearer, body })).status).toBe(403);
  expect((await request('POST /api/v2/webhooks', { ...bearer, body })).status).toBe(403);
  const unscoped = { authorization: 'Bearer unscoped-access' };
  expect((await request('POST /api/v2/webhooks', { ...unscoped, body })).status).toBe(201);
});

// The base64 below is what `printf 'pri_…:' | base64` prints.
const refused: readonly [string, string | string[] | null, number][] = [
  ['without a credential', null, 401],
  ['with two credentials', [liveCredential, liveCredential], 401],
  ['with the bare key', 'pri_live', 401],
  ['with base64 that goes on', 'Basic cHJpX2xpdmU6!', 401],
  ['with a password', 'Basic cHJpX2xpdmU6eA==', 401],
  ['with a sandbox key (5.2)', 'Basic cHJpX3NhbmRib3hfdGVzdDo=', 401],
  ['with a key of no account', 'Basic cHJpX25vYm9keTo=', 401],
  ['with an unknown access token', 'Bearer unknown', 401],
  ['with a refresh token as access token', 'Bearer first-refresh', 401],
  ['for a token without the scope', 'Bearer unscoped-access', 403],
];

describe('7 a request is refused', () => {
  it.each(refused)('%s', async (_, authorization, status) => {
    const seen: SeenRequest[] = [];
    const { request } = await runSimulator({ onRequest: (request) => seen.push(request) });
    const response = await request(list, { authorization });
    expect([response.status, response.text]).toEqual([status, unauthenticated]);
    expect(response.headers['content-type']).toBe('application/json');
    expect(seen).toEqual([{ method: 'GET', path: '/api/v2/webhooks', status }]);
  });

  it.each([{ active: false }, { identityVerified: false }])('for an account with %j', async (change) => {
    const { request } = await runSimulator({ account: { ...shop, ...change } });
    expect(await request(list)).toMatchObject({ status: 403, text: unauthenticated });
    expect((await request('GET /api/v2/account/me', { authorization: null })).status).toBe(401);
  });

  it('before its query and its Accept header are checked', async () => {
    const { request } = await runSimulator();
    const response = await request('GET /api/v2/webhooks?limit=none', { authorization: null, accept: null });
    expect(response.status).toBe(401);
  });
});

it.each([
  ['application/json;q=0.9', 200],
  ['text/html, application/json', 200],
  ['Application/JSON', 200],
  [null, 406],
  ['*/*', 406],
  ['application/jsonp', 406],
  ['x-application/json', 406],
])('4 a request with Accept: %s gets a %i', async (accept, status) => {
  const { request } = await runSimulator();
  expect((await request(list, { accept })).status).toBe(status);
});

const notLive = 'The private key of the account "a" is not a live key, pri_<identifier>.';

it.each([
  [{ privateKey: 'pri_sandbox_x' }, notLive],
  [{ privateKey: 'pri_sec:ret' }, notLive],
  [{ sandboxKey: 'pri_y' }, 'The sandbox key of the account "a" is not pri_sandbox_<identifier>.'],
])(
  '5 an account with a key of another form or mode is refused without quoting it (%#)',
  async (given, message) => {
    const account = { name: 'a', privateKey: 'pri_x', ...given };
    await expect(runSimulator({ account })).rejects.toThrow(new TypeError(message));
  },
);
