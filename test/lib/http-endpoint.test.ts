import { describe, expect, it } from 'vitest';
import { operationRoutes } from '../../lambdas/operations/routes.ts';
import { orderQueryRoutes } from '../../lambdas/order-query/routes.ts';
import { synthesise } from './synthesis.ts';

const stack = synthesise({ webhookRequestsPerSecond: 700, webhookBurst: 900, queryBurst: 60 });
const routes = stack.propertiesOf('AWS::ApiGatewayV2::Route');

/** The routes of an API as "authorisation route". */
const routesOf = (construct: string): string[] =>
  routes
    .filter(({ ApiId }) => stack.pathOf(ApiId) === `${construct}/Endpoint/Api`)
    .map(({ AuthorizationType, RouteKey }) => `${AuthorizationType} ${RouteKey}`);

describe('the webhook API', () => {
  it('has one route, without an authorizer: the verifier checks the signature', () => {
    expect(routesOf('Verifier')).toEqual(['NONE POST /webhooks/payments']);
  });
});

describe('the order query API', () => {
  it('requires IAM authorization on every route', () => {
    expect(routesOf('OrderQuery')).toEqual([
      'AWS_IAM GET /orders',
      'AWS_IAM GET /orders/{order_id}',
      'AWS_IAM GET /orders/{order_id}/events',
      'AWS_IAM GET /events/{event_id}',
      'AWS_IAM GET /transactions/{transaction_id}',
    ]);
  });

  it('has the routes that its handler serves', () => {
    const declared = routesOf('OrderQuery').map((route) => route.replace('AWS_IAM ', ''));
    expect(declared).toEqual(Object.keys(orderQueryRoutes));
  });
});

describe('the operations API', () => {
  it('has the routes that its handler serves, all with IAM authorization', () => {
    const served = Object.keys(operationRoutes).map((route) => `AWS_IAM ${route}`);
    expect(routesOf('Operations').toSorted()).toEqual(served.toSorted());
  });

  it('has only routes below /operations/, so that local mode serves every API on one port', () => {
    for (const route of routesOf('Operations')) expect(route).toMatch(/^AWS_IAM (GET|POST) \/operations\//);
  });
});

describe('every API', () => {
  it('has only routes with a method and a path, because an authorizer does not cover a catch-all', () => {
    expect(routes).toHaveLength(6 + Object.keys(operationRoutes).length);
    for (const { RouteKey } of routes) expect(RouteKey).toMatch(/^(GET|POST) \/[\w/{}]+$/);
  });

  it('is an HTTP API with payload format 2.0', () => {
    for (const { ProtocolType } of stack.propertiesOf('AWS::ApiGatewayV2::Api')) {
      expect(ProtocolType).toBe('HTTP');
    }
    for (const { PayloadFormatVersion } of stack.propertiesOf('AWS::ApiGatewayV2::Integration')) {
      expect(PayloadFormatVersion).toBe('2.0');
    }
  });

  it.each([
    ['Verifier', 700, 900],
    ['OrderQuery', 100, 60],
    ['Operations', 20, 40],
  ])('throttles requests: %s at %i per second and a burst of %i', (construct, rate, burst) => {
    expect(stack.at(`${construct}/Endpoint/Stage`).Properties['DefaultRouteSettings']).toEqual({
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
    });
  });

  it.each(['Verifier', 'OrderQuery', 'Operations'])(
    'logs each request to %s as JSON, without headers or bodies',
    (api) => {
      const { AccessLogSettings } = stack.at(`${api}/Endpoint/Stage`).Properties;
      const { DestinationArn, Format } = AccessLogSettings as { DestinationArn: unknown; Format: string };
      expect(stack.at(stack.pathOf(DestinationArn)).Type).toBe('AWS::Logs::LogGroup');
      expect(JSON.parse(Format)).toMatchObject({
        requestId: '$context.requestId',
        status: '$context.status',
        ip: '$context.identity.sourceIp',
        integrationError: '$context.integrationErrorMessage',
      });
      expect(Format).not.toMatch(/header|body|authorizer/i);
    },
  );
});
