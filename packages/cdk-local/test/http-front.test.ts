import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Invocation } from '../src/functions/invocation.ts';
import { type HttpFront, openHttpFront } from '../src/http-front/http-front.ts';
import type { RouteModel } from '../src/template/resources.ts';

function route(key: string): RouteModel {
  const [method = '', path = ''] = key.split(' ');
  const authorization = path === '/private' ? 'AWS_IAM' : 'NONE';
  return { apiId: 'Api', key, method, path, functionName: `function of ${key}`, authorization };
}

let front: HttpFront;
let outcome: Invocation;
let event: APIGatewayProxyEventV2;
let invoked: string[];

beforeAll(async () => {
  front = await openHttpFront(0);
  const fixed = ['POST /hooks', 'GET /orders', 'GET /orders/latest', 'GET /private'];
  front.serve({
    routes: ['GET /orders/{id}', 'GET /orders/{id}/events', ...fixed].map(route),
    invoke: async (functionName, given) => {
      invoked.push(functionName);
      event = given as APIGatewayProxyEventV2;
      return outcome;
    },
    stageVariables: new Map([['Api', { color: 'blue' }]]),
    localHandler: (request, response) => {
      if (request.url !== '/page') return false;
      response.end('the page');
      return true;
    },
  });
});
afterAll(() => front.close());

it('lets the starting handler respond until there is something to serve, and else 503', async () => {
  const starting = await openHttpFront(0, ({ url }, response) => {
    if (url === '/page') response.end('starting');
    return url === '/page';
  });
  const read = async (path: string) => {
    const response = await fetch(`${starting.baseUrl}${path}`);
    return [response.status, await response.text()];
  };
  expect(await read('/page')).toEqual([200, 'starting']);
  expect((await read('/orders'))[0]).toBe(503);
  starting.serve({ routes: [], invoke: async () => outcome });
  expect((await read('/page'))[0]).toBe(404);
  await starting.close();
});
beforeEach(() => {
  invoked = [];
  outcome = { ok: true, payload: '{"statusCode":204}' };
});

const open = () => connect(Number(new URL(front.baseUrl).port), '127.0.0.1');

/** Writes exactly these bytes and returns the whole response; `fetch` would add and change headers. */
async function exchange(head: readonly string[], body: string | Uint8Array = ''): Promise<string> {
  const socket = open();
  socket.write(`${head.join('\r\n')}\r\nHost: shop.test:4800\r\nConnection: close\r\n\r\n`);
  socket.write(body);
  return text(socket).finally(() => socket.destroy());
}

async function get(path: string): Promise<{ status: number; body: string }> {
  const [head = '', body = ''] = (await exchange([`GET ${path} HTTP/1.1`])).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body };
}

async function postBody(body: string | Uint8Array, contentType: string): Promise<APIGatewayProxyEventV2> {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  await exchange(['POST /hooks HTTP/1.1', length, `Content-Type: ${contentType}`], body);
  return event;
}

describe('the HTTP front', () => {
  it('serves a route with an authoriser under loopback names only, against DNS rebinding', async () => {
    expect(await exchange(['GET /private HTTP/1.1'])).toContain('HTTP/1.1 403 Forbidden');
    expect(invoked).toEqual([]);
    expect((await fetch(`${front.baseUrl}/private`)).status).toBe(204);
    expect(invoked).toEqual(['function of GET /private']);
  });

  it('leaves it to clients to close an idle connection, so that no request meets its end', async () => {
    const { headers } = await fetch(`${front.baseUrl}/orders`);
    expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', null]);
  });

  it('refuses what a page of another site sends to a route with an authoriser', async () => {
    const fetchWith = async (headers: Record<string, string>) =>
      (await fetch(`${front.baseUrl}/private`, { headers })).status;
    expect(await fetchWith({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    // A browser that does not mark the site sends the origin with a POST; another port is another origin.
    expect(await fetchWith({ origin: 'https://shop.example' })).toBe(403);
    expect(await fetchWith({ origin: 'http://127.0.0.1:1' })).toBe(403);
    expect(await fetchWith({ origin: 'null' })).toBe(403);
    expect(invoked).toEqual([]);
    expect(await fetchWith({ 'sec-fetch-site': 'same-origin', origin: front.baseUrl })).toBe(204);
    expect(await fetchWith({ origin: front.baseUrl })).toBe(204);
  });

  it.each([
    ['/orders/1', 'GET /orders/{id}'],
    ['/orders/1/events', 'GET /orders/{id}/events'],
    ['/orders/latest', 'GET /orders/latest'],
    ['/orders?x=/hooks', 'GET /orders'],
  ])('sends a request for %s to the route %s', async (path, key) => {
    await get(path);
    expect(invoked).toEqual([`function of ${key}`]);
  });

  const noRoutes = ['/', '/orders/', '/orders/1/', '/orders//events', '/hooks', '/Orders', '//orders'];
  const badlyEncoded = ['/orders/%', '/orders/%ZZ', '/orders/%FF', '/orders?cursor=%'];

  it.each([
    ...noRoutes.map((path) => [path, 'is no route', 404, '{"message":"Not Found"}'] as const),
    ...badlyEncoded.map((path) => [path, 'is badly encoded', 400, '{"message":"Bad Request"}'] as const),
  ])('responds to %s, which %s, with %i', async (path, _, status, body) => {
    expect(await get(path)).toEqual({ status, body });
    expect(invoked).toEqual([]);
  });

  it('responds to more than 10,240 bytes of headers with 431, and to other protocols with 400', async () => {
    const long = await exchange(['GET /orders HTTP/1.1', `X-Long: ${'x'.repeat(10_240)}`]);
    expect(long).toMatch(/^HTTP\/1.1 431 /);
    expect(await exchange(['no http'])).toMatch(/^HTTP\/1.1 400 /);
    expect(invoked).toEqual([]);
  });

  it('responds to /healthz without a function, and leaves other paths to the local handler', async () => {
    expect(await get('/healthz')).toEqual({ status: 200, body: '{"status":"ok"}' });
    expect(await get('/page')).toEqual({ status: 200, body: 'the page' });
    expect(invoked).toEqual([]);
  });
});

describe('the event of a request', () => {
  it('describes the request in payload format 2.0', async () => {
    const before = Date.now();
    await exchange(['GET /orders?limit=2 HTTP/1.1', 'User-Agent: tester/1']);
    const http = { method: 'GET', path: '/orders', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' };
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'GET /orders',
      rawPath: '/orders',
      rawQueryString: 'limit=2',
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        domainName: 'shop.test',
        http: { ...http, userAgent: 'tester/1' },
        requestId: expect.stringMatching(/^[0-9a-f]{16}$/),
        routeKey: 'GET /orders',
        stage: '$default',
      },
    });
    const { timeEpoch } = event.requestContext;
    expect([before <= timeEpoch, timeEpoch <= Date.now()]).toEqual([true, true]);
    expect(event).not.toHaveProperty('pathParameters');
  });

  it('has the variables of the stage of its API, which no header changes', async () => {
    await exchange(['GET /orders HTTP/1.1', 'Color: red']);
    expect([event.stageVariables, event.requestContext.apiId]).toEqual([{ color: 'blue' }, 'Api']);
  });

  it('has an IAM identity on a route with IAM authorisation, and none on an open one', async () => {
    await fetch(`${front.baseUrl}/private`);
    const iam = { accountId: '000000000000', userArn: 'arn:aws:iam::000000000000:user/local' };
    expect(event.requestContext).toMatchObject({ authorizer: { iam } });
    await get('/orders');
    expect(event.requestContext).not.toHaveProperty('authorizer');
  });

  it('has path and query parameters decoded once, and repeated ones joined by commas', async () => {
    const rawPath = '/orders/a%2Fb%252F%20%F0%9F%98%80';
    const rawQueryString = 'status=paid&status=failed&cursor=a%252B%3D%26&q=one+two&flag';
    await get(`${rawPath}?${rawQueryString}`);
    const queryStringParameters = { status: 'paid,failed', cursor: 'a%2B=&', q: 'one two', flag: '' };
    const pathParameters = { id: 'a/b%2F 😀' };
    expect(event).toMatchObject({ rawPath, pathParameters, rawQueryString, queryStringParameters });
  });

  it.each([
    ['application/json; charset=utf-8', '{"a": "é😀"}\r\n', false],
    ['APPLICATION/XML', '\uFEFF<a/>', false],
    ['application/vnd.api+json', 'e30=', true],
    ['nonsense', 'e30=', true],
  ])('has a body of type %s as %j', async (type, body, isBase64Encoded) => {
    const sent = isBase64Encoded ? Buffer.from(body, 'base64') : body;
    expect(await postBody(sent, type)).toMatchObject({ body, isBase64Encoded });
  });

  it('has no key for an empty body', async () => {
    const empty = await postBody('', 'application/octet-stream');
    expect(empty).not.toHaveProperty('body');
    expect(empty.isBase64Encoded).toBe(false);
  });

  it('has a body of 10 MB, and one byte more is refused with 413', async () => {
    const most = Buffer.alloc(10 * 1024 * 1024, 'x');
    const headers = { 'content-type': 'text/plain' };
    const post = (body: Uint8Array<ArrayBuffer>): Promise<Response> =>
      fetch(`${front.baseUrl}/hooks`, { method: 'POST', headers, body });
    expect((await post(most)).status).toBe(204);
    expect(event.body).toHaveLength(10 * 1024 * 1024);
    const refused = await post(Buffer.concat([most, Buffer.from('x')]));
    expect([refused.status, await refused.text()]).toEqual([413, '{"message":"Request Entity Too Large"}']);
    expect(invoked).toHaveLength(1);
  });
});

describe('the response to a request', () => {
  const seen = async () => {
    const response = await fetch(`${front.baseUrl}/orders`);
    const { status, headers } = response;
    return { status, type: headers.get('content-type'), body: await response.text() };
  };
  const internal = { status: 500, type: 'application/json', body: '{"message":"Internal Server Error"}' };

  it('is 500 without the reason when the function throws', async () => {
    outcome = { ok: false, errorType: 'TypeError', errorMessage: 'secret detail' };
    expect(await seen()).toEqual(internal);
  });

  it.each([
    { statusCode: '200' },
    { statusCode: 200.5 },
    { statusCode: 200, headers: { name: 'line\nbreak' } },
  ])('is 500 for the malformed response %j', async (payload) => {
    outcome = { ok: true, payload: JSON.stringify(payload) };
    expect(await seen()).toEqual(internal);
  });
});
