import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import { onTestFinished } from 'vitest';

export interface OperationsRequest {
  /** Such as `GET /operations/waiting`. */
  readonly route: string;
  readonly query: Readonly<Record<string, string>>;
  /** Of a POST. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the operations API returns to a request. */
export type Operations = (request: OperationsRequest) => OperationsResponse | Promise<OperationsResponse>;

export interface OperationsResponse {
  readonly status?: number;
  readonly body: unknown;
}

const problem = (status: number, title: string, detail: string) => ({
  status,
  body: { type: 'about:blank', title, status, detail },
});
export const notFound = (detail: string) => problem(404, 'Not Found', detail);
export const noPermission = { status: 403, body: { message: 'Forbidden' } };

/** Nothing waits, and no key has matched so far. */
export const nothingWaits: Operations = ({ route }) => {
  const bodies: Readonly<Record<string, unknown>> = {
    'GET /operations/waiting': { events: [], next_cursor: null },
    'GET /operations/waiting/counts': { counts: [] },
    'GET /operations/keys': { keys: [] },
  };
  return route in bodies ? { body: bodies[route] } : notFound(`No ${route}.`);
};

export async function respondToOperation(
  request: IncomingMessage,
  response: ServerResponse,
  operations: Operations,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stack.example');
  const found = await operations({
    route: `${request.method} ${decodeURIComponent(pathname)}`,
    query: Object.fromEntries(searchParams),
    body: JSON.parse((await text(request)) || '{}'),
  });
  respond(response, found);
}

export function respond(response: ServerResponse, { status = 200, body }: OperationsResponse): void {
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  response.writeHead(status, { 'content-type': type, connection: 'close' }).end(JSON.stringify(body));
}

/** The operations API of a deployed stack, until the test ends. */
export async function startOperations(operations: Operations): Promise<string> {
  const server = createServer((request, response) => respondToOperation(request, response, operations));
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  return url;
}
