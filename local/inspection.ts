import type { LocalHandler } from '@payhooks/cdk-local';
import { refuseForeign } from './local-requests.ts';

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
