import { describe, expect, it } from 'vitest';
import {
  createPaymentServiceClient,
  createTokenExchange,
  refreshingAuthentication,
  type Tokens,
} from '../../src/client/index.ts';
import { type Scripted, startService, tokenJson, unauthenticated } from './service.ts';

const first: Tokens = {
  access_token: 'access-token-1',
  refresh_token: 'refresh-token-1',
  expires_at: 1_000_000,
};
const account: Scripted = { json: { name: 'Invented Shop' } };

interface Setting {
  readonly now?: number;
  readonly stored?: Tokens | undefined;
  readonly load?: () => Promise<Tokens>;
  readonly save?: (tokens: Tokens) => Promise<void>;
}

/** A client with stored tokens, at the time `now`; `log` has what happened, in order. */
async function start({ now = 0, ...setting }: Setting, ...scripts: (Scripted | Promise<Scripted>)[]) {
  const log: string[] = [];
  const state = { stored: 'stored' in setting ? setting.stored : first, now };
  const service = await startService(
    ...scripts.map((script) => ({ url, headers, body }: { url: string; headers: object; body: string }) => {
      const refresh = /refresh-token-\d+/.exec(body)?.[0];
      log.push(
        `${url.slice(8)} ${refresh ?? ('authorization' in headers ? headers.authorization : 'nobody')}`,
      );
      return script;
    }),
  );
  const parts = { baseUrl: service.baseUrl, now: () => state.now, sleep: async () => undefined };
  const exchange = createTokenExchange({ ...parts, clientId: 'client-1', clientSecret: 'client-secret-1' });
  const save = async (tokens: Tokens) => {
    log.push(`save ${tokens.refresh_token}`);
    await setting.save?.(tokens);
    state.stored = tokens;
  };
  const store = { load: setting.load ?? (async () => state.stored), save };
  const authentication = refreshingAuthentication({ store, exchange, now: parts.now });
  const client = createPaymentServiceClient({ ...parts, authentication });
  return { ...service, client, exchange, state, log };
}

describe('the token exchange', () => {
  it('4.6 posts the five fields as a multipart form, scope empty, for JSON, in the order of the document', async () => {
    const { exchange, received } = await start({}, { json: tokenJson(2) });
    expect(await exchange('refresh-token-1')).toEqual(tokenJson(2));
    const { method, url, headers, body } = received[0] ?? { headers: {}, body: '' };
    expect([method, url, headers.accept]).toEqual(['POST', '/api/v2/oauth/token', 'application/json']);
    expect(headers.authorization).toBeUndefined();
    const [, boundary] = /^multipart\/form-data; boundary=(\S+)$/.exec(headers['content-type'] ?? '') ?? [];
    const parts = body.split(`--${boundary}`).map((part) => part.trim());
    const field = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"${value}`;
    expect(parts).toEqual([
      '',
      field('client_id', '\r\n\r\nclient-1'),
      field('client_secret', '\r\n\r\nclient-secret-1'),
      field('grant_type', '\r\n\r\nrefresh_token'),
      field('refresh_token', '\r\n\r\nrefresh-token-1'),
      field('scope', ''),
      '--',
    ]);
  });

  it.each<[string, Scripted]>([
    ['an answer that got lost', { fault: 'cut' }],
    ['a fault of the service', { status: 503, headers: { 'retry-after': '0' } }],
    ['a refusal', { status: 400, json: { message: 'invalid_grant' } }],
  ])('4.6 is not repeated after %s, for the refresh token may be spent', async (_, script) => {
    const { exchange, received } = await start({}, script, { json: tokenJson(2) });
    await expect(exchange('refresh-token-1')).rejects.toMatchObject({ operation: 'refreshTokens' });
    expect(received).toHaveLength(1);
  });

  it('4.6 is repeated when it was told to slow down, and so was not served', async () => {
    const { exchange, received } = await start({}, { status: 429 }, { json: tokenJson(2) });
    expect(await exchange('refresh-token-1')).toEqual(tokenJson(2));
    expect(received).toHaveLength(2);
  });
});

describe('the renewal', () => {
  it('5.3 leaves a token alone that is good', async () => {
    const { client, log } = await start({ now: 939_999 }, account);
    await client.currentAccount();
    expect(log).toEqual(['account/me Bearer access-token-1']);
  });

  it('5.3 renews a minute before expiry, and keeps the new tokens before it uses them', async () => {
    const { client, log, state } = await start({ now: 940_000 }, { json: tokenJson(2) }, account);
    await client.currentAccount();
    expect(log).toEqual([
      'oauth/token refresh-token-1',
      'save refresh-token-2',
      'account/me Bearer access-token-2',
    ]);
    expect(state.stored?.expires_at).toBe(940_000 + 3_600_000);
  });

  it('5.3 renews once after a 401, and repeats once', async () => {
    const { client, log } = await start({}, unauthenticated, { json: tokenJson(2) }, account);
    expect(await client.currentAccount()).toEqual({ name: 'Invented Shop' });
    expect(log).toEqual([
      'account/me Bearer access-token-1',
      'oauth/token refresh-token-1',
      'save refresh-token-2',
      'account/me Bearer access-token-2',
    ]);
  });

  it('5.3 does not renew a second time when the new token is answered 401 too', async () => {
    const { client, received } = await start({}, unauthenticated, { json: tokenJson(2) }, unauthenticated);
    await expect(client.currentAccount()).rejects.toMatchObject({
      name: 'UnauthenticatedError',
      operation: 'currentAccount',
    });
    expect(received).toHaveLength(3);
  });

  it('5.3 does not renew after a 403: another token has the same scopes', async () => {
    const { client, received } = await start({}, { status: 403, json: { message: 'Unauthenticated' } });
    await expect(client.listWebhooks()).rejects.toMatchObject({ name: 'ForbiddenError' });
    expect(received).toHaveLength(1);
  });

  it('4.6 runs one exchange for calls that need one at the same time', async () => {
    const { client, log } = await start({ now: 2_000_000 }, { json: tokenJson(2) }, account);
    await Promise.all([client.currentAccount(), client.currentAccount(), client.currentAccount()]);
    expect(log.filter((line) => line.startsWith('oauth'))).toEqual(['oauth/token refresh-token-1']);
    expect(log.filter((line) => line === 'account/me Bearer access-token-2')).toHaveLength(3);
  });

  it('4.6 runs one exchange for calls that are answered 401 at the same time', async () => {
    const script = [unauthenticated, unauthenticated, { json: tokenJson(2) }, account];
    const { client, log } = await start({}, ...script);
    await Promise.all([client.currentAccount(), client.currentAccount()]);
    expect(log.filter((line) => line.startsWith('oauth'))).toEqual(['oauth/token refresh-token-1']);
  });

  it('4.6 runs no second exchange for a call whose 401 comes after the renewal', async () => {
    const late = Promise.withResolvers<Scripted>();
    const script = [late.promise, unauthenticated, { json: tokenJson(2) }, account];
    const { client, log, received } = await start({}, ...script);
    const slow = client.currentAccount();
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await client.currentAccount();
    late.resolve(unauthenticated);
    expect(await slow).toEqual({ name: 'Invented Shop' });
    expect(log.filter((line) => line.startsWith('oauth'))).toEqual(['oauth/token refresh-token-1']);
  });

  it('4.6 does not use tokens that could not be kept, and keeps them the next time without an exchange', async () => {
    let saves = 0;
    const save = async () => {
      if (++saves === 1) throw new Error('the store is down');
    };
    const { client, log } = await start({ now: 2_000_000, save }, { json: tokenJson(2) }, account);
    await expect(client.currentAccount()).rejects.toMatchObject({
      name: 'TokenStoreError',
      cause: new Error('the store is down'),
    });
    expect(log).toEqual(['oauth/token refresh-token-1', 'save refresh-token-2']);
    await client.currentAccount();
    expect(log.slice(2)).toEqual(['save refresh-token-2', 'account/me Bearer access-token-2']);
  });

  it('4.6 takes tokens that another process has kept, and spends no refresh token', async () => {
    const { client, log, state } = await start({}, account, unauthenticated, account);
    await client.currentAccount();
    state.stored = { ...first, access_token: 'access-token-7', refresh_token: 'refresh-token-7' };
    await client.currentAccount();
    expect(log.slice(1)).toEqual(['account/me Bearer access-token-1', 'account/me Bearer access-token-7']);
  });

  it('4.6 takes the tokens of a process that spent the same refresh token first', async () => {
    const theirs = { access_token: 'access-token-7', refresh_token: 'refresh-token-7', expires_at: null };
    let loads = 0;
    const load = async () => (++loads === 1 ? first : theirs);
    const refused = { status: 400, json: { message: 'invalid_grant' } };
    const { client, log } = await start({ now: 2_000_000, load }, refused, account);
    await client.currentAccount();
    expect(log).toEqual(['oauth/token refresh-token-1', 'account/me Bearer access-token-7']);
  });

  it('5.3 has no token to send when there never was one', async () => {
    const { client, received } = await start({ stored: undefined }, account);
    await expect(client.currentAccount()).rejects.toMatchObject({ name: 'TokenStoreError' });
    expect(received).toEqual([]);
  });

  it('4.6 brings an exchange to its end, though the call that began it is aborted', async () => {
    const stop = new AbortController();
    const save = async () => stop.abort(new Error('enough'));
    const { client, state, log } = await start({ now: 2_000_000, save }, { json: tokenJson(2) }, account);
    await expect(client.currentAccount({ signal: stop.signal })).rejects.toThrow('enough');
    await client.currentAccount();
    expect(state.stored?.refresh_token).toBe('refresh-token-2');
    expect(log.filter((line) => line.startsWith('oauth'))).toHaveLength(1);
  });
});
