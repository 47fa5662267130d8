import { createServer, type IncomingMessage } from 'node:http';
import { AwsError } from './aws-error.ts';
import { readJson, respond } from './aws-json.ts';
import { type Emulator, serve } from './faults.ts';

export interface RestRequest {
  /** The part of the path that stands where the route has `*`. */
  readonly name: string;
  readonly query: URLSearchParams;
  /** The body as JSON. */
  readonly parameters: object;
}

/** Each operation declares the parameters that it reads, which a method's type allows. */
type Operation = { run(request: RestRequest): object }['run'];

/** By method and path, such as `GET /schedules/*`, with one `*` at most. */
export type RestRoutes = Readonly<Record<string, Operation>>;

/** Serves operations over REST with JSON. */
export const startRestJson = (routes: RestRoutes): Promise<Emulator> =>
  serve(createServer((request, response) => respond(response, () => runOperation(routes, request))));

async function runOperation(routes: RestRoutes, request: IncomingMessage): Promise<object> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  const path = pathname.replace(/\/$/, '');
  const wanted = `${request.method} ${path}`;
  const [run, name = ''] = Object.entries(routes).flatMap(([route, operation]) => {
    const found = new RegExp(`^${route.replace('*', '([^/]+)')}$`).exec(wanted);
    return found === null ? [] : [operation, found[1] ?? ''];
  }) as [run?: Operation, name?: string];
  if (run === undefined) throw new AwsError('UnknownOperationException', `${path} is not emulated.`);
  return run({ name: decodeURIComponent(name), query, parameters: await readJson(request) });
}
