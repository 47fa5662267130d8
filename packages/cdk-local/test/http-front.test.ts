import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Invocation } from '../src/functions/invocation.ts';
import { type HttpFront, openHttpFront } from '../src/http-front/http-front.ts';
import type { RouteModel } from '../src/template/model.ts';

const route = (key: string): RouteModel => {
  const [method = '', path = ''] = key.split(' ');
  return {
    key,
    method,
    path,
    functionName: `function of ${key}`,
    authorization: path === '/private' ? 'AWS_IAM' : 'NONE',
  };
};

let front: HttpFront;
let answer: Invocation;
let event: APIGatewayProxyEventV2;
let invoked: string[];

beforeAll(async () => {
  front = await openHttpFront(0);
  front.serve({
    routes: [
      'GET /orders/{id}',
      'POST /hooks',
      'GET /orders/{id}/events',
      'GET /orders',
      'GET /orders/latest',
      'GET /private',
    ].map(route),
    invoke: async (functionName, given) => {
      invoked.push(functionName);
      event = given as APIGatewayProxyEventV2;
      return answer;
    },
    localHandler: (request, response) => {
      if (request.url !== '/page') return false;
      response.end('the page');
      return true;
    },
  });
});
afterAll(() => front.close());
beforeEach(() => {
  invoked = [];
  answer = { ok: true, payload: '{"statusCode":204}' };
});

/** Writes exactly these bytes and gives the whole answer; `fetch` would add and mend headers. */
async function exchange(head: readonly string[], body: string | Uint8Array = ''): Promise<string> {
  const socket = connect(Number(new URL(front.baseUrl).port), '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\nHost: shop.test:4800\r\nConnection: close\r\n\r\n`);
  socket.write(body);
  const answered = await text(socket);
  socket.destroy();
  return answered;
}

describe('a route that IAM guards on AWS', () => {
  it('is answered under a loopback name only, since pages of the web may point names of their own here', async () => {
    const foreign = await exchange(['GET /private HTTP/1.1']);
    expect(foreign).toContain('HTTP/1.1 403 Forbidden');
    expect(invoked).toEqual([]);
    const own = await fetch(`${front.baseUrl}/private`);
    expect(own.status).toBe(204);
    expect(invoked).toEqual(['function of GET /private']);
  });
});

async function postBody(body: string | Uint8Array, contentType?: string): Promise<APIGatewayProxyEventV2> {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const type = contentType === undefined ? [] : [`Content-Type: ${contentType}`];
  await exchange(['POST /hooks HTTP/1.1', length, ...type], body);
  return event;
}

async function get(path: string): Promise<{ status: number; body: string }> {
  const answered = await exchange([`GET ${path} HTTP/1.1`]);
  const [head = '', body = ''] = answered.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body };
}

describe('the event', () => {
  it('has header names in lower case, repeated headers joined by commas, and cookies apart', async () => {
    await exchange([
      'GET /orders HTTP/1.1',
      'X-Service-Signature: one',
      'x-service-signature: two',
      'Content-Type: a/b',
      'Content-Type: c/d',
      'Cookie: a=1; b=2',
    ]);
    expect(event.headers).toMatchObject({
      'x-service-signature': 'one,two',
      'content-type': 'a/b,c/d',
      host: 'shop.test:4800',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
    });
    expect(event.cookies).toEqual(['a=1', 'b=2']);
    expect(event.headers).not.toHaveProperty('cookie');
  });

  it('tells the request as payload format 2.0 does', async () => {
    await exchange(['GET /orders?limit=2 HTTP/1.1', 'User-Agent: tester/1']);
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'GET /orders',
      rawPath: '/orders',
      rawQueryString: 'limit=2',
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        domainName: 'shop.test',
        http: {
          method: 'GET',
          path: '/orders',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'tester/1',
        },
        routeKey: 'GET /orders',
        stage: '$default',
      },
    });
    expect(event.requestContext.requestId).toMatch(/^[0-9a-f]{16}$/);
    expect(Math.abs(event.requestContext.timeEpoch - Date.now())).toBeLessThan(5_000);
    expect(event.requestContext.time).toMatch(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
  });

  it('has query parameters decoded once and repeated ones joined by commas', async () => {
    await get('/orders?status=paid&status=failed&cursor=a%252B%3D%26&q=one+two&flag');
    expect(event.rawQueryString).toBe('status=paid&status=failed&cursor=a%252B%3D%26&q=one+two&flag');
    expect(event.queryStringParameters).toEqual({
      status: 'paid,failed',
      cursor: 'a%2B=&',
      q: 'one two',
      flag: '',
    });
  });

  it('has neither query nor path parameters when there are none', async () => {
    await get('/orders');
    expect(event).not.toHaveProperty('queryStringParameters');
    expect(event).not.toHaveProperty('pathParameters');
  });

  it('has path parameters decoded once, also with a slash in them', async () => {
    await get('/orders/a%2Fb%252F%20%F0%9F%98%80');
    expect(event.pathParameters).toEqual({ id: 'a/b%2F 😀' });
    expect(event.rawPath).toBe('/orders/a%2Fb%252F%20%F0%9F%98%80');
  });
});

describe('a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/xml',
    'application/javascript',
    'text/plain',
  ])('of type %s is text, byte for byte', async (type) => {
    expect(await postBody('\uFEFF{"a": "é😀"}\r\n', type)).toMatchObject({
      body: '\uFEFF{"a": "é😀"}\r\n',
      isBase64Encoded: false,
    });
  });

  it.each([
    'application/octet-stream',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'nonsense',
  ])('of type %s is base64', async (type) => {
    expect(await postBody('{}', type)).toMatchObject({ body: 'e30=', isBase64Encoded: true });
  });

  it('without a type is base64, with every byte', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const { body, isBase64Encoded } = await postBody(bytes);
    expect(isBase64Encoded).toBe(true);
    expect([...Buffer.from(body ?? '', 'base64')]).toEqual([...bytes]);
  });

  it('that is empty has no key', async () => {
    const empty = await postBody('', 'application/octet-stream');
    expect(empty).not.toHaveProperty('body');
    expect(empty.isBase64Encoded).toBe(false);
  });

  it('of 10 MB reaches the function, and one byte more is 413', async () => {
    const most = Buffer.alloc(10 * 1024 * 1024, 'x');
    const type = { 'content-type': 'text/plain' };
    const post = (body: Uint8Array<ArrayBuffer>): Promise<Response> =>
      fetch(`${front.baseUrl}/hooks`, { method: 'POST', headers: type, body });
    expect((await post(most)).status).toBe(204);
    expect(event.body).toHaveLength(10 * 1024 * 1024);
    const refused = await post(Buffer.concat([most, Buffer.from('x')]));
    expect([refused.status, await refused.text()]).toEqual([413, '{"message":"Request Entity Too Large"}']);
    expect(invoked).toHaveLength(1);
  });

  it('in chunks that add up to more than 10 MB is 413 before it ends', async () => {
    const socket = connect(Number(new URL(front.baseUrl).port), '127.0.0.1');
    socket.write('POST /hooks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    for (let sent = 0; sent < 11; sent += 1) socket.write(`100000\r\n${chunk.toString()}\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(first.toString()).toMatch(/^HTTP\/1.1 413 /);
    expect(invoked).toEqual([]);
  });
});

describe('a request', () => {
  it.each([
    ['/orders/1', 'GET /orders/{id}'],
    ['/orders/1/events', 'GET /orders/{id}/events'],
    ['/orders/latest', 'GET /orders/latest'],
    ['/orders?x=/hooks', 'GET /orders'],
  ])('for %s takes the route %s', async (path, key) => {
    await get(path);
    expect(invoked).toEqual([`function of ${key}`]);
  });

  it.each(['/', '/orders/', '/orders/1/', '/orders//events', '/hooks', '/Orders', '//orders'])(
    'for %s is 404',
    async (path) => {
      expect(await get(path)).toEqual({ status: 404, body: '{"message":"Not Found"}' });
      expect(invoked).toEqual([]);
    },
  );

  it.each(['/orders/%', '/orders/%ZZ', '/orders/%FF', '/orders?cursor=%'])(
    'for %s, which is not well percent-encoded, is 400',
    async (path) => {
      expect(await get(path)).toEqual({ status: 400, body: '{"message":"Bad Request"}' });
      expect(invoked).toEqual([]);
    },
  );

  it('with more than 10,240 bytes of headers is 431', async () => {
    const answered = await exchange(['GET /orders HTTP/1.1', `X-Long: ${'x'.repeat(10_240)}`]);
    expect(answered).toMatch(/^HTTP\/1.1 431 /);
    expect(invoked).toEqual([]);
  });

  it('that is no HTTP is 400', async () => {
    expect(await exchange(['no http'])).toMatch(/^HTTP\/1.1 400 /);
  });

  it('for /healthz is answered without a function', async () => {
    expect(await get('/healthz')).toEqual({ status: 200, body: '{"status":"ok"}' });
    expect(invoked).toEqual([]);
  });

  it('that is no route goes to the local handler', async () => {
    expect(await get('/page')).toEqual({ status: 200, body: 'the page' });
  });
});

describe('the answer', () => {
  const answerOf = async (
    payload: unknown,
  ): Promise<{ status: number; type: string | null; body: string }> => {
    answer = { ok: true, payload: JSON.stringify(payload) };
    const response = await fetch(`${front.baseUrl}/orders`);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: await response.text(),
    };
  };

  it('has the status, headers, cookies and body of a structured response', async () => {
    const structured = {
      statusCode: 202,
      headers: { 'Retry-After': 5 },
      cookies: ['a=1', 'b=2'],
      body: '{"é":1}',
    };
    answer = { ok: true, payload: JSON.stringify(structured) };
    const response = await fetch(`${front.baseUrl}/orders`);
    expect(response.status).toBe(202);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe('{"é":1}');
  });

  it('has the bytes of a base64 body', async () => {
    answer = { ok: true, payload: '{"statusCode":200,"isBase64Encoded":true,"body":"AP8K"}' };
    const response = await fetch(`${front.baseUrl}/orders`);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 10]);
  });

  it('of a value without a status code is that value as JSON with 200', async () => {
    expect(await answerOf({ a: 1 })).toEqual({ status: 200, type: 'application/json', body: '{"a":1}' });
    expect(await answerOf('plain')).toEqual({ status: 200, type: 'application/json', body: 'plain' });
  });

  const internal = { status: 500, type: 'application/json', body: '{"message":"Internal Server Error"}' };

  it('of a failed invocation is 500 and says nothing of the reason', async () => {
    answer = { ok: false, errorType: 'TypeError', errorMessage: 'secret detail' };
    const response = await fetch(`${front.baseUrl}/orders`);
    expect([response.status, await response.text()]).toEqual([500, internal.body]);
  });

  it.each([
    { statusCode: '200' },
    { statusCode: 99 },
    { statusCode: 200.5 },
    { statusCode: 200, body: { a: 1 } },
    { statusCode: 200, headers: { a: {} } },
    { statusCode: 200, headers: 'a: b' },
    { statusCode: 200, cookies: 'a=1' },
    { statusCode: 200, isBase64Encoded: 'yes' },
    { statusCode: 200, headers: { 'bad name': 'x' } },
    { statusCode: 200, headers: { name: 'line\nbreak' } },
  ])('of the malformed response %j is 500', async (payload) => {
    expect(await answerOf(payload)).toEqual(internal);
  });
});

describe('a front', () => {
  it('answers 503 until it serves, and keeps its port from others', async () => {
    const closed = await openHttpFront(0);
    expect((await fetch(`${closed.baseUrl}/healthz`)).status).toBe(503);
    await expect(openHttpFront(Number(new URL(closed.baseUrl).port))).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await closed.close();
  });

  it('lets a request that runs finish when it closes', async () => {
    const closing = await openHttpFront(0);
    const { promise, resolve } = Promise.withResolvers<Invocation>();
    const began = Promise.withResolvers<void>();
    const invoke = (): Promise<Invocation> => {
      began.resolve();
      return promise;
    };
    closing.serve({ routes: [route('GET /slow')], invoke });
    const running = fetch(`${closing.baseUrl}/slow`);
    await began.promise;
    const closed = closing.close();
    resolve({ ok: true, payload: '{"statusCode":200,"body":"done"}' });
    expect(await (await running).text()).toBe('done');
    await closed;
    await expect(fetch(closing.baseUrl)).rejects.toThrow('fetch failed');
  });
});
