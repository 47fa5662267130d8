import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen, loopback } from '../loopback.ts';
import { AwsError } from './aws-error.ts';
import type { Emulator } from './aws-json.ts';
import { createFaults } from './faults.ts';

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

/** Serves operations over REST with JSON on a free loopback port. */
export async function startRestJson(routes: RestRoutes): Promise<Emulator> {
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-amzn-requestid', randomUUID());
    try {
      response.end(JSON.stringify(await runOperation(routes, request)));
    } catch (error) {
      const code = error instanceof AwsError ? error.code : 'InternalServiceError';
      const message = error instanceof Error ? error.message : String(error);
      response.writeHead(statusOf(code), { 'x-amzn-errortype': code });
      response.end(JSON.stringify({ Message: message }));
    }
  });
  const faults = createFaults();
  faults.interrupt(server);
  const endpoint = await listen(server, { host: loopback, port: 0 });
  return { endpoint, fail: faults.begin, close: () => closeServer(server) };
}

function statusOf(code: string): number {
  if (code === 'InternalServiceError') return 500;
  return code === 'ResourceNotFoundException' ? 404 : 400;
}

async function runOperation(routes: RestRoutes, request: IncomingMessage): Promise<object> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  const path = pathname.replace(/\/$/, '');
  const wanted = `${request.method} ${path}`;
  const [run, name = ''] = Object.entries(routes).flatMap(([route, operation]) => {
    const found = new RegExp(`^${route.replace('*', '([^/]+)')}$`).exec(wanted);
    return found === null ? [] : [operation, found[1] ?? ''];
  }) as [run?: Operation, name?: string];
  if (run === undefined) throw new AwsError('UnknownOperationException', `${path} is not emulated.`);
  const parameters = JSON.parse((await text(request)) || '{}') as object;
  return run({ name: decodeURIComponent(name), query, parameters });
}
