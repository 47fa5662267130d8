import { describe, expect, it } from 'vitest';
import {
  accessTokenAuthentication,
  createPaymentServiceClient,
  privateKeyAuthentication,
} from '../../src/client/index.ts';
import { pageJson, privateKey, startClient, unauthenticated } from './service.ts';

describe('the private key', () => {
  it('5.1 goes out as the user name of a Basic credential with an empty password', async () => {
    const { client, received } = await startClient({}, { json: pageJson([]) });
    await client.listWebhooks();
    // printf 'pri_3f2b9c1e77:' | base64
    expect(received[0]?.headers.authorization).toBe('Basic cHJpXzNmMmI5YzFlNzc6');
  });

  it('5.1 is sent once when it gets a 401', async () => {
    const { client, received } = await startClient({}, unauthenticated);
    await expect(client.currentAccount()).rejects.toMatchObject({ name: 'UnauthenticatedError' });
    expect(received).toHaveLength(1);
  });

  it('5.2 is refused as a sandbox key before it is sent, with the reason', () => {
    expect(() => privateKeyAuthentication('pri_sandbox_9a8b7c')).toThrow(
      expect.objectContaining({
        name: 'RefusedKeyError',
        message:
          'API v2 accepts live private keys only, and this one is a sandbox key (section 5.2): it was not sent.',
      }),
    );
  });

  it.each(['', 'pri_', 'pub_1234', ' pri_1234', 'pri_12\n34', 'pri_12:34', 'PRI_1234'])(
    '5.1 is refused before it is sent when it is %j',
    (key) => {
      const refused = expect.objectContaining({ name: 'RefusedKeyError' });
      expect(() => privateKeyAuthentication(key)).toThrow(refused);
    },
  );
});

describe('the access token', () => {
  it('5.3 goes out as a Bearer credential', async () => {
    const authentication = accessTokenAuthentication('access-token-1');
    const { client, received } = await startClient({ authentication }, { json: {} });
    await client.currentAccount();
    expect(received[0]?.headers.authorization).toBe('Bearer access-token-1');
  });

  it.each(['pri_sandbox_9a8b7c', privateKey, '', 'two words', 'line\nbreak'])(
    '5.2 is refused before it is sent, and not quoted, when it is %j',
    (token) => {
      const refused = expect.objectContaining({ name: 'RefusedKeyError' });
      expect(() => accessTokenAuthentication(token)).toThrow(refused);
      expect(() => accessTokenAuthentication(token)).not.toThrow(/9a8b7c|3f2b9c|two words|break/);
    },
  );
});

describe('the base address', () => {
  const authentication = privateKeyAuthentication(privateKey);
  const create = (baseUrl: string) => () => createPaymentServiceClient({ baseUrl, authentication });

  it.each([
    ['http://pay.example', 'not https'],
    ['http://127.0.0.1.pay.example', 'not https'],
    ['http://10.0.0.1', 'not https'],
    ['ftp://127.0.0.1', 'not https'],
    ['https://user:word@pay.example', 'more than an origin and a path'],
    ['https://pay.example/?a=b', 'more than an origin and a path'],
    ['https://pay.example/api/v2', 'adds itself'],
    ['pri_3f2b9c1e77', 'not a URL'],
  ])('5.1 never takes the key to %s', (baseUrl, reason) => {
    expect(create(baseUrl)).toThrow(
      expect.objectContaining({ name: 'InvalidRequestError', message: expect.stringContaining(reason) }),
    );
    expect(create(baseUrl)).not.toThrow(/word|pri_/);
  });

  it.each(['https://pay.example', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])(
    '5.1 takes the key to %s',
    (baseUrl) => {
      expect(create(baseUrl)).not.toThrow();
    },
  );

  it('9 is followed by /api/v2, after its own path', async () => {
    const urls: string[] = [];
    const fetch = async ({ url }: Request) => {
      urls.push(url);
      return Response.json({});
    };
    for (const baseUrl of ['https://pay.example', 'https://pay.example/service/']) {
      await createPaymentServiceClient({ baseUrl, authentication, fetch }).currentAccount();
    }
    expect(urls).toEqual([
      'https://pay.example/api/v2/account/me',
      'https://pay.example/service/api/v2/account/me',
    ]);
  });
});
