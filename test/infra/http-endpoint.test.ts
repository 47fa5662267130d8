import { beforeAll, describe, expect, it } from 'vitest';
import { orderQueryRoutes } from '../../lambdas/order-query/routes.ts';
import { referenced, type Synthesis, synthesise } from './synthesis.ts';

let stack: Synthesis;
beforeAll(() => {
  stack = synthesise({ webhookRequestsPerSecond: 700, webhookBurst: 900, queryBurst: 60 });
});

const webhookApi = 'Verifier/Endpoint/Api';
const queryApi = 'OrderQuery/Endpoint/Api';

/** The routes of an API as "authorisation route". */
function routesOf(api: string): string[] {
  return stack
    .ofType('AWS::ApiGatewayV2::Route')
    .filter(([, { Properties }]) => stack.pathOf(referenced(Properties['ApiId'])) === api)
    .map(([, { Properties }]) => `${Properties['AuthorizationType']} ${Properties['RouteKey']}`);
}

function stageOf(api: string): Readonly<Record<string, unknown>> {
  const stages = stack
    .ofType('AWS::ApiGatewayV2::Stage')
    .filter(([, { Properties }]) => stack.pathOf(referenced(Properties['ApiId'])) === api);
  expect(stages).toHaveLength(1);
  return stages[0]?.[1].Properties ?? {};
}

describe('the webhook API', () => {
  it('answers the webhook and nothing else, without an authoriser: the signature is checked inside', () => {
    expect(routesOf(webhookApi)).toEqual(['NONE POST /webhooks/payments']);
  });

  it('is throttled as configured', () => {
    expect(stageOf(webhookApi)['DefaultRouteSettings']).toEqual({
      ThrottlingRateLimit: 700,
      ThrottlingBurstLimit: 900,
    });
  });
});

describe('the order query API', () => {
  it('asks for a signature by IAM on every route', () => {
    expect(routesOf(queryApi)).toEqual([
      'AWS_IAM GET /orders',
      'AWS_IAM GET /orders/{order_id}',
      'AWS_IAM GET /orders/{order_id}/events',
      'AWS_IAM GET /events/{event_id}',
    ]);
  });

  it('has the routes that its handler knows', () => {
    expect(routesOf(queryApi).map((route) => route.replace('AWS_IAM ', ''))).toEqual(
      Object.keys(orderQueryRoutes),
    );
  });

  it('is throttled as configured', () => {
    expect(stageOf(queryApi)['DefaultRouteSettings']).toEqual({
      ThrottlingRateLimit: 100,
      ThrottlingBurstLimit: 60,
    });
  });
});

describe('every API', () => {
  it('has only routes with a method and a path, as no authoriser covers a catch-all', () => {
    const keys = stack.ofType('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => Properties['RouteKey']);
    expect(keys).toHaveLength(5);
    for (const key of keys) expect(key).toMatch(/^(GET|POST) \/[\w/{}]+$/);
  });

  it('is an HTTP API that hands over requests in the format 2.0', () => {
    for (const [, { Properties }] of stack.ofType('AWS::ApiGatewayV2::Api')) {
      expect(Properties['ProtocolType']).toBe('HTTP');
    }
    for (const [, { Properties }] of stack.ofType('AWS::ApiGatewayV2::Integration')) {
      expect(Properties['PayloadFormatVersion']).toBe('2.0');
    }
  });

  it.each([webhookApi, queryApi])('logs each request to %s as JSON, without headers or bodies', (api) => {
    const { DestinationArn, Format } = stageOf(api)['AccessLogSettings'] as {
      DestinationArn: unknown;
      Format: string;
    };
    expect(stack.resources.get(referenced(DestinationArn))).toMatchObject({
      Type: 'AWS::Logs::LogGroup',
      Properties: { RetentionInDays: 30 },
    });
    const line: unknown = JSON.parse(Format);
    expect(line).toMatchObject({
      requestId: '$context.requestId',
      routeKey: '$context.routeKey',
      status: '$context.status',
      ip: '$context.identity.sourceIp',
      integrationError: '$context.integrationErrorMessage',
      responseLatency: '$context.responseLatency',
    });
    expect(Format).not.toMatch(/header|body|authorizer/i);
  });
});

describe('the outputs', () => {
  const outputText = (id: string): string => JSON.stringify(stack.outputs[id]?.Value);

  it('name the address that is registered', () => {
    expect(outputText('WebhookUrl')).toMatch(/VerifierEndpointApi.*ApiEndpoint.*"\/webhooks\/payments"/);
  });

  it('put the private key in by a command that asks for it, and keeps the other keys of the secret', () => {
    expect(stack.outputs['PutPrivateKey']?.Value).toBe('npx payhooks keys set --stack payhooks-production');
  });

  it('say how to register: by command where the payment service is known, otherwise in its dashboard', () => {
    const known = synthesise({ paymentServiceBaseUrl: 'https://pay.example.com' });
    expect(known.outputs['RegisterWebhook']?.Value).toBe(
      'npx payhooks webhooks register --stack payhooks-production',
    );
    expect(outputText('RegisterWebhook')).toMatch(
      /Register .*VerifierEndpointApi.* in the payment service's dashboard, for the events transaction.paid and /,
    );
  });
});
