import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isCrossSite, isLoopbackHost } from '@payhooks/cdk-local/loopback';
import type { Exchange } from './exchange.ts';
import { ConsoleProblem } from './problem.ts';

export interface Allowed {
  /** Empty where nothing is. */
  readonly methods: readonly string[];
  /** Whether a page of another site may link here; it can never read the response. */
  readonly crossSite: boolean;
}

/** Throws for a request under a foreign host name, from a page of another site, or with another method. */
export function checkOrigin({ request, response }: Exchange, { methods, crossSite }: Allowed): void {
  if (!isLoopbackHost(request.headers.host)) {
    throw new ConsoleProblem(403, 'Use localhost, 127.0.0.1 or [::1]: other host names are refused.');
  }
  if (!crossSite && isCrossSite(request)) {
    throw new ConsoleProblem(403, 'Requests from pages of other sites are refused.');
  }
  if (methods.length === 0) throw new ConsoleProblem(404, 'There is no such resource.');
  if (methods.includes(request.method ?? '')) return;
  response.setHeader('allow', methods.join(', '));
  throw new ConsoleProblem(405, `Allowed here: ${methods.join(', ')}.`);
}

/** What a browser must present, because other users of the machine reach the same port. */
export interface Access {
  readonly key: string;
  /** What prints the link with the key. */
  readonly command: string;
}

const cookieName = 'payhooks_console';
const cookieSeconds = 30 * 24 * 60 * 60;

/**
 * Returns the address without the key when the key in it is right, and sets the cookie that replaces it.
 * Throws for a request with neither.
 */
export function admit({ key, command }: Access, exchange: Exchange): string | undefined {
  const { request, response, path, query } = exchange;
  const given = query.get('key');
  if (request.method === 'GET' && given !== null && isSame(given, key)) {
    const attributes = `Path=/; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Strict`;
    response.setHeader('set-cookie', `${cookieName}=${key}; ${attributes}`);
    query.delete('key');
    return query.size === 0 ? path : `${path}?${query}`;
  }
  if (cookiesOf(request).some((value) => isSame(value, key))) return undefined;
  const hint = isCrossSite(request)
    ? ' If it was opened in this browser before, press Enter in the address bar.'
    : '';
  throw new ConsoleProblem(
    401,
    `This console needs its key. Open the link that this prints: ${command}${hint}`,
  );
}

const cookiesOf = ({ headers }: IncomingMessage): readonly string[] =>
  (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .flatMap(([name, value = '']) => (name === cookieName ? [value] : []));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Takes as long for any wrong key. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));
