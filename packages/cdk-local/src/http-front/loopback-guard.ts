import type { IncomingMessage } from 'node:http';

/**
 * Whether a request names this machine by a loopback name. A page anywhere on the web can point a name of
 * its own at 127.0.0.1 and then read the answers as if they were its own (DNS rebinding); its requests
 * carry that name as Host.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(host);
}

/** Whether a browser says that another site's page makes this request. */
export function isCrossSite(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
