import { describe, expect, it } from 'vitest';
import { type RunningSimulator, runSimulator } from './running-simulator.ts';

const right = {
  client_id: 'shop',
  client_secret: 'shop-secret',
  grant_type: 'refresh_token',
  refresh_token: 'first-refresh',
  scope: '',
};

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Multipart by hand, with CRLF, as RFC 7578 has it. */
function multipart(fields: readonly (readonly [string, string])[]): string {
  const parts = fields.map(
    ([name, value]) => `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--cut--\r\n`;
}

function exchange({ ask }: RunningSimulator, fields: Readonly<Record<string, string>>, accept?: null) {
  return ask('POST /api/v2/oauth/token', {
    authorization: null,
    ...(accept === null && { accept }),
    contentType: 'multipart/form-data; boundary=cut',
    body: multipart(Object.entries(fields)),
  });
}

const accountStatus = async ({ ask }: RunningSimulator, token: string) =>
  (await ask('GET /api/v2/account/me', { authorization: `Bearer ${token}` })).status;

describe('4.6 the refresh exchange', () => {
  it('answers as 2.4 has it, with tokens that work and are new', async () => {
    const simulator = await runSimulator({ accessTokenSeconds: 900 });
    const answer = await exchange(simulator, right);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      token_type: 'Bearer',
      expires_in: 900,
      access_token: expect.stringMatching(/^.{40,}$/),
      refresh_token: expect.stringMatching(/^.{40,}$/),
    });
    const { access_token, refresh_token } = answer.json as Tokens;
    expect(new Set([access_token, refresh_token, 'first-access', 'first-refresh']).size).toBe(4);
    expect(await accountStatus(simulator, access_token)).toBe(200);
  });

  it('rotates the refresh token and refuses the one that was used', async () => {
    const simulator = await runSimulator();
    const first = (await exchange(simulator, right)).json as Tokens;
    const again = await exchange(simulator, right);
    expect(again).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    const second = await exchange(simulator, { ...right, refresh_token: first.refresh_token });
    expect(second.status).toBe(200);
    expect((second.json as Tokens).refresh_token).not.toBe(first.refresh_token);
  });

  it('keeps the scopes, and the access token before until it expires', async () => {
    let now = 0;
    const simulator = await runSimulator({ clock: () => now, accessTokenSeconds: 60 });
    now = 30_000;
    const { access_token } = (await exchange(simulator, right)).json as Tokens;
    const authorization = `Bearer ${access_token}`;
    expect((await simulator.ask('GET /api/v2/webhooks', { authorization })).status).toBe(200);
    expect((await simulator.ask('POST /api/v2/webhooks', { authorization, body: {} })).status).toBe(403);
    expect(await accountStatus(simulator, 'first-access')).toBe(200);
    now = 60_000;
    expect(await accountStatus(simulator, 'first-access')).toBe(401);
    expect(await accountStatus(simulator, access_token)).toBe(200);
  });

  it.each([
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ scope: 'view-webhooks' }, 400, 'invalid_scope'],
    [{ refresh_token: 'nobody' }, 400, 'invalid_grant'],
    [{ refresh_token: 'first-access' }, 400, 'invalid_grant'],
    [{ refresh_token: 'other-refresh' }, 400, 'invalid_grant'],
  ])('with %j is refused', async (change, status, error) => {
    const simulator = await runSimulator();
    const answer = await exchange(simulator, { ...right, ...change });
    expect([answer.status, (answer.json as { error: string }).error]).toEqual([status, error]);
    expect((await exchange(simulator, right)).status).toBe(200);
  });

  it.each([{ client_secret: 'wrong' }, { client_id: 'nobody' }, { client_id: 'other', client_secret: '' }])(
    'with %j is an authentication failure (7)',
    async (change) => {
      const answer = await exchange(await runSimulator(), { ...right, ...change });
      expect([answer.status, answer.text]).toEqual([401, '{"message":"Unauthenticated"}']);
    },
  );

  it.each(Object.keys(right))('without %s is refused', async (name) => {
    const simulator = await runSimulator();
    const fields = Object.entries(right).filter(([field]) => field !== name);
    const answer = await exchange(simulator, Object.fromEntries(fields));
    expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
  });

  it('with a field twice is refused', async () => {
    const { ask } = await runSimulator();
    const body = multipart([...Object.entries(right), ['refresh_token', 'first-refresh']]);
    const contentType = 'multipart/form-data; boundary=cut';
    expect((await ask('POST /api/v2/oauth/token', { contentType, body })).status).toBe(400);
  });

  it.each([
    ['application/json', JSON.stringify(right), 415],
    ['application/x-www-form-urlencoded', new URLSearchParams(right).toString(), 415],
    ['multipart/form-data; boundary=other', multipart(Object.entries(right)), 400],
    ['multipart/form-data', multipart(Object.entries(right)), 415],
  ])('takes multipart form fields, and not %s', async (contentType, body, status) => {
    const { ask } = await runSimulator();
    expect((await ask('POST /api/v2/oauth/token', { contentType, body })).status).toBe(status);
  });

  it('wants Accept: application/json', async () => {
    expect((await exchange(await runSimulator(), right, null)).status).toBe(406);
  });

  it("takes what a browser's FormData makes", async () => {
    const { baseUrl } = await runSimulator();
    const body = new FormData();
    for (const [name, value] of Object.entries(right)) body.set(name, value);
    const headers = { accept: 'application/json' };
    const answer = await fetch(`${baseUrl}/api/v2/oauth/token`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
  });
});
