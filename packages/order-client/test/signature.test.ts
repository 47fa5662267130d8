import { startService } from '@payhooks/payment-service/testing';
import { describe, expect, it, vi } from 'vitest';
import { CredentialsError, createOrderClient, createSignedFetch } from '../src/index.ts';
import { body, identity, order, rejection, scene, signing } from './scene.ts';
import { sdkAuthorization } from './signature-v4.ts';

describe('the signature', () => {
  it.each(['order-1', 'a/b', 'a%2Fb', 'ümläut 😀', "o'neil #1", '(1)*!', '...', 'a b+c~?&=', '//', '$&'])(
    'is that of the AWS SDK for the order id %j, which the server decodes to the same id',
    async (id) => {
      const { client, requests } = await scene(() => ({ text: body }), signing);
      await client.order(id, { mode: 'sandbox' });
      const [request] = requests;
      if (request === undefined) return expect.unreachable();
      expect(request.headers.authorization).toBe(await sdkAuthorization(request));
      expect(request.headers['x-amz-security-token']).toBe('SESSION-TOKEN');
      expect(request.url).toMatch(/^\/orders\/[\w.~%-]+\?mode=sandbox$/);
      const [, , segment = ''] = request.url.split(/[/?]/);
      expect(decodeURIComponent(segment)).toBe(id);
    },
  );

  it('is that of the AWS SDK for a list with every parameter', async () => {
    const { client, requests } = await scene(() => ({ text: '{"orders":[],"next_cursor":null}' }), signing);
    await client.orders({
      ...{ updated_since: '2026-11-21T10:00:00+01:00', status: 'paid', attention: 'disputed', limit: 7 },
      ...{ sort_order: 'desc', cursor: "a'(b)", mode: 'live', updated_until: undefined },
    });
    const [request] = requests;
    if (request === undefined) return expect.unreachable();
    expect(request.headers.authorization).toBe(await sdkAuthorization(request));
    expect(request.url).toBe(
      '/orders?updated_since=2026-11-21T10%3A00%3A00%2B01%3A00&status=paid&attention=disputed&limit=7' +
        '&sort_order=desc&cursor=a%27%28b%29&mode=live',
    );
  });
});

describe('the credentials', () => {
  it('come from the default chain of the AWS SDK when none are given', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDENVIRONMENT');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_SESSION_TOKEN', undefined);
    vi.stubEnv('AWS_REGION', 'sa-east-1');
    const { client, requests } = await scene(() => ({ text: body }), { credentials: undefined });
    await client.order('order-1');
    expect(requests[0]?.headers.authorization).toMatch(/ Credential=AKIDENVIRONMENT\/\d{8}\/sa-east-1\//);
    expect(requests[0]?.headers).not.toHaveProperty('x-amz-security-token');
  });

  it('are fetched once for several requests, and again shortly before they expire', async () => {
    const lasting = (seconds: number) =>
      vi.fn(async () => ({ ...identity, expiration: new Date(Date.now() + seconds * 1000) }));
    const [hour, minute] = [lasting(3600), lasting(60)];
    const long = await scene(() => ({ text: body }), { ...signing, credentials: hour });
    await Promise.all([1, 2, 3].map(() => long.client.order('order-1')));
    await long.client.order('order-1');
    expect(hour).toHaveBeenCalledTimes(1);
    const short = await scene(() => ({ text: body }), { ...signing, credentials: minute });
    for (let n = 0; n < 3; n += 1) await short.client.order('order-1');
    expect(minute).toHaveBeenCalledTimes(3);
  });

  it('that are missing are a CredentialsError, and the next request looks for them again', async () => {
    const cause = new Error('The session has expired.');
    const credentials = vi.fn(async () => identity);
    credentials.mockRejectedValueOnce(cause).mockResolvedValueOnce({} as typeof identity);
    const { client, requests } = await scene(() => ({ text: body }), { ...signing, credentials });
    const error = await rejection(client.order('order-1'));
    expect(error).toBeInstanceOf(CredentialsError);
    expect(error).toMatchObject({ name: 'CredentialsError', cause });
    expect(requests).toEqual([]);
    const none = await scene(() => ({ text: body }), { ...signing, credentials });
    expect(await rejection(none.client.order('order-1'))).toBeInstanceOf(CredentialsError);
    expect(await client.order('order-1')).toEqual(order);
  });
});

describe('the region', () => {
  it.each([
    ['a public', 'https://abc123.execute-api.ap-south-1.amazonaws.com/'],
    ['a private', 'https://abc123-vpce-0a1b.execute-api.ap-south-1.amazonaws.com/v1/'],
  ])('comes from the URL of %s API of API Gateway', async (_, baseUrl) => {
    const fetch = vi.fn(async (_: Request) => new Response(body));
    await createOrderClient({ baseUrl, credentials: identity, fetch }).order('order-1');
    const [request] = fetch.mock.calls[0] ?? [];
    expect(request?.url).toBe(`${baseUrl}orders/order-1`);
    expect(request?.headers.get('authorization')).toContain('/ap-south-1/execute-api/aws4_request');
  });

  it('must be given where the URL contains none', () => {
    vi.stubEnv('AWS_REGION', undefined);
    const create = () => createOrderClient({ baseUrl: 'https://orders.example', credentials: identity });
    expect(create).toThrow('No region to sign for: orders.example contains none and AWS_REGION is not set.');
  });
});

describe('createSignedFetch()', () => {
  it.each([200, 302, 403, 429, 503])('signs a request and resolves with its %i as it is', async (status) => {
    const headers = { location: 'http://127.0.0.1:1/', 'retry-after': '7' };
    const { baseUrl, received: requests } = await startService(() => ({
      status,
      headers,
      text: '{"message":"no"}',
    }));
    const init = { method: 'POST', body: '{"reason":"é"}', redirect: 'manual' } as const;
    const sent = new Request(`${baseUrl}/base/a%2Fb%20%25(1)'%C3%A9?q='x%20y%2B`, init);
    const response = await createSignedFetch({ baseUrl, ...signing })(sent);
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, '7']);
    expect(await response.json()).toEqual({ message: 'no' });
    expect(requests).toMatchObject([
      { url: '/base/a%2Fb%20%25%281%29%27%C3%A9?q=%27x%20y%2B', method: 'POST', body: '{"reason":"é"}' },
    ]);
    const [request] = requests;
    if (request === undefined) return expect.unreachable();
    expect(request.headers.authorization).toBe(await sdkAuthorization(request));
  });
});
