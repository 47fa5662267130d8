import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isCrossSite, isLoopbackHost } from '@payhooks/cdk-local/loopback';
import type { Exchange } from './exchange.ts';
import { isOfOtherUser } from './peer.ts';
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

/** Admits browsers to a console whose port other users of the machine reach too. */
export interface Access {
  /** Shows a page that it talks to a console with the same key, without the key. */
  readonly id: string;
  /**
   * Returns the address without the key when the key in it is right, and sets the cookie that replaces it.
   * Throws for a request with neither, and for one of another user.
   */
  admit(exchange: Exchange): string | undefined;
  /** A key for one use: other users of the machine can read the arguments of a program that opens a link. */
  createOneTimeKey(): string;
}

export interface AccessOptions {
  /** As long as it is the same, a cookie is valid. */
  readonly key: string;
  /** What prints the link with the key. */
  readonly command: string;
  /** Whether another user of this machine opened the connection. */
  readonly isForeign?: (socket: Socket) => boolean;
}

/**
 * Browsers send a cookie to every port of a host. The name has the port of the address, so that consoles on
 * two ports have a cookie each, and the next console on a port replaces the cookie of the last one.
 */
const cookieName = 'payhooks_console';
const portOf = ({ headers }: IncomingMessage): string => /:(\d+)$/.exec(headers.host ?? '')?.[1] ?? '80';
const cookieSeconds = 30 * 24 * 60 * 60;

export function createAccess({ key, command, isForeign = isOfOtherUser }: AccessOptions): Access {
  const oneTimeKeys = new Set<string>();
  const foreign = new WeakMap<Socket, boolean>();
  /** A key can be taken: from the arguments of a program, or by a server that takes over this port later. */
  const checkUser = (socket: Socket): void => {
    const isRefused = foreign.get(socket) ?? isForeign(socket);
    foreign.set(socket, isRefused);
    if (isRefused) throw new ConsoleProblem(403, 'This console belongs to another user of this machine.');
  };
  const isValid = (given: string): boolean =>
    isSame(given, key) || [...oneTimeKeys].some((one) => isSame(given, one) && oneTimeKeys.delete(one));
  return {
    id: createHmac('sha256', key).update('payhooks console').digest('base64url'),
    admit({ request, response, path, query }) {
      checkUser(request.socket);
      const given = query.get('key');
      if (request.method === 'GET' && given !== null && isValid(given)) {
        const attributes = `Path=/; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Strict`;
        response.setHeader('set-cookie', `${cookieName}_${portOf(request)}=${key}; ${attributes}`);
        query.delete('key');
        return query.size === 0 ? path : `${path}?${query}`;
      }
      if (cookiesOf(request).some((value) => isSame(value, key))) return undefined;
      const hint = isCrossSite(request) ? ` ${crossSiteHint}` : '';
      const detail = `This console needs its key. Open the link that this command printed: ${command}`;
      throw new ConsoleProblem(401, `${detail}${hint}`);
    },
    createOneTimeKey() {
      const code = randomBytes(32).toString('base64url');
      oneTimeKeys.add(code);
      return code;
    },
  };
}

/** A browser sends the cookie for an address that is typed, and not for a link on a page of another site. */
const crossSiteHint = 'If you have opened it in this browser before, press Enter in the address bar.';

const cookiesOf = ({ headers }: IncomingMessage): readonly string[] =>
  (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim().split('='))
    .flatMap(([name, value = '']) => (name?.startsWith(cookieName) ? [value] : []));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Takes as long for any wrong key. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));
