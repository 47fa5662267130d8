import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** RFC 9457 problem details. `detail` names the parameter, what was given and what is expected. */
export interface Problem {
  readonly status: 400 | 404 | 500;
  readonly title: string;
  readonly detail: string;
}

export function problemResponse({ status, title, detail }: Problem): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    body: JSON.stringify({ type: 'about:blank', title, status, detail }),
  };
}
