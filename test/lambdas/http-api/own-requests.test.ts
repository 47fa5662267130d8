import { describe, expect, it } from 'vitest';
import { createHttpApi } from '../../../lambdas/http-api/http-api.ts';
import { createForgeryCheck } from '../../../lambdas/http-api/own-requests.ts';
import { gatewayEvent, ownApi, proof } from '../../doubles/gateway-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const request = gatewayEvent({ routeKey: 'POST /acts' });
const { requestContext } = request;

/** An API with one act; the secret has these values, one for each read. */
function setUp(...values: readonly string[]) {
  const telemetry = recordTelemetry();
  const left = [...values];
  const reads = { count: 0 };
  const acts: string[] = [];
  const api = createHttpApi({
    routes: { 'POST /acts': async (_, { caller }) => acts.push(caller) },
    parts: { telemetry },
    forgeryOf: createForgeryCheck({
      ownApi,
      async readProof() {
        reads.count += 1;
        return (left.length > 1 ? left.shift() : left[0]) ?? proof;
      },
    }),
  });
  return { api, telemetry, reads, acts };
}

describe('a function behind an API', () => {
  it('acts for the identity of a request through its own API, and reads the proof once', async () => {
    const { api, acts, reads, telemetry } = setUp();
    expect((await api(request)).statusCode).toBe(200);
    expect((await api(request)).statusCode).toBe(200);
    const caller = 'arn:aws:iam::000000000000:user/tester';
    expect([acts, reads.count, telemetry.metrics]).toEqual([[caller, caller], 1, []]);
  });

  const without = { ...requestContext, authorizer: undefined };
  it.each([
    ['no identity', { requestContext: without }, 'no_identity'],
    [
      'an identity without a name',
      { requestContext: { ...without, authorizer: { iam: {} } } },
      'no_identity',
    ],
    ['nothing at all', { requestContext: undefined, routeKey: undefined }, 'no_identity'],
    ['another account', { requestContext: { ...requestContext, accountId: '111111111111' } }, 'other_api'],
    ['another API', { requestContext: { ...requestContext, apiId: 'another' } }, 'other_api'],
    ['another stage', { requestContext: { ...requestContext, stage: 'test' } }, 'other_api'],
    ['no proof', { stageVariables: undefined }, 'wrong_proof'],
    ['a proof of another length', { stageVariables: { proof: 'f00d' } }, 'wrong_proof'],
    ['a wrong proof', { stageVariables: { proof: proof.replace('f', 'e') } }, 'wrong_proof'],
    ['the proof in a header', { stageVariables: {}, headers: { proof } }, 'wrong_proof'],
  ])('refuses an event with %s, does nothing and counts the attempt', async (_, forged, reason) => {
    const { api, acts, telemetry } = setUp();
    const { statusCode, headers, body = '' } = await api({ ...request, ...forged } as typeof request);
    expect([statusCode, headers?.['content-type']]).toEqual([403, 'application/problem+json']);
    expect(JSON.parse(body)).toMatchObject({ status: 403, title: 'Forbidden' });
    expect(body).not.toContain(proof);
    expect([acts, telemetry.metrics, telemetry.flushes()]).toEqual([[], ['ForgeriesFound'], 1]);
    expect(telemetry.lines).toMatchObject([
      { level: 'error', message: 'invocation forged', fields: { reason } },
    ]);
    expect(JSON.stringify(telemetry.lines)).not.toContain(proof);
  });

  it('reads a proof again that does not match: it may have been replaced', async () => {
    const { api, reads } = setUp('the one before', proof);
    expect([(await api(request)).statusCode, reads.count]).toEqual([200, 2]);
  });

  it('responds 500 while the proof cannot be read, and does nothing', async () => {
    const telemetry = recordTelemetry();
    const readProof = () => Promise.reject(new Error('no response'));
    const forgeryOf = createForgeryCheck({ ownApi, readProof });
    const routes = { 'POST /acts': async () => expect.unreachable() };
    const api = createHttpApi({ routes, parts: { telemetry }, forgeryOf });
    expect((await api(request)).statusCode).toBe(500);
    expect(telemetry.metrics).toEqual([]);
  });
});
