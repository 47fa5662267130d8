import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local/loopback';
import { onTestFinished, vi } from 'vitest';
import { type ConsoleOptions, createConsoleServer } from '../../console/server/server.ts';
import type { Stack } from '../../operator/stack/stack.ts';

const stack: Stack = {
  name: 'payhooks-shop',
  region: 'eu-west-1',
  outputs: {
    OrderQueryInvokeArn: 'arn:aws:execute-api:eu-west-1:123456789012:query/*/GET/*',
    WebhookUrl: 'https://hooks.shop.example/webhooks/payments',
  },
};

const assets: NonNullable<ConsoleOptions['assets']> = {
  document: async () => ({ body: Buffer.from('<!doctype html><title>page</title>'), build: 'b1' }),
  asset: (name) =>
    name === 'page-1.js'
      ? { body: Buffer.from('"page"'), type: 'text/javascript; charset=utf-8' }
      : undefined,
};

/** A console's server over real HTTP; what it does not take gets 418. */
export async function startConsole(options: Partial<ConsoleOptions> = {}) {
  const console = createConsoleServer({
    ...{ stack: async () => stack, env: {}, log: undefined, assets },
    ...options,
  });
  const server = createServer((incoming, response) => {
    if (!console.handle(incoming, response)) response.writeHead(418).end();
  });
  const baseUrl = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  const get = (path: string, init?: RequestInit) =>
    fetch(`${baseUrl}${path}`, { redirect: 'manual', ...init });
  return {
    baseUrl,
    get,
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      get(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    /** Status and headers for a path as it is written, and headers that fetch does not let a caller choose. */
    raw: (path: string, headers: Record<string, string>, method = 'GET') =>
      rawRequest(baseUrl, { path, method, headers }),
  };
}

interface Received {
  /** Such as `GET /query/orders`. */
  readonly line: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** How an API of a deployed stack responds. */
export type Respond = (response: ServerResponse, received: Received) => void;

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
  function respondJson(response) {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** A console over the APIs of a deployed stack, which respond so. */
export async function startDeployedConsole(respond: Respond = json(200, { orders: [] })) {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'very-secret');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const one = {
      ...{ line: `${request.method} ${request.url}`, headers: request.headers },
      body: await text(request),
    };
    received.push(one);
    respond(response, one);
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  const outputs = {
    OrderQueryUrl: `${url}/query`,
    OrderQueryInvokeArn: 'arn:aws:execute-api:eu-west-1:123456789012:query/*/GET/*',
    OperationsUrl: `${url}/operator`,
    OperationsInvokeArn: 'arn:aws:execute-api:eu-west-1:123456789012:operator/*/*/operations/*',
  };
  const deployed = async () => ({ name: 'payhooks-shop', region: 'eu-west-1', outputs });
  return { ...(await startConsole({ stack: deployed, isProxy: true })), received };
}

async function rawRequest(baseUrl: string, { headers, ...target }: RequestOptions) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = { ...target, setHost: false, headers: { host: '127.0.0.1', ...headers } };
  request(baseUrl, options, resolve).on('error', reject).end();
  const response = await promise;
  response.destroy();
  return { status: response.statusCode, headers: response.headers };
}

/** A log that a test writes to. */
export function memoryLog() {
  const listeners = new Set<() => void>();
  const log = {
    subscribe(onLine: () => void) {
      listeners.add(onLine);
    },
  };
  const add = (): void => {
    for (const listener of listeners) listener();
  };
  return { log, add };
}
