import { proofVariable } from '../../../lambdas/contract/own-api.ts';
import type { Clock } from '../clock.ts';
import { operationsApi, proof } from '../function-models.ts';
import type { Stage } from '../lambda/bundles.ts';
import type { Functions } from '../lambda/functions.ts';
import type { Random } from '../random.ts';

export interface GatewayRequest {
  readonly stage: Stage;
  /** Such as `GET /orders/{order_id}`. */
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The ARN of the caller, where the route has IAM authorisation. */
  readonly userArn?: string;
}

export interface GatewayResponse {
  readonly status: number;
  readonly body: string;
}

export type Gateway = (request: GatewayRequest) => Promise<GatewayResponse>;

const faultResponse = (status: number, message: string): GatewayResponse => ({
  status,
  body: JSON.stringify({ message }),
});

/** API Gateway's HTTP APIs in front of the functions. */
export function createGateway(parts: {
  readonly clock: Clock;
  readonly random: Random;
  readonly functions: Pick<Functions, 'invoke'>;
}): Gateway {
  const { clock, random, functions } = parts;
  return async function request(given) {
    await clock.pause(random.integer(1, 5));
    const invocation = await functions.invoke(given.stage, eventOf(given, random.uuid()));
    if (!invocation.ok && invocation.errorType === 'throttled')
      return faultResponse(503, 'Service Unavailable');
    if (!invocation.ok) return faultResponse(500, 'Internal Server Error');
    const { statusCode, body = '' } = JSON.parse(invocation.payload) as { statusCode: number; body?: string };
    return { status: statusCode, body };
  };
}

/** The event of payload format 2.0. */
function eventOf(request: GatewayRequest, requestId: string): object {
  const { routeKey, pathParameters = {}, query = {}, headers, body, userArn } = request;
  const [method = '', path = ''] = routeKey.split(' ');
  const isText = /^(text\/.+|application\/(json|xml|javascript))(;|$)/.test(headers['content-type'] ?? '');
  const hasBody = body !== undefined && body.length > 0;
  return {
    ...{ version: '2.0', routeKey, rawPath: path, rawQueryString: '', headers },
    ...(Object.keys(query).length > 0 && { queryStringParameters: query }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    stageVariables: { [proofVariable]: proof },
    requestContext: {
      ...{ ...operationsApi, requestId, routeKey, http: { method, path } },
      ...(userArn !== undefined && { authorizer: { iam: { userArn } } }),
    },
    ...(hasBody && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: hasBody && !isText,
  };
}
