import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { createHttpApi } from '../../../lambdas/http-api/http-api.ts';
import { createForgeryCheck } from '../../../lambdas/http-api/own-requests.ts';
import { gatewayEvent, ownApi, proof } from '../../doubles/gateway-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const userArn = 'arn:aws:iam::000000000000:user/ada';

/** Of a private API, payload format 1.0, as API Gateway builds it. */
const restEvent = (given: object) =>
  ({
    ...{ resource: '/things/{id}', path: '/things/seven', httpMethod: 'POST', stageVariables: { proof } },
    ...{ headers: {}, multiValueHeaders: {}, multiValueQueryStringParameters: null, isBase64Encoded: false },
    pathParameters: { id: 'seven' },
    requestContext: {
      ...{ accountId: '000000000000', apiId: 'api', stage: '$default', requestId: 'request-1' },
      identity: { userArn },
    },
    ...given,
  }) as unknown as APIGatewayProxyEvent;

function createEcho() {
  return createHttpApi({
    routes: { 'POST /things/{id}': async (_, request) => request },
    parts: { telemetry: recordTelemetry() },
    forgeryOf: createForgeryCheck({ ownApi, readProof: async () => proof }),
  });
}

it.each([
  ['with a query and a body', { queryStringParameters: { mode: 'live' }, body: '{}' }],
  ['without them', { queryStringParameters: null, body: null }],
])('a private API responds as the public one does, %s', async (_, { queryStringParameters, body }) => {
  const echo = createEcho();
  const asPublic = gatewayEvent({
    ...{ routeKey: 'POST /things/{id}', pathParameters: { id: 'seven' }, userArn },
    ...(queryStringParameters && { queryStringParameters }),
    ...(body !== null && { body }),
  });
  const response = await echo(restEvent({ queryStringParameters, body }));
  expect(response).toMatchObject({ statusCode: 200, body: expect.stringContaining(userArn) });
  expect(response).toEqual(await echo(asPublic));
});

it('a private API refuses an event with another proof, and one without an identity', async () => {
  const echo = createEcho();
  const { requestContext } = restEvent({});
  const nobody = { ...requestContext, identity: { userArn: null } };
  for (const forged of [{ stageVariables: { proof: 'other' } }, { requestContext: nobody }])
    expect(await echo(restEvent(forged))).toMatchObject({ statusCode: 403 });
});
