import type { APIGatewayProxyEventV2 } from 'aws-lambda';

export interface GatewayRequest {
  readonly routeKey: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly pathParameters?: Record<string, string>;
  readonly queryStringParameters?: Record<string, string>;
}

/** An event of an HTTP API, payload format 2.0, as API Gateway builds it. */
export function gatewayEvent(request: GatewayRequest): APIGatewayProxyEventV2 {
  const [method = '', path = ''] = request.routeKey.split(' ');
  return {
    version: '2.0',
    rawPath: path,
    rawQueryString: '',
    headers: {},
    isBase64Encoded: false,
    ...request,
    requestContext: {
      accountId: '000000000000',
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
