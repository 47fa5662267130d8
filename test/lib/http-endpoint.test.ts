import { describe, expect, it } from 'vitest';
import { operationRoutes } from '../../lambdas/operations/routes.ts';
import { orderQueryRoutes } from '../../lambdas/order-query/routes.ts';
import { synthesise } from './synthesis.ts';

const stack = synthesise({ webhookRequestsPerSecond: 700 });
const routes = stack.propertiesOf('AWS::ApiGatewayV2::Route');

/** The routes of an API as "authorisation route". */
const routesOf = (construct: string): string[] =>
  routes
    .filter(({ ApiId }) => stack.pathOf(ApiId) === `${construct}/Endpoint/Api`)
    .map(({ AuthorizationType, RouteKey }) => `${AuthorizationType} ${RouteKey}`)
    .sort();

describe('the routes', () => {
  it('of the webhook API are one, without an authorizer: the verifier checks the signature', () => {
    expect(routesOf('Verifier')).toEqual(['NONE POST /webhooks/payments']);
  });

  it.each([
    ['OrderQuery', orderQueryRoutes],
    ['Operations', operationRoutes],
  ])('of %s are those that its handler serves, all with IAM authorization', (api, served) => {
    const expected = Object.keys(served).map((route) => `AWS_IAM ${route}`);
    expect(routesOf(api)).toEqual(expected.sort());
  });

  it('have a method and a path, because an authorizer does not cover a catch-all', () => {
    for (const { RouteKey } of routes) expect(RouteKey).toMatch(/^(GET|POST) \/[\w/{}]+$/);
    // So that local mode serves every API on one port.
    for (const route of routesOf('Operations')) expect(route).toContain(' /operations/');
  });
});

describe('every API', () => {
  it.each([
    ['Verifier', 700, 1_400],
    ['OrderQuery', 100, 200],
    ['Operations', 20, 40],
  ])(
    '%s: throttles at %i per second and a burst of %i, and logs neither headers nor bodies nor queries',
    (api, rate, burst) => {
      const { DefaultRouteSettings, AccessLogSettings } = stack.at(`${api}/Endpoint/Stage`).Properties;
      expect(DefaultRouteSettings).toEqual({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst });
      const { DestinationArn, Format } = AccessLogSettings as { DestinationArn: unknown; Format: string };
      expect(stack.at(stack.pathOf(DestinationArn)).Type).toBe('AWS::Logs::LogGroup');
      expect(Format).not.toMatch(/header|body|authorizer|query|rawPath/i);
    },
  );
});
