import type { RouteModel } from '../template/resources.ts';

export interface RouteMatch {
  readonly route: RouteModel;
  /** Percent-decoded once; empty when the route has none. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** Finds the route of a request. Throws a `URIError` when a path parameter is not well percent-encoded. */
export type FindRoute = (method: string, rawPath: string) => RouteMatch | undefined;

interface Pattern {
  readonly route: RouteModel;
  readonly segments: readonly string[];
}

/**
 * Routes like an HTTP API: a fixed segment before a parameter. A path is split before it is decoded, so that
 * a parameter may hold a slash as `%2F`.
 */
export function createRouter(routes: readonly RouteModel[]): FindRoute {
  const patterns = routes.map((route) => ({ route, segments: route.path.split('/') })).sort(morePreciseFirst);
  return function findRoute(method, rawPath) {
    const segments = rawPath.split('/');
    const found = patterns.find(
      ({ route, segments: expected }) => route.method === method && matches(expected, segments),
    );
    if (found === undefined) return undefined;
    const parameters = found.segments.flatMap((expected, index) => {
      const name = parameterName(expected);
      return name === undefined ? [] : [[name, decodeURIComponent(segments[index] ?? '')]];
    });
    return { route: found.route, pathParameters: Object.fromEntries(parameters) };
  };
}

function matches(expected: readonly string[], given: readonly string[]): boolean {
  if (expected.length !== given.length) return false;
  return expected.every((segment, index) =>
    parameterName(segment) === undefined ? segment === given[index] : given[index] !== '',
  );
}

const parameterName = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];

function morePreciseFirst(left: Pattern, right: Pattern): number {
  const parameters = ({ segments }: Pattern): number => segments.filter(parameterName).length;
  return parameters(left) - parameters(right);
}
