import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { loopback } from '../emulators/account.ts';
import { closeServer, listen } from '../emulators/listen.ts';
import type { Invocation } from '../functions/invocation.ts';
import type { RouteModel } from '../template/model.ts';
import { createHttpEvent } from './event.ts';
import { isLoopbackHost } from './loopback-guard.ts';
import { gatewayAnswer, type HttpAnswer, internalServerError, readFunctionAnswer } from './response.ts';
import { createRouter, type FindRoute } from './routes.ts';

/** The quotas of HTTP APIs. */
const bodyBytesMax = 10 * 1024 * 1024;
const headerBytesMax = 10_240;
/** How long `close` lets requests finish. */
const closeMilliseconds = 5_000;

/** Answers a request that is no route's, and says whether it did. */
export type LocalHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface HttpBackend {
  readonly routes: readonly RouteModel[];
  readonly invoke: (functionName: string, event: unknown) => Promise<Invocation>;
  readonly localHandler?: LocalHandler | undefined;
}

export interface HttpFront {
  readonly baseUrl: string;
  /** Starts answering; until then every request gets 503. */
  serve(backend: HttpBackend): void;
  /** Takes no new requests, lets those that run finish, and ends the rest. */
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const unavailable: Answer = async (_, response) => write(response, gatewayAnswer(503, 'Service Unavailable'));

/**
 * Takes the port at once, so that it is certain before the slow work begins. Rejects with the system's error,
 * for example `EADDRINUSE`.
 */
export async function openHttpFront(port: number): Promise<HttpFront> {
  let answer: Answer = unavailable;
  const running = new Set<Promise<void>>();
  const server = createServer({ maxHeaderSize: headerBytesMax }, (request, response) => {
    const work = answer(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else write(response, internalServerError);
    });
    running.add(work);
    void work.finally(() => running.delete(work));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const overflow = error.code === 'HPE_HEADER_OVERFLOW';
    const [status, message] = overflow ? ['431', 'Request Header Fields Too Large'] : ['400', 'Bad Request'];
    const body = JSON.stringify({ message });
    if (!socket.writable) return socket.destroy();
    const head = `HTTP/1.1 ${status} ${message}\r\nConnection: close\r\nContent-Type: application/json`;
    return socket.end(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  });
  const baseUrl = await listen(server, { host: loopback, port });
  return {
    baseUrl,
    serve(backend) {
      const findRoute = createRouter(backend.routes);
      answer = (request, response) => serveRequest({ ...backend, findRoute }, request, response);
    },
    async close() {
      answer = unavailable;
      let timer: NodeJS.Timeout | undefined;
      const timeUp = new Promise((resolve) => {
        timer = setTimeout(resolve, closeMilliseconds);
      });
      await Promise.race([Promise.allSettled([...running]), timeUp]);
      clearTimeout(timer);
      await closeServer(server);
    },
  };
}

type Serving = HttpBackend & { readonly findRoute: FindRoute };

async function serveRequest(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await answerRequest(serving, request);
  if (answer !== undefined) return write(response, answer);
  if (serving.localHandler?.(request, response)) return;
  write(response, gatewayAnswer(404, 'Not Found'));
}

/** `undefined` when neither a route nor the health check takes the request. */
async function answerRequest(serving: Serving, message: IncomingMessage): Promise<HttpAnswer | undefined> {
  const { method = '', url = '' } = message;
  const [rawPath = '', ...query] = url.split('?');
  try {
    const match = serving.findRoute(method, rawPath);
    if (match === undefined) {
      if (method !== 'GET' || rawPath !== '/healthz') return undefined;
      return { ...gatewayAnswer(200, ''), body: Buffer.from('{"status":"ok"}') };
    }
    // IAM is not evaluated here, so that at least no page of the web reads orders through a name of its own.
    if (match.route.authorization !== 'NONE' && !isLoopbackHost(message.headers.host)) {
      return gatewayAnswer(403, 'Forbidden');
    }
    const body = await readBody(message);
    if (body === undefined) return gatewayAnswer(413, 'Request Entity Too Large');
    const rawQueryString = query.join('?');
    const event = createHttpEvent({ message, match, rawPath, rawQueryString, body, now: Date.now() });
    return readFunctionAnswer(await serving.invoke(match.route.functionName, event));
  } catch (error) {
    if (error instanceof URIError) return gatewayAnswer(400, 'Bad Request');
    throw error;
  }
}

/** The bytes as they came; `undefined` when they are too many, and then no more of them are kept. */
async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(message.headers['content-length'] ?? 0) > bodyBytesMax) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Destroying the request would close the connection before the answer
  // is out; Node discards what is left of it.
  for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function write(response: ServerResponse, { status, headers, cookies, body }: HttpAnswer): void {
  response.writeHead(status, {
    ...headers,
    ...(cookies.length === 0 ? {} : { 'set-cookie': [...cookies] }),
    'content-length': body.byteLength,
  });
  response.end(body);
}
