import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import { operationRoutes } from '../../lambdas/operations/routes.ts';
import { gatewayEvent } from './gateway-event.ts';
import type { Operations } from './operations-server.ts';

/** The operations API for a server of `startLocalStack` or `startOperations`. */
export function served(api: HttpApi): Operations {
  return async function respond({ route, query, body }) {
    const { routeKey, pathParameters } = matched(route);
    const request = { routeKey, pathParameters, queryStringParameters: query, body: JSON.stringify(body) };
    const response = await api(gatewayEvent(request));
    return { status: response.statusCode ?? 0, body: JSON.parse(response.body ?? '') };
  };
}

export function matched(route: string) {
  for (const routeKey of Object.keys(operationRoutes)) {
    const pattern = routeKey.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const groups = new RegExp(`^${pattern}$`).exec(route);
    if (groups !== null) return { routeKey, pathParameters: { ...groups.groups } };
  }
  throw new Error(`The operations API has no ${route}.`);
}
