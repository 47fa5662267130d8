import { describe, expect, it } from 'vitest';
import { createHttpApi } from '../../../lambdas/http-api/http-api.ts';
import { notFound } from '../../../lambdas/http-api/problem.ts';
import type { Route } from '../../../lambdas/http-api/route.ts';
import { type GatewayRequest, gatewayEvent } from '../../doubles/gateway-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

/** An API with two routes that do the same. */
function setUp(route: Route<unknown> = async () => ({})) {
  const telemetry = recordTelemetry();
  const api = createHttpApi({ routes: { 'GET /things': route, 'GET /others': route }, parts: { telemetry } });
  const call = (request: Partial<GatewayRequest> = {}, authorizer?: object) => {
    const event = gatewayEvent({ routeKey: 'GET /things', ...request });
    return api({ ...event, requestContext: { ...event.requestContext, ...(authorizer && { authorizer }) } });
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

  it('responds with a problem that no cache may keep when there is no such thing', async () => {
    const { call } = setUp(async () => {
      throw notFound('There is no thing 7.');
    });
    expect(await call()).toEqual({
      statusCode: 404,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
      body: '{"type":"about:blank","status":404,"title":"Not Found","detail":"There is no thing 7."}',
    });
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
    ['as text', 'body é', false, 'body é'],
    ['in base64, as API Gateway sends bytes', Buffer.from('body é').toString('base64'), true, 'body é'],
    ['empty', '', true, ''],
  ])('passes a body that it gets %s', async (_, body, isBase64Encoded, passed) => {
    const response = await setUp(echo).call({ body, isBase64Encoded });
    expect(JSON.parse(response.body ?? '')).toMatchObject({ body: passed, path: {}, query: {} });
  });

  it.each([true, false])('passes no body when it gets none (base64: %s)', async (isBase64Encoded) => {
    const response = await setUp(echo).call({ isBase64Encoded });
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(response.body ?? '')).not.toHaveProperty('body');
  });

  it('passes path, query and the identity of the caller', async () => {
    const userArn = 'arn:aws:sts::1:assumed-role/reader/ann';
    const response = await setUp(echo).call(
      { pathParameters: { id: '7' }, queryStringParameters: { mode: 'live' } },
      { iam: { userArn } },
    );
    expect(JSON.parse(response.body ?? '')).toEqual({
      path: { id: '7' },
      query: { mode: 'live' },
      caller: userArn,
    });
  });

  it.each([undefined, {}, { iam: null }, { iam: {} }])(
    'calls a caller whom API Gateway did not identify unidentified (%j)',
    async (authorizer) => {
      const response = await setUp(echo).call({}, authorizer);
      expect(JSON.parse(response.body ?? '').caller).toBe('unidentified caller');
    },
  );

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
