import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Every server of this package listens here and nowhere else. */
export const loopback = '127.0.0.1';

/**
 * Starts listening and returns the base URL. Rejects with the system's error, for example `EADDRINUSE`. Only
 * clients close idle connections: on a busy machine, a request would often meet the end that Node sets.
 */
export async function listen(server: Server, at: { host: string; port: number }): Promise<string> {
  server.keepAliveTimeout = 0;
  // `once` rejects when 'error' comes first.
  const listening = once(server, 'listening');
  server.listen(at.port, at.host);
  await listening;
  const { port } = server.address() as AddressInfo;
  return `http://${at.host}:${port}`;
}

/** Stops listening and ends all connections; resolves when they are closed. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
  });
  server.closeAllConnections();
  await closed;
}

/**
 * Whether a request names this machine by a loopback name. Any page on the web can point its own domain at
 * 127.0.0.1 and then read the responses (DNS rebinding); its requests carry that domain as Host.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(host);
}

/**
 * Whether a page of another site makes the request. Every browser sends the origin with a POST; older ones do
 * not mark the site.
 */
export function isCrossSite({ headers }: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== `http://${host}`;
}
