import { describe, expect, it } from 'vitest';
import { CredentialsError, createSignedFetch, InvalidRequestError } from '../src/index.ts';
import { startHttpServer } from './http-server.ts';
import { identity } from './scene.ts';
import { readSignature } from './signature-v4.ts';

const signing = { credentials: identity, region: 'eu-central-1' };

describe('createSignedFetch', () => {
  it('signs a request as the clients do, under the path of the base URL', async () => {
    const { baseUrl, requests } = await startHttpServer(() => ({ body: '{}' }));
    const signedFetch = createSignedFetch({ baseUrl: `${baseUrl}/base`, ...signing });
    await signedFetch({
      method: 'GET',
      path: ['orders', "a/b %(1)'é"],
      query: { mode: 'sandbox', q: 'x y+' },
    });
    await signedFetch({ method: 'POST', path: ['operations', 'admit'], body: '{"reason":"é"}' });
    expect(requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/base/orders/a%2Fb%20%25%281%29%27%C3%A9?mode=sandbox&q=x%20y%2B', ''],
      ['POST', '/base/operations/admit', '{"reason":"é"}'],
    ]);
    for (const request of requests) {
      const { given, expected } = readSignature(request, identity.secretAccessKey);
      expect(given).toBe(expected);
    }
    expect(requests[1]?.headers['content-type']).toBe('application/json');
  });

  it.each([302, 403, 429, 503])('resolves with a %i as it is, after one attempt', async (status) => {
    const headers = { location: 'http://127.0.0.1:1/', 'retry-after': '7' };
    const { baseUrl, requests } = await startHttpServer(() => ({
      status,
      headers,
      body: '{"message":"no"}',
    }));
    const response = await createSignedFetch({ baseUrl, ...signing })({ method: 'GET', path: ['orders'] });
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, '7']);
    expect(await response.json()).toEqual({ message: 'no' });
    expect(requests).toHaveLength(1);
  });

  it.each(['', '.', '..', '\ud800'])('sends nothing for the path segment %j', async (segment) => {
    const { baseUrl, requests } = await startHttpServer(() => ({}));
    const call = createSignedFetch({ baseUrl, ...signing })({ method: 'GET', path: ['orders', segment] });
    await expect(call).rejects.toBeInstanceOf(InvalidRequestError);
    expect(requests).toEqual([]);
  });

  it('requests credentials again after a failure', async () => {
    const { baseUrl } = await startHttpServer(() => ({ body: '{}' }));
    let attempts = 0;
    const credentials = async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('The session has expired.');
      return identity;
    };
    const signedFetch = createSignedFetch({ baseUrl, region: 'eu-central-1', credentials });
    await expect(signedFetch({ method: 'GET', path: ['orders'] })).rejects.toBeInstanceOf(CredentialsError);
    expect((await signedFetch({ method: 'GET', path: ['orders'] })).status).toBe(200);
  });
});
