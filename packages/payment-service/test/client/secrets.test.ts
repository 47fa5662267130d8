import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  accessTokenAuthentication,
  createTokenExchange,
  privateKeyAuthentication,
} from '../../src/client/index.ts';
import { redactionOf, safeCause } from '../../src/client/redaction.ts';
import { privateKey, type Received, startClient, startService } from './service.ts';

/** Every way in which an error or an object ends up in a log. */
function shown(value: unknown): string {
  const parts = [String(value), JSON.stringify(value), inspect(value, { depth: 20, showHidden: true })];
  if (value instanceof Error) parts.push(value.stack ?? '', shown(value.cause ?? 'no cause'));
  return parts.join('\n');
}

const failureOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'no failure', shown);

const keySecrets = /pri_3f2b9c1e77|cHJpXzNmMmI5YzFlNzc6/;
const tokenSecrets = /access-token-\d|refresh-token-\d|client-secret-1/;

/** Sends everything back, as the error page of a proxy may. */
const echo = ({ headers, body }: Received) => {
  const decoded = Buffer.from(String(headers.authorization).split(' ')[1] ?? '', 'base64').toString();
  return { status: 500, json: { message: `You sent ${headers.authorization} (${decoded}) and ${body}` } };
};

async function failureOfExchange(script: Parameters<typeof startService>[0]): Promise<string> {
  const { baseUrl } = await startService(script);
  const exchange = createTokenExchange({ baseUrl, clientId: 'client-1', clientSecret: 'client-secret-1' });
  return failureOf(exchange('refresh-token-1'));
}

describe('keys and tokens', () => {
  it('5.1 are not in the client, nor in an authentication', async () => {
    const { client } = await startClient({}, {});
    expect(shown(client)).not.toMatch(keySecrets);
    expect(shown(privateKeyAuthentication(privateKey))).not.toMatch(keySecrets);
    expect(shown(accessTokenAuthentication('access-token-1'))).not.toMatch(tokenSecrets);
  });

  it('5.1 are cut out of the messages of the service', async () => {
    const { client } = await startClient({}, echo);
    const failure = await failureOf(client.currentAccount());
    expect(failure).toContain('You sent Basic [secret] ([secret]:)');
    expect(failure).not.toMatch(keySecrets);
  });

  it('5.1 are cut out of an account that repeats the credential', async () => {
    const repeat = ({ headers: { authorization } }: Received) => {
      const key = Buffer.from(`${authorization}`.split(' ')[1] ?? '', 'base64').toString();
      return { json: { id: 7, request: { headers: [authorization, `key ${key}`] } } };
    };
    const { client } = await startClient({}, repeat);
    const headers = ['Basic [secret]', 'key [secret]:'];
    expect(await client.currentAccount()).toEqual({ id: 7, request: { headers } });
    const authentication = accessTokenAuthentication('access-token-1');
    const byToken = await startClient({ authentication }, repeat);
    expect(shown(await byToken.client.currentAccount())).not.toMatch(tokenSecrets);
  });

  it('5.1 are cut out of the error code of the service', async () => {
    const authentication = accessTokenAuthentication('accesstoken');
    const { client } = await startClient({ authentication }, { status: 400, json: { error: 'accesstoken' } });
    const failure = await failureOf(client.currentAccount());
    expect(failure).toContain('"errorCode":"[secret]"');
    expect(failure).not.toContain('accesstoken');
  });

  it('5.1 are cut out of the errors of a fetch that quotes its headers', async () => {
    const fetch = async ({ headers }: Request) => {
      throw new Error('broken', { cause: { request: { headers: Object.fromEntries(headers) } } });
    };
    const { client } = await startClient({ fetch });
    const failure = await failureOf(client.currentAccount());
    expect(failure).toContain('UnreachableError');
    expect(failure).toContain('broken');
    expect(failure).not.toMatch(keySecrets);
  });

  it('leave out the cause of an error that quotes them, or part of a text', () => {
    const redact = redactionOf(['pri_3f2b9c1e77']);
    const messageOf = (cause: unknown) => (safeCause(cause, redact) as Error).message;
    expect(messageOf(new SyntaxError('pri_3f2b is not JSON'))).toBe('A SyntaxError, whose text is left out.');
    expect(messageOf({ sent: privateKey })).toBe('The cause quoted a secret.');
    expect(messageOf(new Error(`sent ${privateKey}`))).toBe('sent [secret]');
    const harmless = new Error('refused');
    expect(safeCause(harmless, redact)).toBe(harmless);
  });

  it('4.6 are cut out of the failures of an exchange', async () => {
    const failure = await failureOfExchange(echo);
    expect(failure).toContain('refreshTokens failed with status 500, "You sent');
    expect(failure).not.toMatch(tokenSecrets);
  });

  it.each([
    ['text that is not JSON', `access_token=access-token-2&refresh_token=refresh-token-2`],
    ['a token in the wrong place', JSON.stringify({ access_token: 'refresh-token-2' })],
  ])('2.4 are not in the error about a response with %s', async (_, text) => {
    const failure = await failureOfExchange({ text });
    expect(failure).toContain('UnexpectedResponseError');
    expect(failure).not.toMatch(tokenSecrets);
  });
});
