import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Telemetry } from '../ports/telemetry.ts';
import type { ListParts } from './list-orders.ts';
import { ParameterError } from './parameters.ts';
import { type Problem, problemResponse } from './problem.ts';
import { isRouteKey, orderQueryRoutes, type RouteResult } from './routes.ts';

export interface OrderQueryParts extends ListParts {
  readonly telemetry: Telemetry;
}

export type OrderQuery = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** The read-only API of order systems. Errors are problem details. */
export function createOrderQuery(parts: OrderQueryParts): OrderQuery {
  return async function queryOrders(event) {
    try {
      const result = await runRoute(parts, event);
      return result.ok ? jsonResponse(result.body) : problemResponse(result.problem);
    } catch (error) {
      return problemResponse(problemOf(error) ?? reportFault(parts.telemetry, event, error));
    }
  };
}

async function runRoute(parts: OrderQueryParts, event: APIGatewayProxyEventV2): Promise<RouteResult> {
  const { routeKey, pathParameters = {}, queryStringParameters = {} } = event;
  if (!isRouteKey(routeKey)) {
    const routes = Object.keys(orderQueryRoutes).join(', ');
    const detail = `There is no route ${routeKey}; the routes are ${routes}.`;
    return { ok: false, problem: { status: 404, title: 'Not Found', detail } };
  }
  return orderQueryRoutes[routeKey](parts, { path: pathParameters, query: queryStringParameters });
}

function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof ParameterError)) return undefined;
  return { status: 400, title: 'Bad Request', detail: error.message, parameter: error.parameter };
}

/** Logs the error; the caller only sees that it was our fault. */
function reportFault(telemetry: Telemetry, event: APIGatewayProxyEventV2, error: unknown): Problem {
  const { requestId } = event.requestContext;
  telemetry.log('error', 'query failed', {
    request_id: requestId,
    error_name: error instanceof Error ? error.name : undefined,
    error_message: error instanceof Error ? error.message : undefined,
  });
  const detail = `The request ${requestId} failed because of a fault of ours; it is safe to repeat.`;
  return { status: 500, title: 'Internal Server Error', detail };
}

function jsonResponse(body: unknown): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}
