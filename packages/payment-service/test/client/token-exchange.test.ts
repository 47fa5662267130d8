import { describe, expect, it } from 'vitest';
import {
  createPaymentServiceClient,
  createTokenExchange,
  heldAuthentication,
  type Tokens,
  tokensOf,
} from '../../src/client/index.ts';
import { quickPolicy, type Scripted, startService, tokenJson, unauthenticated } from './service.ts';

const renewal: Scripted = { json: tokenJson(2) };
const account: Scripted = { json: { name: 'Invented Shop' } };
const first: Tokens = { access_token: 'access-token-1', refresh_token: 'refresh-token-1', expires_at: 0 };

/** A client that exchanges its held tokens for new ones; `log` has the requests and their credentials. */
async function start(...scripts: (Scripted | Promise<Scripted>)[]) {
  const log: string[] = [];
  const service = await startService(
    ...scripts.map((script) => ({ url, headers, body }: { url: string; headers: object; body: string }) => {
      const refresh = /refresh-token-\d+/.exec(body)?.[0];
      log.push(`${url.slice(8)} ${refresh ?? ('authorization' in headers ? headers.authorization : 'none')}`);
      return script;
    }),
  );
  const parts = { baseUrl: service.baseUrl, policy: quickPolicy };
  const exchange = createTokenExchange({ ...parts, clientId: 'client-1', clientSecret: 'client-secret-1' });
  const authentication = heldAuthentication<Tokens>({
    isFresh: () => true,
    obtain: async (former, isRefused) => {
      if (former === undefined && !isRefused) return first;
      return tokensOf(await exchange(former?.refresh_token ?? ''), 1_000);
    },
    accessTokenOf: ({ access_token = '' }) => access_token,
  });
  const client = createPaymentServiceClient({ ...parts, authentication });
  return { ...service, client, exchange, log };
}

const exchanges = (log: readonly string[]) => log.filter((line) => line.startsWith('oauth'));

describe('the token exchange', () => {
  it('4.6 posts the five fields of the document as a multipart form and accepts JSON', async () => {
    const { exchange, received } = await start({ json: { ...tokenJson(2), scope: '' } });
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

  it.each<[string, Scripted, number]>([
    ['not repeated after a lost response: the refresh token may be spent', { fault: 'cut' }, 1],
    ['not repeated after a refusal', { status: 400, json: { message: 'invalid_grant' } }, 1],
    ['repeated after a 429, with the same form', { status: 429 }, 2],
  ])('4.6 is %s', async (_, script, requests) => {
    const { exchange, log } = await start(script, { json: tokenJson(2) });
    const exchanged = exchange('refresh-token-1');
    if (requests === 2) expect(await exchanged).toEqual(tokenJson(2));
    else await expect(exchanged).rejects.toMatchObject({ operation: 'refreshTokens' });
    expect(log).toEqual(Array(requests).fill('oauth/token refresh-token-1'));
  });

  it('4.6 is not sent without a client id, a client secret or a refresh token', async () => {
    const parts = { baseUrl: 'https://pay.example', clientId: 'client-1', clientSecret: 'client-secret-1' };
    const message = 'The token exchange needs a client id and a client secret.';
    for (const part of [{ clientId: '' }, { clientSecret: '' }])
      expect(() => createTokenExchange({ ...parts, ...part })).toThrow(message);
    await expect(createTokenExchange(parts)('')).rejects.toMatchObject({
      ...{ name: 'InvalidRequestError', message: 'The refresh token is empty.' },
    });
  });
});

describe('held tokens', () => {
  it.each<[string, Scripted[], object | undefined, number]>([
    ['replaced after a 401, and the call is repeated', [unauthenticated, renewal, account], undefined, 3],
    [
      'not replaced a second time when the new ones get a 401 too',
      [unauthenticated, renewal, unauthenticated],
      { name: 'UnauthenticatedError', operation: 'currentAccount' },
      3,
    ],
    [
      'not replaced after a 403, because new ones have the same scopes',
      [{ status: 403 }],
      { name: 'ForbiddenError' },
      1,
    ],
  ])('5.3 are %s', async (_, script, error, requests) => {
    const { client, log } = await start(...script);
    const called = client.currentAccount();
    if (error === undefined) expect(await called).toEqual({ name: 'Invented Shop' });
    else await expect(called).rejects.toMatchObject(error);
    const all = [
      'account/me Bearer access-token-1',
      'oauth/token refresh-token-1',
      'account/me Bearer access-token-2',
    ];
    expect(log).toEqual(all.slice(0, requests));
  });

  it('5.3 are obtained anew when they are not fresh, and once for a refused header', async () => {
    const obtained: unknown[] = [];
    let isFresh = true;
    const { authorization, renew } = heldAuthentication<string>({
      isFresh: () => isFresh,
      obtain: async (former, isRefused) => `token-${obtained.push([former, isRefused])}`,
      accessTokenOf: (token) => token,
    });
    expect(await renew?.('Bearer unknown')).toBe('Bearer token-1');
    expect(await authorization()).toBe('Bearer token-1');
    expect(await renew?.('Bearer token-1')).toBe('Bearer token-2');
    expect(await renew?.('Bearer token-1')).toBe('Bearer token-2');
    isFresh = false;
    expect(await Promise.all([authorization(), authorization()])).toEqual(Array(2).fill('Bearer token-3'));
    expect(obtained).toEqual([
      [undefined, true],
      ['token-1', true],
      ['token-2', false],
    ]);
  });

  it('4.6 are exchanged to the end although the call that began it is aborted', async () => {
    const stop = new AbortController();
    const response = Promise.withResolvers<Scripted>();
    const { client, log } = await start(unauthenticated, response.promise, account);
    const aborted = client.currentAccount({ signal: stop.signal });
    await expect.poll(() => exchanges(log).length).toBe(1);
    stop.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    response.resolve({ json: tokenJson(2) });
    await expect.poll(() => client.currentAccount()).toEqual({ name: 'Invented Shop' });
    expect(exchanges(log)).toEqual(['oauth/token refresh-token-1']);
  });
});
