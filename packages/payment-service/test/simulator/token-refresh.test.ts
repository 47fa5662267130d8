import { describe, expect, it } from 'vitest';
import { type RunningSimulator, runSimulator } from './running-simulator.ts';

const right = {
  client_id: 'shop',
  client_secret: 'shop-secret',
  grant_type: 'refresh_token',
  refresh_token: 'first-refresh',
  scope: '',
};

/** RFC 7578, with CRLF. */
function multipart(fields: readonly (readonly [string, string | undefined])[]): string {
  const given = fields.filter(([, value]) => value !== undefined);
  const head = '--cut\r\nContent-Disposition: form-data; ';
  const parts = given.map(([name, value]) => `${head}name="${name}"\r\n\r\n${value}\r\n`);
  return `${parts.join('')}--cut--\r\n`;
}

type Fields = Readonly<Record<string, string | undefined>>;

function exchange({ request }: RunningSimulator, fields: Fields) {
  return request('POST /api/v2/oauth/token', {
    authorization: null,
    contentType: 'multipart/form-data; boundary=cut',
    body: multipart(Object.entries(fields)),
  });
}

const accountStatus = async ({ request }: RunningSimulator, token: string) =>
  (await request('GET /api/v2/account/me', { authorization: `Bearer ${token}` })).status;

describe('4.6 the refresh exchange', () => {
  it('responds as in 2.4, with new tokens that work', async () => {
    const simulator = await runSimulator();
    const response = await exchange(simulator, right);
    expect([response.status, response.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(response.json).toEqual({
      token_type: 'Bearer',
      expires_in: 3_600,
      access_token: expect.stringMatching(/^.{40,}$/),
      refresh_token: expect.stringMatching(/^.{40,}$/),
    });
    const { access_token, refresh_token } = response.json;
    expect(new Set([access_token, refresh_token, 'first-access', 'first-refresh']).size).toBe(4);
    expect(await accountStatus(simulator, access_token)).toBe(200);
  });

  it('rotates the refresh token and refuses the spent one', async () => {
    const simulator = await runSimulator();
    const first = (await exchange(simulator, right)).json;
    const spent = { status: 400, json: { error: 'invalid_grant' } };
    expect(await exchange(simulator, right)).toMatchObject(spent);
    const second = await exchange(simulator, { ...right, refresh_token: first.refresh_token });
    expect(second.status).toBe(200);
    expect(second.json.refresh_token).not.toBe(first.refresh_token);
  });

  it('keeps the scopes, and the earlier access token until it expires', async () => {
    let now = 0;
    const simulator = await runSimulator({ clock: () => now });
    now = 1_800_000;
    const { access_token } = (await exchange(simulator, right)).json;
    const authorization = `Bearer ${access_token}`;
    expect((await simulator.request('GET /api/v2/webhooks', { authorization })).status).toBe(200);
    expect((await simulator.request('POST /api/v2/webhooks', { authorization, body: {} })).status).toBe(403);
    expect(await accountStatus(simulator, 'first-access')).toBe(200);
    now = 3_600_000;
    expect(await accountStatus(simulator, 'first-access')).toBe(401);
    expect(await accountStatus(simulator, access_token)).toBe(200);
  });

  it.each<[Fields, number, string]>([
    [{ client_id: 'nobody' }, 401, 'Unauthenticated'],
    [{ client_secret: 'wrong' }, 401, 'Unauthenticated'],
    [{ grant_type: 'password' }, 400, 'Must be refresh_token.'],
    [{ scope: 'view-webhooks' }, 400, 'scope is sent as an empty string.'],
    [{ refresh_token: 'other-refresh' }, 400, 'The refresh token is not valid.'],
    [{ client_id: undefined }, 400, 'client_id is required once, as a text field.'],
  ])('with %o is refused with a %i, "%s", and spends no token', async (change, status, message) => {
    const simulator = await runSimulator();
    const response = await exchange(simulator, { ...right, ...change });
    expect(response).toMatchObject({ status, json: { message } });
    expect((await exchange(simulator, right)).status).toBe(200);
  });

  it.each([
    ['x-multipart/form-data; boundary=cut', multipart(Object.entries(right)), 415],
    ['multipart/form-data', multipart(Object.entries(right)), 415],
    // A field twice, and what is no form.
    ['multipart/form-data; boundary=cut', multipart([...Object.entries(right), ['scope', '']]), 400],
    ['multipart/form-data; boundary=cut', 'x', 400],
  ])('accepts multipart form fields, each once, and not %s', async (contentType, body, status) => {
    const { request } = await runSimulator();
    expect((await request('POST /api/v2/oauth/token', { contentType, body })).status).toBe(status);
  });
});
