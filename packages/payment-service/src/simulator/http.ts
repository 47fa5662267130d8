import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** Listens on 127.0.0.1; port 0 takes any free one. Rejects with the system's error, such as `EADDRINUSE`. */
export async function listenOnLoopback(server: Server, port: number): Promise<string> {
  // `once` rejects when 'error' comes first.
  const listening = once(server, 'listening');
  server.listen(port, '127.0.0.1');
  await listening;
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Resolves when the server has no connection left. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/**
 * Whether a program of this machine sent the request. A web page can point its own host name at 127.0.0.1
 * (DNS rebinding), and then sends that name as Host; other pages are announced by Sec-Fetch-Site.
 */
export function isFromThisMachine({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  return loopback.test(headers.host ?? '') && (site === 'none' || site === 'same-origin');
}
