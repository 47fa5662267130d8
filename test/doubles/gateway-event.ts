import type { APIGatewayProxyEventV2 } from 'aws-lambda';

export interface GatewayRequest {
  readonly routeKey: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly pathParameters?: Record<string, string>;
  readonly queryStringParameters?: Record<string, string>;
  /** Who has signed the request. */
  readonly userArn?: string;
}

/** What the stage of the operations API adds to each event, and how its function knows that API. */
export const proof = 'f00d'.repeat(16);
export const ownApi = '000000000000/api/$default';

/** An event of an HTTP API, payload format 2.0, as API Gateway builds it. */
export function gatewayEvent({
  userArn = 'arn:aws:iam::000000000000:user/tester',
  ...request
}: GatewayRequest): APIGatewayProxyEventV2 {
  const [method = '', path = ''] = request.routeKey.split(' ');
  return {
    version: '2.0',
    rawPath: path,
    rawQueryString: '',
    headers: {},
    stageVariables: { proof },
    isBase64Encoded: false,
    ...request,
    requestContext: {
      accountId: '000000000000',
      ...{ authorizer: { iam: { userArn } } },
      apiId: 'api',
      domainName: 'api.example',
      domainPrefix: 'api',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      requestId: 'request-1',
      routeKey: request.routeKey,
      stage: '$default',
      time: '21/Nov/2026:10:00:00 +0000',
      timeEpoch: 1_795_255_200_000,
    },
  };
}
