import { describe, expect, it } from 'vitest';
import { createHttpApi, type Route } from '../../../lambdas/http-api/http-api.ts';
import { type GatewayRequest, gatewayEvent } from '../../doubles/gateway-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

/** An API with two routes that do the same. */
function setUp(route: Route<unknown> = async () => ({})) {
  const telemetry = recordTelemetry();
  const api = createHttpApi({ routes: { 'GET /things': route, 'GET /others': route }, parts: { telemetry } });
  const call = (request: Partial<GatewayRequest> = {}, authorizer?: object) => {
    const event = gatewayEvent({ routeKey: 'GET /things', ...request });
    return api({ ...event, requestContext: { ...event.requestContext, authorizer } } as typeof event);
  };
  return { call, telemetry };
}

/** A route that responds with what it was given. */
const echo: Route<unknown> = async (_, request) => request;

describe('an HTTP API', () => {
  it('responds with JSON that no cache may keep', async () => {
    const { call, telemetry } = setUp(async () => ({ a: 1 }));
    expect(await call()).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: '{"a":1}',
    });
    expect(telemetry.flushes()).toBe(1);
    expect(telemetry.lines).toEqual([]);
  });

  it.each(['POST /things', 'constructor'])(
    'has no route %s, and names those that it has',
    async (routeKey) => {
      const { statusCode, body = '' } = await setUp().call({ routeKey });
      expect(statusCode).toBe(404);
      expect(JSON.parse(body).detail).toBe(
        `There is no route ${routeKey}; the routes are GET /things, GET /others.`,
      );
    },
  );

  it.each([
    ['as text', { body: 'body é' }, 'body é'],
    ['in base64', { body: Buffer.from('body é').toString('base64'), isBase64Encoded: true }, 'body é'],
    ['empty', { body: '', isBase64Encoded: true }, ''],
    ['without a body', {}, undefined],
    ['without a body, as base64', { isBase64Encoded: true }, undefined],
  ])('passes the body of a request that comes %s', async (_, given, body) => {
    const response = await setUp(echo).call(given);
    expect(JSON.parse(response.body ?? '').body).toBe(body);
  });

  const userArn = 'arn:aws:sts::1:assumed-role/reader/ann';
  it.each([
    [{ iam: { userArn } }, userArn],
    [undefined, 'unidentified caller'],
    [{ iam: null }, 'unidentified caller'],
    [{ iam: {} }, 'unidentified caller'],
  ])('passes path, query and the identity that API Gateway found: %j', async (authorizer, caller) => {
    const [path, query] = [{ id: '7' }, { mode: 'live' }];
    const response = await setUp(echo).call(
      { pathParameters: path, queryStringParameters: query },
      authorizer,
    );
    expect(JSON.parse(response.body ?? '')).toEqual({ path, query, caller });
    const bare = await setUp(echo).call({}, authorizer);
    expect(JSON.parse(bare.body ?? '')).toEqual({ path: {}, query: {}, caller });
  });

  it.each([
    ['an error', new TypeError('detail'), { error_name: 'TypeError', error_message: 'detail' }],
    ['a thrown text', 'detail', {}],
  ])('responds 500 to %s, and only its log says which', async (_, thrown, logged) => {
    const { call, telemetry } = setUp(async () => {
      throw thrown;
    });
    const { statusCode, headers, body = '' } = await call();
    expect(statusCode).toBe(500);
    expect(headers).toEqual({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
    expect(JSON.parse(body)).toEqual({
      type: 'about:blank',
      status: 500,
      title: 'Internal Server Error',
      detail: 'The request request-1 failed because of a fault of ours; it is safe to repeat.',
    });
    expect(telemetry.lines).toMatchObject([
      { level: 'error', fields: { request_id: 'request-1', route: 'GET /things', ...logged } },
    ]);
    expect(telemetry.flushes()).toBe(1);
  });
});
