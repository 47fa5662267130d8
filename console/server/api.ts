import type { IncomingMessage } from 'node:http';
import type { ConsoleRoute } from './context.ts';
import type { Exchange } from './exchange.ts';
import { type MatchPath, pathPattern } from './path-pattern.ts';
import { ConsoleProblem } from './problem.ts';
import { parseJson, readJsonText } from './request-body.ts';
import { respondJson } from './respond.ts';

/** Finds the routes of a path, and what to do with a request to it. */
export function createApi(routes: readonly ConsoleRoute[]) {
  const table = routes.map((route) => ({ route, match: pathPattern(route.path) }));
  return {
    /** Empty for an unknown path. */
    methodsAt(path: string): readonly string[] {
      const found = table.filter(({ match }) => isMatch(match, path)).map(({ route }) => route.method);
      return found.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    },
    async serve({ request, response, path, query }: Exchange): Promise<void> {
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      for (const { route, match } of table.filter((one) => one.route.method === method)) {
        const parameters = match(path);
        if (parameters === undefined) continue;
        const body = await bodyOf(request);
        return respondJson(response, await route.handle({ parameters, query, body }));
      }
    },
  };
}

/** Whether the path matches, well encoded or not. */
function isMatch(match: MatchPath, path: string): boolean {
  try {
    return match(path) !== undefined;
  } catch (error) {
    if (error instanceof ConsoleProblem) return true;
    throw error;
  }
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> =>
  request.method === 'POST' ? parseJson(await readJsonText(request)) : undefined;
