import type { ConsoleRoute } from './context.ts';
import { type Exchange, goneSignal } from './exchange.ts';
import { methodsOf, pathPattern } from './path-pattern.ts';
import { readJson } from './request-body.ts';
import { respondJson } from './respond.ts';

/** Finds the routes of a path, and serves a request with one of their methods. */
export function createApi(routes: readonly ConsoleRoute[]) {
  const table = routes.map((route) => ({ route, pattern: pathPattern(route.path) }));
  const at = (path: string) => table.filter(({ pattern }) => pattern.matches(path));
  return {
    /** Empty for an unknown path. */
    methodsAt: (path: string) => methodsOf(at(path).map(({ route }) => route)),
    async serve({ request, response, path, query }: Exchange): Promise<void> {
      const method = request.method === 'POST' ? 'POST' : 'GET';
      for (const { route, pattern } of at(path).filter((one) => one.route.method === method)) {
        const parameters = pattern.parametersOf(path);
        const signal = goneSignal(response);
        const body = method === 'POST' ? await readJson(request) : undefined;
        return respondJson(response, await route.handle({ parameters, query, body, signal }));
      }
    },
  };
}
