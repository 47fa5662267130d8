import { describe, expect, it } from 'vitest';
import {
  accessTokenAuthentication,
  createPaymentServiceClient,
  privateKeyAuthentication,
} from '../../src/client/index.ts';
import { privateKey, startClient, unauthenticated } from './service.ts';

describe('a credential', () => {
  it('5.1 is sent once when it gets a 401', async () => {
    const { client, received } = await startClient({}, unauthenticated);
    await expect(client.currentAccount()).rejects.toMatchObject({ name: 'UnauthenticatedError' });
    // printf 'pri_3f2b9c1e77:' | base64
    expect(received.map(({ headers }) => headers.authorization)).toEqual(['Basic cHJpXzNmMmI5YzFlNzc6']);
  });

  it('5.2 that is a sandbox key is refused before it is sent, with the reason', () => {
    expect(() => privateKeyAuthentication('pri_sandbox_9a8b7c')).toThrow(
      'API v2 accepts live private keys only, and this one is a sandbox key (section 5.2): it was not sent.',
    );
  });

  const keys = ['', 'pri_', 'pub_1234', ' pri_1234', 'pri_12\n34', 'pri_12:34', 'PRI_1234'];
  it.each([
    [privateKeyAuthentication, keys, 'A private key has the form pri_<identifier>, printable ASCII'],
    [accessTokenAuthentication, ['pri_sandbox_1234', privateKey], 'The given access token is a private key.'],
    [accessTokenAuthentication, ['', 'a 34', 'a\n34'], 'The given access token is not printable ASCII'],
  ])('5.1 and 5.3 of another form is refused before it is sent, and not quoted: %o', (...given) => {
    const [authenticate, wrong, message] = given;
    for (const credential of wrong) {
      const refused = { name: 'RefusedKeyError', message: expect.stringContaining(message) };
      expect(() => authenticate(credential)).toThrow(expect.objectContaining(refused));
      expect(() => authenticate(credential)).not.toThrow(/34|3f2b9c/);
    }
  });

  it.each([
    [privateKeyAuthentication('pri_!~'), 'Basic cHJpXyF+Og=='],
    [accessTokenAuthentication('!token~'), 'Bearer !token~'],
  ])('5.1 and 5.3 is sent in its header (%#)', async (authentication, header) => {
    expect(await authentication.authorization()).toEqual(header);
  });
});

describe('the base address', () => {
  const authentication = privateKeyAuthentication(privateKey);
  const create = (baseUrl: string) => () => createPaymentServiceClient({ baseUrl, authentication });

  it.each([
    ['http://pay.example', 'not https'],
    ['http://notlocalhost', 'not https'],
    ['ftp://127.0.0.1', 'not https'],
    ['http://localhost.pay.example', 'not https'],
    ['https://user:word@pay.example', 'more than an origin and a path'],
    ['https://pay.example/?a=b', 'more than an origin and a path'],
    ['https://pay.example/api/v2', 'ends in /api/v2, which this client adds itself (section 9)'],
    ['pri_3f2b9c1e77', 'not a URL'],
  ])('5.1 never takes the key to %s', (baseUrl, reason) => {
    expect(create(baseUrl)).toThrow(
      expect.objectContaining({ name: 'InvalidRequestError', message: expect.stringContaining(reason) }),
    );
    expect(create(baseUrl)).not.toThrow(/word|pri_/);
  });

  it.each([
    ['https://pay.example', 'https://pay.example/api/v2/account/me'],
    ['https://pay.example/service/', 'https://pay.example/service/api/v2/account/me'],
    ['http://localhost:1', 'http://localhost:1/api/v2/account/me'],
    ['http://[::1]:1', 'http://[::1]:1/api/v2/account/me'],
  ])('5.1 and 9 %s may get the key, under /api/v2', async (baseUrl, expected) => {
    const fetch = async ({ url }: Request) => Response.json({ url });
    const client = createPaymentServiceClient({ baseUrl, authentication, fetch });
    expect(await client.currentAccount()).toEqual({ url: expected });
  });
});
