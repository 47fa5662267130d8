import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestBytesMax } from '../assumptions.ts';
import { type ApiResponse, refusal } from './api/response.ts';

/** Listens on 127.0.0.1; port 0 takes any free one. Rejects with the system's error, such as `EADDRINUSE`. */
export async function listenOnLoopback(server: Server, port: number): Promise<string> {
  // `once` rejects when 'error' comes first.
  const listening = once(server, 'listening');
  // Clients close idle connections: on a busy machine, a request would often meet the end that Node sets.
  server.keepAliveTimeout = 0;
  server.listen(port, '127.0.0.1');
  await listening;
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** The path as it came: a URL parser would correct what a strict server has to refuse. */
export function targetOf({ url = '' }: IncomingMessage): { path: string; query: URLSearchParams } {
  const [path = '', ...query] = url.split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
}

/** A body above the bound is refused, but read to its end, so that the client reads the response. */
export async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).byteLength;
    if (bytes <= requestBytesMax) chunks.push(chunk as Buffer);
  }
  if (bytes > requestBytesMax) throw refusal(413, 'Content Too Large');
  return Buffer.concat(chunks);
}

export function writeResponse(response: ServerResponse, { status, body, headers }: ApiResponse): void {
  const contentType = body !== undefined && { 'content-type': 'application/json' };
  response.writeHead(status, { ...contentType, ...headers });
  response.end(JSON.stringify(body));
}

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether a program of this machine sent the request. A web page can point its own host name at 127.0.0.1
 * (DNS rebinding), and then sends that name as Host; requests of other pages have Sec-Fetch-Site.
 */
export function isFromThisMachine({ host = [], ...others }: IncomingMessage['headersDistinct']): boolean {
  const site = others['sec-fetch-site']?.join() ?? 'none';
  return loopbackHost.test(host.join()) && (site === 'none' || site === 'same-origin');
}
