import { pathPattern } from './path-pattern.ts';

/** A route of the APIs of a stack that the page uses. No other one is passed on. */
export interface ProxiedRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The output of the stack with the address of the API. */
  readonly output: string;
  /** The output with the resource of `execute-api:Invoke`. */
  readonly invokeOutput: string;
}

const orderQuery = { output: 'OrderQueryUrl', invokeOutput: 'OrderQueryInvokeArn' } as const;
const operations = { output: 'OperationsUrl', invokeOutput: 'OperationsInvokeArn' } as const;

const routes: readonly ProxiedRoute[] = [
  ...['/orders', '/orders/{id}', '/orders/{id}/events', '/events/{id}', '/transactions/{id}'].map(
    (path) => ({ ...orderQuery, method: 'GET', path }) as const,
  ),
  ...[
    ...['/operations/waiting', '/operations/waiting/counts'],
    ...['/operations/events/{id}', '/operations/bodies/events/{id}', '/operations/bodies/{id}'],
  ].map((path) => ({ ...operations, method: 'GET', path }) as const),
  ...['admit', 'dismiss', 'resolve', 'replay'].map(
    (act) => ({ ...operations, method: 'POST', path: `/operations/${act}` }) as const,
  ),
];

const table = routes.map((route) => ({ route, pattern: pathPattern(route.path) }));

/** Whether the path is one of the APIs', known or not. */
export const isProxied = (path: string): boolean =>
  /^\/(orders|events|transactions|operations)(\/|$)/.test(path);

/** The routes of a path, which differ in their methods. */
export const routesAt = (path: string): readonly ProxiedRoute[] =>
  table.filter(({ pattern }) => pattern.matches(path)).map(({ route }) => route);
