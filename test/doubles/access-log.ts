/** The variables of an HTTP API's access log that requests have here, as AWS documents them. */
export interface LoggedRequest {
  readonly caller?: string;
  readonly account?: string;
  readonly method: string;
  /** The route's path, such as `/orders/{order_id}`. */
  readonly route: string;
  /** The path that was requested, without its query. */
  readonly path: string;
  readonly status?: number;
  readonly at: string;
}

/** The line that API Gateway writes for a request; it throws for a variable that HTTP APIs do not have. */
export function accessLogLine(format: string, request: LoggedRequest): string {
  const variables: Readonly<Record<string, string | undefined>> = {
    'context.requestId': 'c6f0bf-request',
    'context.requestTime': request.at,
    'context.identity.sourceIp': '203.0.113.7',
    'context.identity.userArn': request.caller,
    'context.identity.accountId': request.account,
    'context.routeKey': `${request.method} ${request.route}`,
    'context.path': request.path,
    'context.status': String(request.status ?? 200),
    'context.responseLength': '812',
    'context.responseLatency': '31',
    'context.integrationLatency': '29',
    'context.integrationErrorMessage': undefined,
    'context.error.message': undefined,
  };
  return format.replaceAll(/\$([\w.]+)/g, (_, name: string) => {
    if (!(name in variables))
      throw new Error(`An HTTP API has no variable $${name}, or this double lacks it.`);
    return variables[name] ?? '-';
  });
}
