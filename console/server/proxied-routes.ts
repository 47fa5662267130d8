import { pathPattern } from './path-pattern.ts';

/** A route that the page reads from the APIs of a stack. No other one is passed on. */
export interface ProxiedRoute {
  readonly path: string;
  /** The output of the stack with the address of the API. */
  readonly output: string;
  /** The output with the resource of `execute-api:Invoke`. */
  readonly invokeOutput: string;
}

const orderQuery = { output: 'OrderQueryUrl', invokeOutput: 'OrderQueryInvokeArn' } as const;
const operations = { output: 'OperationsUrl', invokeOutput: 'OperationsInvokeArn' } as const;

const routes: readonly ProxiedRoute[] = [
  ...['/orders', '/orders/{id}', '/orders/{id}/events', '/events/{id}', '/transactions/{id}'].map((path) => ({
    ...orderQuery,
    path,
  })),
  ...[
    ...['/operations/waiting', '/operations/waiting/counts', '/operations/approvals'],
    ...['/operations/events/{id}', '/operations/bodies/events/{id}', '/operations/bodies/{id}'],
  ].map((path) => ({ ...operations, path })),
];

const table = routes.map((route) => ({ route, pattern: pathPattern(route.path) }));

/** Whether the path is one of the APIs', known or not. */
export const isProxied = (path: string): boolean =>
  /^\/(orders|events|transactions|operations)(\/|$)/.test(path);

export const routeAt = (path: string): ProxiedRoute | undefined =>
  table.find(({ pattern }) => pattern.matches(path))?.route;
