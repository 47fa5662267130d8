import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** RFC 9457 problem details. `detail` names the parameter, what was given and what is expected. */
export interface Problem {
  readonly status: 400 | 404 | 500;
  readonly title: string;
  readonly detail: string;
  /** The wrong query parameter. */
  readonly parameter?: string;
}

export function problemResponse(problem: Problem): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: problem.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    body: JSON.stringify({ type: 'about:blank', ...problem }),
  };
}
