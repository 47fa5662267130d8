import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { metricNames } from '../contract/metrics.ts';
import { errorFields, type Telemetry } from '../ports/telemetry.ts';
import { callerOf, type ForgeryOf } from './own-requests.ts';
import { type Parameters, readMode, refuseUnknown } from './parameters.ts';
import { forbidden, notFound, type Problem, ProblemError } from './problem.ts';
import { type ApiEvent, asHttpApiEvent } from './rest-event.ts';

export type HttpApi = (event: ApiEvent) => Promise<APIGatewayProxyStructuredResultV2>;

export interface HttpApiProps<Parts> {
  /** By route key, such as `GET /orders`. */
  readonly routes: Readonly<Record<string, Route<Parts>>>;
  readonly parts: Parts;
  /** Without it, every event counts as a request through the own API. */
  readonly forgeryOf?: ForgeryOf;
}

/** An API of explicit routes behind API Gateway. It responds with JSON; errors are problem details. */
export function createHttpApi<Parts extends { readonly telemetry: Telemetry }>(
  props: HttpApiProps<Parts>,
): HttpApi {
  const { telemetry } = props.parts;
  return async function respond(given) {
    const event = asHttpApiEvent(given);
    try {
      await refuseForgery(props, event);
      return responseOf(200, 'application/json', await runRoute(props, event));
    } catch (error) {
      const problem = error instanceof ProblemError ? error.problem : reportFault(telemetry, event, error);
      const body = { type: 'about:blank', ...problem };
      return responseOf(problem.status, 'application/problem+json', body);
    } finally {
      telemetry.flush();
    }
  };
}

/** An event that no request through the own API has made. */
async function refuseForgery<Parts extends { readonly telemetry: Telemetry }>(
  { parts: { telemetry }, forgeryOf }: HttpApiProps<Parts>,
  event: APIGatewayProxyEventV2,
): Promise<void> {
  const reason = await forgeryOf?.(event);
  if (reason === undefined) return;
  telemetry.count(metricNames.forgeriesFound);
  const { routeKey: route, requestContext } = event;
  const claimed = { request_id: requestContext?.requestId, route, caller: callerOf(event) };
  telemetry.log('error', 'invocation forged', { reason, ...claimed });
  throw forbidden(
    `The event does not come from this function's own API (${reason}); expected a request that API Gateway ` +
      'has authenticated. Call the API: its address is the output OperationsUrl.',
  );
}

async function runRoute<Parts>(
  { routes, parts }: HttpApiProps<Parts>,
  event: APIGatewayProxyEventV2,
): Promise<unknown> {
  const { routeKey } = event;
  const route = Object.hasOwn(routes, routeKey) ? routes[routeKey] : undefined;
  if (route !== undefined) return route(parts, readRequest(event));
  throw notFound(`There is no route ${routeKey}; the routes are ${Object.keys(routes).join(', ')}.`);
}

function readRequest(event: APIGatewayProxyEventV2): RouteRequest {
  const { pathParameters = {}, queryStringParameters = {}, body, isBase64Encoded } = event;
  return {
    path: pathParameters,
    query: queryStringParameters,
    body: body !== undefined && isBase64Encoded ? Buffer.from(body, 'base64').toString() : body,
    caller: callerOf(event) ?? 'unidentified caller',
  };
}

/** Logs the error; the caller only sees that it was our fault. */
function reportFault(telemetry: Telemetry, event: APIGatewayProxyEventV2, error: unknown): Problem {
  const requestId = event.requestContext?.requestId;
  telemetry.log('error', 'request failed', {
    request_id: requestId,
    route: event.routeKey,
    ...errorFields(error),
  });
  const detail = `The request ${requestId} failed because of a fault of ours; it is safe to repeat.`;
  return { status: 500, title: 'Internal Server Error', detail };
}

const responseOf = (statusCode: number, type: string, body: unknown): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': type, 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

export interface RouteRequest {
  readonly path: Parameters;
  readonly query: Parameters;
  /** As text; `undefined` when the request has none. */
  readonly body: string | undefined;
  /** The ARN of the IAM identity that signed the request. */
  readonly caller: string;
}

/** Returns the body of the response. Throws ProblemError. */
export type Route<Parts> = (parts: Parts, request: RouteRequest) => Promise<unknown>;

/** What a path names, of the mode in the query; `more` are the other parameters that the query may have. */
export function readSubject({ path, query }: RouteRequest, name: string, more: readonly string[] = []) {
  refuseUnknown(query, ['mode', ...more]);
  return { mode: readMode(query), id: path[name] ?? '' };
}
