import type { ConsoleRoute } from './context.ts';
import { type Exchange, goneSignal } from './exchange.ts';
import { ConsoleProblem } from './problem.ts';
import { readJson } from './request-body.ts';
import { respond, respondJson } from './respond.ts';

/** Finds the routes of a path, and serves a request with one of their methods. */
export function createApi(routes: readonly ConsoleRoute[]) {
  const at = (path: string) => routes.filter((route) => matches(route.path, path));
  return {
    /** Empty for an unknown path. */
    methodsAt: (path: string): readonly string[] =>
      at(path).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    async serve({ request, response, path, query }: Exchange): Promise<void> {
      const method = request.method === 'POST' ? 'POST' : 'GET';
      for (const route of at(path).filter((one) => one.method === method)) {
        const parameters = parametersOf(route.path, path);
        const signal = goneSignal(response);
        const body = method === 'POST' ? await readJson(request) : undefined;
        const value = await route.handle({ parameters, query, body, signal });
        if (!(value instanceof Response)) return respondJson(response, value);
        // Nothing else of its headers reaches the page.
        const type = value.headers.get('content-type') ?? '';
        return respond(response, {
          status: value.status,
          type,
          body: Buffer.from(await value.arrayBuffer()),
        });
      }
    },
  };
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** A path is split before it is decoded, so that an id may hold a slash. */
function matches(pattern: string, path: string): boolean {
  const [expected, given] = [pattern.split('/'), path.split('/')];
  return (
    given.length === expected.length &&
    expected.every((segment, at) => (isParameter(segment) ? given[at] !== '' : given[at] === segment))
  );
}

function parametersOf(pattern: string, path: string): Readonly<Record<string, string>> {
  const given = path.split('/');
  const parameters = pattern
    .split('/')
    .flatMap((segment, at) =>
      isParameter(segment) ? [[segment.slice(1, -1), decode(given[at] ?? '')]] : [],
    );
  return Object.fromEntries(parameters);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new ConsoleProblem(400, 'The path is not well percent-encoded.', { cause });
  }
}
