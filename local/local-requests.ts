import type { IncomingMessage, ServerResponse } from 'node:http';
import { isCrossSite, isLoopbackHost, type LocalHandler } from '@payhooks/cdk-local';

/** Refuses requests under a foreign host name, from a page of another site, or with another method. */
export function refuseForeign(
  request: IncomingMessage,
  response: ServerResponse,
  methods: readonly string[],
): boolean {
  if (!isLoopbackHost(request.headers.host)) {
    refuse(response, 403, 'Use localhost, 127.0.0.1 or [::1]: other host names are refused.');
  } else if (isCrossSite(request)) {
    refuse(response, 403, 'Requests from pages of other sites are refused.');
  } else if (!methods.includes(request.method ?? '')) {
    response.setHeader('allow', methods.join(', '));
    refuse(response, 405, `Allowed here: ${methods.join(', ')}.`);
  } else {
    return false;
  }
  return true;
}

export function refuse(response: ServerResponse, status: 400 | 403 | 405 | 503, reason: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(`${reason}\n`);
}

/** What each path shows. */
export type Views = Readonly<Record<`/${string}`, (query: URLSearchParams) => unknown>>;

/** Responds to `GET` with JSON about local mode itself, made when it is requested. */
export function createInspection(views: Views): LocalHandler {
  const byPath = new Map(Object.entries(views));
  return function inspect(request, response) {
    const [path = '', query] = (request.url ?? '').split('?');
    const view = byPath.get(path);
    if (view === undefined) return false;
    response.setHeader('cache-control', 'no-store');
    if (refuseForeign(request, response, ['GET', 'HEAD'])) return true;
    response.setHeader('content-type', 'application/json');
    Promise.resolve(view(new URLSearchParams(query))).then(
      (value) => response.end(JSON.stringify(value)),
      () => response.destroy(),
    );
    return true;
  };
}
