import {
  CredentialsError,
  createOrderClient,
  EventNotFoundError,
  ForeignAnswerError,
  NoAnswerError,
  OrderClientError,
  type OrderClientOptions,
  OrderNotFoundError,
  ProblemError,
  UnaskableError,
} from '@payhooks/order-client';
import { describe, expect, it, vi } from 'vitest';
import { parseRetryAfter, pauseMilliseconds } from '../packages/order-client/src/retry-policy.ts';
import {
  orderEvents as orderEventsExample,
  order as orderExample,
} from '../packages/order-client/test/example-responses.ts';
import { type Script, type ScriptedAnswer, startHttpServer } from './doubles/http-server.ts';
import { readSignature } from './doubles/signature-v4.ts';

const identity = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const order = JSON.stringify(orderExample);
const quick = { firstPauseMilliseconds: 1, attemptMillisecondsMax: 5_000 };

/** A client, and the server that it asks. */
async function scene(script: Script, options: Partial<OrderClientOptions> = {}) {
  const { baseUrl, requests } = await startHttpServer(script);
  const client = createOrderClient({ baseUrl, credentials: false, retry: quick, ...options });
  return { client, requests, baseUrl };
}

const answers =
  (first: ScriptedAnswer, second: ScriptedAnswer = { body: order }): Script =>
  (_, count) =>
    count === 1 ? first : second;

const problem = (status: number, more: object = {}): ScriptedAnswer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: JSON.stringify({ type: 'about:blank', title: 'Title', status, detail: 'Detail.', ...more }),
});

const rejection = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable('The call was answered.'),
    (error: unknown) => error,
  );

describe('a signature', () => {
  const signing = { credentials: identity, region: 'eu-central-1' };

  it('is checked here by code that agrees with the example that AWS publishes', () => {
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
    'is right for the order id %j, which arrives as it is',
    async (id) => {
      const { client, requests } = await scene(() => ({ body: order }), signing);
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

  it('is right for a list, whatever its parameters hold', async () => {
    const { client, requests } = await scene(() => ({ body: '{"orders":[],"next_cursor":null}' }), signing);
    const updatedSince = '2026-11-21T10:00:00+01:00';
    await client.orders({ updatedSince, status: 'paid', limit: 7, cursor: 'a-_b', mode: 'live' });
    const [request] = requests;
    if (request === undefined) return expect.unreachable();
    const { given, expected } = readSignature(request, identity.secretAccessKey);
    expect(given).toBe(expected);
    expect(request.url).toBe(
      '/orders?updated_since=2026-11-21T10%3A00%3A00%2B01%3A00&status=paid&limit=7&cursor=a-_b&mode=live',
    );
  });

  it('covers the session token of a role', async () => {
    const credentials = { ...identity, sessionToken: 'session' };
    const { client, requests } = await scene(() => ({ body: order }), { ...signing, credentials });
    await client.order('order-1');
    const [request] = requests;
    if (request === undefined) return expect.unreachable();
    const { given, expected, signedHeaders } = readSignature(request, identity.secretAccessKey);
    expect(given).toBe(expected);
    expect(signedHeaders).toContain('x-amz-security-token');
    expect(request.headers['x-amz-security-token']).toBe('session');
  });

  it('is left out in local mode', async () => {
    const { client, requests } = await scene(() => ({ body: order }));
    await client.order('order-1');
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is made with what the AWS SDK finds when no credentials are given', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDENVIRONMENT');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_SESSION_TOKEN', undefined);
    vi.stubEnv('AWS_REGION', 'sa-east-1');
    const { client, requests } = await scene(() => ({ body: order }), { credentials: undefined });
    await client.order('order-1').finally(() => vi.unstubAllEnvs());
    const [request] = requests;
    if (request === undefined) return expect.unreachable();
    const { given, expected, accessKeyId, scope } = readSignature(request, 'secret');
    expect(given).toBe(expected);
    expect(accessKeyId).toBe('AKIDENVIRONMENT');
    expect(scope).toContain('/sa-east-1/');
  });

  it('asks for credentials once, and again shortly before they end', async () => {
    let asked = 0;
    const lasting = (seconds: number) => async () => {
      asked += 1;
      return { ...identity, expiration: new Date(Date.now() + seconds * 1000) };
    };
    const hour = await scene(() => ({ body: order }), { ...signing, credentials: lasting(3_600) });
    for (let n = 0; n < 3; n += 1) await hour.client.order('order-1');
    expect(asked).toBe(1);
    const minute = await scene(() => ({ body: order }), { ...signing, credentials: lasting(60) });
    for (let n = 0; n < 3; n += 1) await minute.client.order('order-1');
    expect(asked).toBeGreaterThanOrEqual(4);
  });

  it('that cannot be made is an error of credentials, and nothing is sent', async () => {
    const cause = new Error('no role');
    const credentials = () => Promise.reject(cause);
    const { client, requests } = await scene(() => ({ body: order }), { ...signing, credentials });
    const error = await rejection(client.order('order-1'));
    expect(error).toBeInstanceOf(CredentialsError);
    expect(error).toMatchObject({ name: 'CredentialsError', cause });
    expect(requests).toEqual([]);
  });

  it('takes its region from the address that API Gateway gives', async () => {
    const sent: Record<string, string>[] = [];
    const client = createOrderClient({
      baseUrl: 'https://abc123.execute-api.ap-south-1.amazonaws.com/',
      credentials: identity,
      fetch: async (url, { headers }) => {
        sent.push({ url: url.href, ...headers });
        return new Response(order);
      },
    });
    await client.order('order-1');
    expect(sent[0]).toMatchObject({
      url: 'https://abc123.execute-api.ap-south-1.amazonaws.com/orders/order-1',
      authorization: expect.stringContaining('/ap-south-1/execute-api/aws4_request'),
    });
  });

  it('needs a region', () => {
    vi.stubEnv('AWS_REGION', undefined);
    const create = () => createOrderClient({ baseUrl: 'https://orders.example', credentials: identity });
    expect(create).toThrow('The region is not known: orders.example names none and AWS_REGION is not set.');
    vi.unstubAllEnvs();
  });
});

describe('an attempt that failed', () => {
  it.each([429, 500, 502, 503, 504])('with %i is made again', async (status) => {
    const { client, requests } = await scene(answers({ status, body: '{"message":"Later"}' }));
    expect(await client.order('order-1')).toEqual(orderExample);
    expect(requests).toHaveLength(2);
  });

  it.each([301, 400, 401, 403, 404, 413, 501])('with %i is not made again', async (status) => {
    const headers = { location: '/elsewhere' };
    const { client, requests } = await scene(answers({ status, headers, body: '{"message":"No"}' }));
    expect(await rejection(client.order('order-1'))).toMatchObject({ name: 'ProblemError', status });
    expect(requests).toHaveLength(1);
  });

  it('is made again four times at most, and the last answer is the error', async () => {
    const { client, requests } = await scene((_, count) => problem(500, { detail: `Attempt ${count}.` }));
    expect(await rejection(client.order('order-1'))).toMatchObject({
      message: '500 Title: Attempt 4.',
      problem: { type: 'about:blank', title: 'Title', status: 500, detail: 'Attempt 4.' },
    });
    expect(requests).toHaveLength(4);
  });

  it('as often as the caller says, and for the statuses that it says', async () => {
    const retry = { ...quick, attemptsMax: 2, statuses: [418] };
    const { client, requests } = await scene(() => ({ status: 418 }), { retry });
    await rejection(client.order('order-1'));
    expect(requests).toHaveLength(2);
  });

  it.each(['cut', 'hang', 'stall'] as const)('without an answer (%s) is made again', async (fault) => {
    const retry = { ...quick, attemptMillisecondsMax: 100 };
    const { client, requests } = await scene(answers({ fault }), { retry });
    expect(await client.order('order-1')).toEqual(orderExample);
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['cut', { name: 'TypeError' }],
    ['hang', { name: 'TimeoutError' }],
    ['stall', { name: 'TimeoutError' }],
  ] as const)('without an answer every time (%s) is an error that says why', async (fault, cause) => {
    const retry = { ...quick, attemptsMax: 2, attemptMillisecondsMax: 50 };
    const { client, requests, baseUrl } = await scene(() => ({ fault }), { retry });
    const error = await rejection(client.order('order-1'));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({
      name: 'NoAnswerError',
      message: `No answer from ${baseUrl} to GET /orders/order-1.`,
      cause,
    });
    expect(requests).toHaveLength(2);
  });

  it('waits for as long as the answer asks', async () => {
    const { client } = await scene(answers({ status: 503, headers: { 'retry-after': '1' } }));
    const before = performance.now();
    await client.order('order-1');
    expect(performance.now() - before).toBeGreaterThanOrEqual(990);
  });

  it('does not wait for longer than its policy, and says what was asked', async () => {
    const { client, requests } = await scene(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    expect(await rejection(client.order('order-1'))).toMatchObject({ retryAfterMilliseconds: 3_600_000 });
    expect(requests).toHaveLength(1);
  });
});

describe('the pause', () => {
  const policy = {
    attemptsMax: 9,
    attemptMillisecondsMax: 1,
    statuses: [],
    firstPauseMilliseconds: 200,
    pauseMillisecondsMax: 1_000,
    retryAfterMillisecondsMax: 1,
  };

  it('may be twice as long after each attempt, up to a bound, and is any part of that', () => {
    expect([1, 2, 3, 4, 9].map((attempts) => pauseMilliseconds(policy, attempts, 1, 0))).toEqual([
      200, 400, 800, 1_000, 1_000,
    ]);
    expect(pauseMilliseconds(policy, 3, 0.25, 0)).toBe(200);
    expect(pauseMilliseconds(policy, 3, 0, 0)).toBe(0);
  });

  it('is never shorter than what was asked for, nor the same for all', () => {
    expect(pauseMilliseconds(policy, 1, 0, 7_000)).toBe(7_000);
    expect(pauseMilliseconds(policy, 1, 0.5, 7_000)).toBe(7_100);
  });

  it.each([
    ['5', 5_000],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:59:59 GMT', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['soon', undefined],
    [null, undefined],
  ])('asked for by Retry-After: %s', (header, milliseconds) => {
    expect(parseRetryAfter(header, Date.parse('2026-11-21T10:00:00Z'))).toBe(milliseconds);
  });
});

describe('an answer', () => {
  it('that names a wrong parameter is a problem that names it too', async () => {
    const { client } = await scene(() => problem(400, { parameter: 'limit' }));
    const error = await rejection(client.orders({ limit: 0 }));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toBeInstanceOf(OrderClientError);
    expect(error).toMatchObject({ status: 400, problem: { parameter: 'limit' } });
  });

  it('of payhooks that there is no such order, or no such event, is an error of its own', async () => {
    const { client } = await scene(() => problem(404));
    for (const call of [client.order('x'), client.orderEvents('x'), client.orderEvents('events')]) {
      expect(await rejection(call)).toBeInstanceOf(OrderNotFoundError);
    }
    expect(await rejection(client.event('x'))).toBeInstanceOf(EventNotFoundError);
    expect(await rejection(client.order('events'))).toBeInstanceOf(OrderNotFoundError);
  });

  it('of API Gateway that there is no such route does not mean that there is no such order', async () => {
    const { client } = await scene(() => ({ status: 404, body: '{"message":"Not Found"}' }));
    const error = await rejection(client.order('x'));
    expect(error).not.toBeInstanceOf(OrderNotFoundError);
    expect(error).toMatchObject({ name: 'ProblemError', message: '404 Not Found: Not Found' });
  });

  it.each([
    ['{"message":"Forbidden"}', '403 Forbidden: Forbidden'],
    ['<html>', '403 Forbidden: The answer holds no message.'],
    ['null', '403 Forbidden: The answer holds no message.'],
  ])('of somebody else, %s, is a problem made from what it says', async (body, message) => {
    const { client } = await scene(() => ({ status: 403, body }));
    expect(await rejection(client.order('x'))).toMatchObject({ name: 'ProblemError', message });
  });

  it.each(['<html>', '{}', '[]', 'null', '{"orders":[],"next_cursor":null}'])(
    'of success that is not an order is foreign: %s',
    async (body) => {
      const { client } = await scene(() => ({ body }));
      expect(await rejection(client.order('x'))).toBeInstanceOf(ForeignAnswerError);
    },
  );

  it('is given as it came', async () => {
    const body = JSON.stringify({ ...orderEventsExample, a_later_field: 1 });
    const { client, requests } = await scene(() => ({ body }));
    expect(await client.orderEvents('order-1')).toEqual({ ...orderEventsExample, a_later_field: 1 });
    expect(requests[0]?.url).toBe('/orders/order-1/events');
  });
});

describe('what cannot be asked', () => {
  it.each(['', '.', '..', '\ud800'])('is refused before a request is made: %j', async (id) => {
    const { client, requests } = await scene(() => ({ body: order }));
    for (const call of [client.order(id), client.orderEvents(id), client.event(id)]) {
      expect(await rejection(call)).toBeInstanceOf(UnaskableError);
    }
    expect(requests).toEqual([]);
  });

  it.each(['', 'orders.example', 'ftp://orders.example', 'https://orders.example/?a=b'])(
    'is an address that is none: %j',
    (baseUrl) => {
      expect(() => createOrderClient({ baseUrl, credentials: false })).toThrow(UnaskableError);
    },
  );

  it('is not an address with a path of its own', async () => {
    const { baseUrl, requests } = await startHttpServer(() => ({ body: order }));
    await createOrderClient({ baseUrl: `${baseUrl}/payments/`, credentials: false }).order('x');
    expect(requests[0]?.url).toBe('/payments/orders/x');
  });
});

describe('a caller that aborts', () => {
  const reason = new Error('enough');

  it('before the call sends nothing', async () => {
    const { client, requests } = await scene(() => ({ body: order }));
    expect(await rejection(client.order('x', { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(requests).toEqual([]);
  });

  it.each([
    ['an attempt', { fault: 'hang' }],
    ['a pause', { status: 503, headers: { 'retry-after': '30' } }],
  ] as const)('during %s gets its own reason back, at once', async (_, answer) => {
    const controller = new AbortController();
    const { client, requests } = await scene(() => {
      setTimeout(() => controller.abort(reason), 30);
      return answer;
    });
    expect(await rejection(client.order('x', { signal: controller.signal }))).toBe(reason);
    expect(requests).toHaveLength(1);
  });
});

describe('all orders', () => {
  it('come page after page, with the cursor of each and the rest as it was asked', async () => {
    const page = (ids: string[], next: string | null): ScriptedAnswer => ({
      body: JSON.stringify({
        orders: ids.map((id) => ({ ...orderExample, order_id: id })),
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
