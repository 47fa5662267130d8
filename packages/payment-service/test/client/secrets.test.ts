import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  accessTokenAuthentication,
  createPaymentServiceClient,
  createTokenExchange,
  privateKeyAuthentication,
  refreshingAuthentication,
} from '../../src/client/index.ts';
import { redactionOf } from '../../src/client/redaction.ts';
import { privateKey, type Received, startClient, startService, tokenJson } from './service.ts';

/** Every way in which an error or an object ends up in a log. */
function shown(value: unknown): string {
  const parts = [String(value), JSON.stringify(value), inspect(value, { depth: 20, showHidden: true })];
  if (value instanceof Error) parts.push(value.stack ?? '', shown(value.cause ?? 'no cause'));
  return parts.join('\n');
}

const failureOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => shown(error),
  );

const keySecrets = /pri_3f2b9c1e77|cHJpXzNmMmI5YzFlNzc6/;
const tokenSecrets = /access-token-\d|refresh-token-\d|client-secret-1/;

/** Answers with all it was sent: what a proxy's error page may do. */
const echo = ({ headers, body }: Received) => {
  const decoded = Buffer.from(String(headers.authorization).split(' ')[1] ?? '', 'base64').toString();
  return { status: 500, json: { message: `You sent ${headers.authorization} (${decoded}) and ${body}` } };
};

const exchangeOptions = { clientId: 'client-1', clientSecret: 'client-secret-1' };

describe('secrets', () => {
  it('5.1 are not in the client, nor in an authentication', async () => {
    const { client } = await startClient({}, {});
    expect(shown(client)).not.toMatch(keySecrets);
    expect(shown(privateKeyAuthentication(privateKey))).not.toMatch(keySecrets);
    expect(shown(accessTokenAuthentication('access-token-1'))).not.toMatch(tokenSecrets);
  });

  it('5.1 are cut out of what the service says', async () => {
    const { client } = await startClient({}, echo);
    const failure = await failureOf(client.currentAccount());
    expect(failure).toContain('You sent Basic [secret] ([secret]:)');
    expect(failure).not.toMatch(keySecrets);
  });

  it('5.1 are cut out of the errors of a fetch that quotes its headers', async () => {
    const fetch = async (_: URL, { headers }: { readonly headers: object }) => {
      throw new Error('broken', { cause: { request: { headers } } });
    };
    const { client } = await startClient({ fetch });
    const failure = await failureOf(client.currentAccount());
    expect(failure).toContain('UnreachableError');
    expect(failure).toContain('broken');
    expect(failure).not.toMatch(keySecrets);
  });

  it('leave a text as it is where they are too short to tell from its words', () => {
    const redact = redactionOf(['secret', 'a', 'pri_x', '']);
    expect(redact('a secret of the account pri_x')).toBe('a secret of the account pri_x');
    expect(redactionOf(['pri_1234'])('with pri_1234, pri_123')).toBe('with [secret], pri_123');
  });

  it('4.6 are cut out of the failures of an exchange', async () => {
    const { baseUrl } = await startService(echo);
    const failure = await failureOf(createTokenExchange({ baseUrl, ...exchangeOptions })('refresh-token-1'));
    expect(failure).toContain('refreshTokens was answered 500, "You sent');
    expect(failure).not.toMatch(tokenSecrets);
  });

  it.each([
    ['text that is not JSON', `access_token=access-token-2&refresh_token=refresh-token-2`],
    ['a field too few', JSON.stringify({ ...tokenJson(2), expires_in: undefined })],
    ['tokens in the wrong place', JSON.stringify({ ...tokenJson(2), token_type: 'access-token-2' })],
    ['a token with a space', JSON.stringify({ ...tokenJson(2), access_token: 'access-token-2 ' })],
  ])('2.4 are not in the error about an answer with %s', async (_, text) => {
    const { baseUrl } = await startService({ text });
    const failure = await failureOf(createTokenExchange({ baseUrl, ...exchangeOptions })('refresh-token-1'));
    expect(failure).toContain('UnexpectedAnswerError');
    expect(failure).not.toMatch(tokenSecrets);
  });

  it('5.3 are not in the failures of a store that quotes what it was given', async () => {
    const { baseUrl } = await startService({ json: tokenJson(2) });
    const exchange = createTokenExchange({ baseUrl, ...exchangeOptions });
    const stored = { access_token: 'access-token-1', refresh_token: 'refresh-token-1', expires_at: 0 };
    const save = async (tokens: unknown) => {
      throw new Error(`refused: ${JSON.stringify(tokens)}`);
    };
    const load = async () => JSON.parse('access-token-1');
    const saving = refreshingAuthentication({ store: { load: async () => stored, save }, exchange });
    const loading = refreshingAuthentication({ store: { load, save }, exchange });
    for (const authentication of [saving, loading]) {
      const client = createPaymentServiceClient({ baseUrl, authentication });
      const failure = await failureOf(client.currentAccount());
      expect(failure).toContain('TokenStoreError');
      expect(failure).not.toMatch(tokenSecrets);
      expect(failure).not.toMatch(/access-tok/);
      expect(shown(authentication)).not.toMatch(tokenSecrets);
    }
  });

  it('5.3 are not in the refusal of stored tokens that no header can carry', async () => {
    const stored = { access_token: 'access-token-1\n', refresh_token: 'refresh-token-1', expires_at: null };
    const store = { load: async () => stored, save: async () => undefined };
    const exchange = createTokenExchange({ baseUrl: 'https://pay.example', ...exchangeOptions });
    const authentication = refreshingAuthentication({ store, exchange });
    const failure = await failureOf(authentication.authorization());
    expect(failure).toContain('$.access_token is another string');
    expect(failure).not.toMatch(tokenSecrets);
  });
});
