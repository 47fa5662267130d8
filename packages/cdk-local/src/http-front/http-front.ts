import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { MeasuredResponse } from '../alarms/aws-metrics.ts';
import type { Invocation } from '../functions/invocation.ts';
import type { LoggedRequest } from '../log-lines.ts';
import { closeServer, isCrossSite, isLoopbackHost, listen, loopback } from '../loopback.ts';
import type { RouteModel } from '../template/resources.ts';
import { createHttpEvent, createRequestId, type ReceivedRequest } from './http-event.ts';
import {
  functionResponse,
  gatewayResponse,
  type HttpResponse,
  healthy,
  internalServerError,
} from './http-response.ts';
import { createRouter, type FindRoute } from './routes.ts';

/** The quotas of HTTP APIs. */
const bodyBytesMax = 10 * 1024 * 1024;
const headerBytesMax = 10_240;
/** How long `close` lets requests finish. */
const closeMilliseconds = 5_000;

/** Responds to a request that matches no route; returns whether it does. */
export type LocalHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

interface HttpBackend {
  readonly routes: readonly RouteModel[];
  readonly invoke: (functionName: string, event: unknown) => Promise<Invocation>;
  readonly localHandler?: LocalHandler | undefined;
  /** By API. */
  readonly stageVariables?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly onResponse?: (apiId: string, response: MeasuredResponse & LoggedRequest) => void;
}

export type HttpFront = Awaited<ReturnType<typeof openHttpFront>>;

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const refuse: Handle = async (_, response) => write(response, gatewayResponse(503, 'Service Unavailable'));

/**
 * Takes the port before there is anything to serve. Rejects with the system's error, such as `EADDRINUSE`.
 */
export async function openHttpFront(port: number, startingHandler: LocalHandler = () => false) {
  let handle: Handle = async (request, response) => {
    if (!startingHandler(request, response)) await refuse(request, response);
  };
  const running = new Set<Promise<void>>();
  const server = createServer({ maxHeaderSize: headerBytesMax }, (request, response) => {
    const work = handle(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else write(response, internalServerError);
    });
    running.add(work);
    void work.finally(() => running.delete(work));
  });
  const baseUrl = await listen(server, { host: loopback, port });
  return {
    baseUrl,
    /** Until it is called, every request that `startingHandler` does not take gets 503. */
    serve(backend: HttpBackend): void {
      const findRoute = createRouter(backend.routes);
      handle = (request, response) => serveRequest({ ...backend, findRoute }, request, response);
    },
    /** Accepts no new requests, lets those that run finish, and ends the rest. */
    async close() {
      handle = refuse;
      const finished = new AbortController();
      const timeUp = pause(closeMilliseconds, undefined, { signal: finished.signal }).catch(() => {});
      await Promise.race([Promise.allSettled([...running]), timeUp]);
      finished.abort();
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
  const own = await routeRequest(serving, request);
  if (own !== undefined) return write(response, own);
  if (serving.localHandler?.(request, response)) return;
  write(response, gatewayResponse(404, 'Not Found'));
}

/** `undefined` when the request is for no route and not the health check. */
async function routeRequest(serving: Serving, message: IncomingMessage): Promise<HttpResponse | undefined> {
  const { method = '', url = '' } = message;
  const [rawPath = '', ...query] = url.split('?');
  try {
    const match = serving.findRoute(method, rawPath);
    if (match === undefined) return method === 'GET' && rawPath === '/healthz' ? healthy : undefined;
    const since = performance.now();
    const [requestId, rawQueryString] = [createRequestId(), query.join('?')];
    const response = await respond(serving, message, { match, requestId, rawPath, rawQueryString });
    serving.onResponse?.(match.route.apiId, {
      ...{ status: response.status, milliseconds: performance.now() - since },
      ...{ requestId, sourceIp: message.socket.remoteAddress ?? '' },
    });
    return response;
  } catch (error) {
    if (error instanceof URIError) return gatewayResponse(400, 'Bad Request');
    throw error;
  }
}

type Matched = Pick<ReceivedRequest, 'match' | 'requestId' | 'rawPath' | 'rawQueryString'>;

/** Throws a `URIError` when the query is not well percent-encoded. */
async function respond(serving: Serving, message: IncomingMessage, matched: Matched): Promise<HttpResponse> {
  const { route } = matched.match;
  // IAM is not enforced here, but at least no web page reads this API under a domain of its own, or posts to
  // it.
  const isFromPage = !isLoopbackHost(message.headers.host) || isCrossSite(message);
  if (route.authorization !== 'NONE' && isFromPage) return gatewayResponse(403, 'Forbidden');
  const body = await readBody(message);
  if (body === undefined) return gatewayResponse(413, 'Request Entity Too Large');
  const stageVariables = serving.stageVariables?.get(route.apiId) ?? {};
  const event = createHttpEvent({ message, ...matched, body, stageVariables, now: Date.now() });
  return functionResponse(await serving.invoke(route.functionName, event));
}

/** The bytes of the body; `undefined` when there are too many, and then no more of them are kept. */
async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(message.headers['content-length'] ?? 0) > bodyBytesMax) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Destroying the request would close the connection before the response is out; Node discards the rest of
  // it.
  for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function write(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  response.writeHead(status, { ...headers, 'content-length': body.byteLength });
  response.end(body);
}
