import { describe, expect, it, vi } from 'vitest';
import {
  CredentialsError,
  createOrderClient,
  EventNotFoundError,
  InvalidRequestError,
  OrderClientError,
  OrderNotFoundError,
  ProblemError,
  TransactionNotFoundError,
  UnexpectedResponseError,
} from '../src/index.ts';
import { order, orderEvents } from './example-responses.ts';
import { type ScriptedResponse, startHttpServer } from './http-server.ts';
import { body, firstThen, identity, problem, rejection, scene } from './scene.ts';
import { readSignature } from './signature-v4.ts';

describe('the signature', () => {
  const signing = { credentials: identity, region: 'eu-central-1' };

  it('is checked by test code that reproduces an example of the AWS documentation', () => {
    const date = '20150830T123600Z';
    const published = '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31';
    const authorization =
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
      `SignedHeaders=host;x-amz-date, Signature=${published}`;
    const headers = { host: 'example.amazonaws.com', 'x-amz-date': date, authorization };
    const { expected } = readSignature({ method: 'GET', url: '/', headers }, identity.secretAccessKey);
    expect(expected).toBe(published);
  });

  it.each(['order-1', 'a/b é?', "o'neil (1)*!", 'a%2Fb', 'a b+c~', '...', '😀'])(
    'is valid for the order id %j, which the server decodes to the same id',
    async (id) => {
      const { client, requests } = await scene(() => ({ body }), signing);
      await client.order(id, { mode: 'sandbox' });
      const [request] = requests;
      if (request === undefined) return expect.unreachable();
      const { given, expected, ...rest } = readSignature(request, identity.secretAccessKey);
      expect(given).toBe(expected);
      expect(rest).toMatchObject({
        accessKeyId: 'AKIDEXAMPLE',
        scope: expect.stringMatching(/^\d{8}\/eu-central-1\/execute-api\/aws4_request$/),
        signedHeaders: expect.arrayContaining(['host', 'x-amz-date']),
      });
      const [, , segment = ''] = request.url.split(/[/?]/);
      expect(decodeURIComponent(segment)).toBe(id);
      expect(request.url).toMatch(/^\/orders\/[\w.~%-]+\?mode=sandbox$/);
    },
  );

  it('is valid for a list with every parameter', async () => {
    const { client, requests } = await scene(() => ({ body: '{"orders":[],"next_cursor":null}' }), signing);
    const span = {
      updatedSince: '2026-11-21T10:00:00+01:00',
      updatedUntil: new Date('2026-11-22T10:00:00Z'),
    };
    const filter = { status: 'paid', attention: 'disputed', sortOrder: 'desc' } as const;
    await client.orders({ ...span, ...filter, limit: 7, cursor: 'a-_b', mode: 'live' });
    const [request] = requests;
    if (request === undefined) return expect.unreachable();
    const { given, expected } = readSignature(request, identity.secretAccessKey);
    expect(given).toBe(expected);
    expect(request.url).toBe(
      '/orders?updated_since=2026-11-21T10%3A00%3A00%2B01%3A00&updated_until=2026-11-22T10%3A00%3A00.000Z' +
        '&status=paid&attention=disputed&sort_order=desc&limit=7&cursor=a-_b&mode=live',
    );
  });

  it('covers the session token of a role', async () => {
    const credentials = { ...identity, sessionToken: 'session' };
    const { client, requests } = await scene(() => ({ body }), { ...signing, credentials });
    await client.order('order-1');
    const [request] = requests;
    if (request === undefined) return expect.unreachable();
    const { given, expected, signedHeaders } = readSignature(request, identity.secretAccessKey);
    expect(given).toBe(expected);
    expect(signedHeaders).toContain('x-amz-security-token');
    expect(request.headers['x-amz-security-token']).toBe('session');
  });

  it('is omitted in local mode', async () => {
    const { client, requests } = await scene(() => ({ body }));
    await client.order('order-1');
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('uses the default credential chain of the AWS SDK when no credentials are given', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDENVIRONMENT');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_SESSION_TOKEN', undefined);
    vi.stubEnv('AWS_REGION', 'sa-east-1');
    const { client, requests } = await scene(() => ({ body }), { credentials: undefined });
    await client.order('order-1');
    const [request] = requests;
    if (request === undefined) return expect.unreachable();
    const { given, expected, accessKeyId, scope } = readSignature(request, 'secret');
    expect(given).toBe(expected);
    expect(accessKeyId).toBe('AKIDENVIRONMENT');
    expect(scope).toContain('/sa-east-1/');
  });

  it('fetches credentials once, and again shortly before they expire', async () => {
    let fetched = 0;
    const lasting = (seconds: number) => async () => {
      fetched += 1;
      return { ...identity, expiration: new Date(Date.now() + seconds * 1000) };
    };
    const hour = await scene(() => ({ body }), { ...signing, credentials: lasting(3_600) });
    for (let n = 0; n < 3; n += 1) await hour.client.order('order-1');
    expect(fetched).toBe(1);
    const minute = await scene(() => ({ body }), { ...signing, credentials: lasting(60) });
    for (let n = 0; n < 3; n += 1) await minute.client.order('order-1');
    expect(fetched).toBeGreaterThanOrEqual(4);
  });

  it('throws a CredentialsError and sends nothing when the provider returns no credentials', async () => {
    const { client, requests } = await scene(() => ({ body }), {
      region: 'eu-central-1',
      credentials: async () => ({}) as typeof identity,
    });
    expect(await rejection(client.order('order-1'))).toBeInstanceOf(CredentialsError);
    expect(requests).toHaveLength(0);
  });

  it('throws a CredentialsError and sends nothing when the provider fails', async () => {
    const cause = new Error('no role');
    const credentials = () => Promise.reject(cause);
    const { client, requests } = await scene(() => ({ body }), { ...signing, credentials });
    const error = await rejection(client.order('order-1'));
    expect(error).toBeInstanceOf(CredentialsError);
    expect(error).toMatchObject({ name: 'CredentialsError', cause });
    expect(requests).toEqual([]);
  });

  it('takes its region from an API Gateway URL', async () => {
    const sent: Record<string, string>[] = [];
    const client = createOrderClient({
      baseUrl: 'https://abc123.execute-api.ap-south-1.amazonaws.com/',
      credentials: identity,
      fetch: async ({ url, headers }) => {
        sent.push({ url, ...Object.fromEntries(headers) });
        return new Response(body);
      },
    });
    await client.order('order-1');
    expect(sent[0]).toMatchObject({
      url: 'https://abc123.execute-api.ap-south-1.amazonaws.com/orders/order-1',
      authorization: expect.stringContaining('/ap-south-1/execute-api/aws4_request'),
    });
  });

  it('needs a region where the URL contains none', () => {
    vi.stubEnv('AWS_REGION', undefined);
    const create = () => createOrderClient({ baseUrl: 'https://orders.example', credentials: identity });
    expect(create).toThrow('No region to sign for: orders.example contains none and AWS_REGION is not set.');
  });
});

describe('a response', () => {
  it('about a wrong parameter becomes a ProblemError with its name', async () => {
    const { client } = await scene(() => problem(400, { parameter: 'limit' }));
    const error = await rejection(client.orders({ limit: 0 }));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toBeInstanceOf(OrderClientError);
    expect(error).toMatchObject({ status: 400, problem: { parameter: 'limit' } });
  });

  it('404 of payhooks becomes the error of what was requested', async () => {
    const { client } = await scene(() => problem(404));
    for (const call of [client.order('x'), client.orderEvents('x'), client.orderEvents('events')]) {
      expect(await rejection(call)).toBeInstanceOf(OrderNotFoundError);
    }
    expect(await rejection(client.event('x'))).toBeInstanceOf(EventNotFoundError);
    expect(await rejection(client.transaction('x'))).toBeInstanceOf(TransactionNotFoundError);
    expect(await rejection(client.order('events'))).toBeInstanceOf(OrderNotFoundError);
  });

  it('404 lists the events that name the order and wait; one of an older release lists none', async () => {
    const waiting = [{ event_id: 'evt-1', kind: 'quarantined', reason: 'sandbox_flag_missing' }];
    const { client } = await scene(firstThen(problem(404, { waiting, acts: [] }), problem(404)));
    expect(await rejection(client.order('x'))).toMatchObject({ name: 'OrderNotFoundError', waiting });
    expect(await rejection(client.orderEvents('x'))).toMatchObject({ waiting: [], acts: [] });
  });

  it('404 of API Gateway does not become an OrderNotFoundError', async () => {
    const { client } = await scene(() => ({ status: 404, body: '{"message":"Not Found"}' }));
    const error = await rejection(client.order('x'));
    expect(error).not.toBeInstanceOf(OrderNotFoundError);
    expect(error).toMatchObject({ name: 'ProblemError', message: '404 Not Found: Not Found' });
  });

  it.each([
    ['{"message":"Forbidden"}', '403 Forbidden: Forbidden'],
    ['<html>', '403 Forbidden: The response has no message.'],
    ['null', '403 Forbidden: The response has no message.'],
  ])('403 with the body %s becomes a ProblemError', async (body, message) => {
    const { client } = await scene(() => ({ status: 403, body }));
    expect(await rejection(client.order('x'))).toMatchObject({ name: 'ProblemError', message });
  });

  it.each(['<html>', '{}', '[]', 'null', '{"orders":[],"next_cursor":null}'])(
    '200 that is not an order becomes an UnexpectedResponseError: %s',
    async (body) => {
      const { client } = await scene(() => ({ body }));
      expect(await rejection(client.order('x'))).toBeInstanceOf(UnexpectedResponseError);
    },
  );

  it('comes from the mode that the caller chose, whatever is read', async () => {
    const all = {
      orders: [],
      next_cursor: null,
      order_id: 'o',
      status: 'paid',
      attention: [],
      transactions: [],
    };
    const event = { id: 'e', outcome: 'applied', body_base64: '', events: [], transaction_id: 't' };
    const { client, requests } = await scene(() => ({ body: JSON.stringify({ ...all, ...event }) }));
    const mode = 'sandbox';
    await client.order('o', { mode });
    await client.orderEvents('o', { mode });
    await client.event('e', { mode });
    await client.transaction('t', { mode });
    await client.orders({ mode });
    for await (const _ of client.allOrders({ mode })) expect.unreachable();
    const stop = new AbortController();
    const changes = client.changes({ mode, signal: stop.signal }).next();
    await expect.poll(() => requests).toHaveLength(7);
    stop.abort();
    await changes;
    expect(requests.map(({ url }) => new URL(url, 'http://api').searchParams.get('mode'))).toEqual(
      Array.from({ length: 7 }, () => 'sandbox'),
    );
  });

  it('of a transaction comes from its route', async () => {
    const transaction = { transaction_id: 'a/b', mode: 'live', orders: [], events_without_order_id: [] };
    const { client, requests } = await scene(() => ({ body: JSON.stringify(transaction) }));
    expect(await client.transaction('a/b', { mode: 'live' })).toEqual(transaction);
    expect(requests[0]?.url).toBe('/transactions/a%2Fb?mode=live');
  });

  it('keeps fields that this version does not know', async () => {
    const body = JSON.stringify({ ...orderEvents, a_later_field: 1 });
    const { client, requests } = await scene(() => ({ body }));
    expect(await client.orderEvents('order-1')).toEqual({ ...orderEvents, a_later_field: 1 });
    expect(requests[0]?.url).toBe('/orders/order-1/events');
  });
});

describe('an invalid request', () => {
  it.each(['', '.', '..', '\ud800'])('for the id %j is refused before it is sent', async (id) => {
    const { client, requests } = await scene(() => ({ body }));
    for (const call of [client.order(id), client.orderEvents(id), client.event(id), client.transaction(id)]) {
      expect(await rejection(call)).toBeInstanceOf(InvalidRequestError);
    }
    expect(requests).toEqual([]);
  });

  it.each(['', 'orders.example', 'ftp://orders.example', 'https://orders.example/?a=b'])(
    'to the baseUrl %j is refused',
    (baseUrl) => {
      expect(() => createOrderClient({ baseUrl, credentials: false })).toThrow(InvalidRequestError);
    },
  );

  it('is not one to a baseUrl with a path', async () => {
    const { baseUrl, requests } = await startHttpServer(() => ({ body }));
    await createOrderClient({ baseUrl: `${baseUrl}/payments/`, credentials: false }).order('x');
    expect(requests[0]?.url).toBe('/payments/orders/x');
  });
});

describe('an abort', () => {
  const reason = new Error('enough');

  it('before the call prevents the request', async () => {
    const { client, requests } = await scene(() => ({ body }));
    expect(await rejection(client.order('x', { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(requests).toEqual([]);
  });

  it.each([
    ['an attempt', { fault: 'hang' }],
    ['a pause', { status: 503, headers: { 'retry-after': '30' } }],
  ] as const)('during %s rejects at once with the reason of the caller', async (_, response) => {
    const controller = new AbortController();
    const { client, requests } = await scene(() => {
      setTimeout(() => controller.abort(reason), 30);
      return response;
    });
    expect(await rejection(client.order('x', { signal: controller.signal }))).toBe(reason);
    expect(requests).toHaveLength(1);
  });
});

describe('allOrders()', () => {
  it('follows the cursor of each page and keeps the other parameters', async () => {
    const page = (ids: string[], next: string | null): ScriptedResponse => ({
      body: JSON.stringify({
        orders: ids.map((id) => ({ ...order, order_id: id })),
        next_cursor: next,
      }),
    });
    const pages = [page(['a', 'b'], 'one'), page([], 'two'), page(['c'], null)];
    const { client, requests } = await scene((_, count) => pages[count - 1] ?? problem(500));
    const ids: string[] = [];
    for await (const { order_id } of client.allOrders({ status: 'paid', limit: 2 })) ids.push(order_id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(requests.map(({ url }) => url)).toEqual([
      '/orders?status=paid&limit=2',
      '/orders?status=paid&limit=2&cursor=one',
      '/orders?status=paid&limit=2&cursor=two',
    ]);
  });
});
