import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { LocalHandler } from '@payhooks/cdk-local';
import type { LiveLog } from '../live-log/live-log.ts';
import { refuse, refuseForeign } from '../local-requests.ts';
import { createEventStream } from './event-stream.ts';

export interface Console {
  /** Returns whether the request was for the console. */
  readonly handle: LocalHandler;
  close(): void;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing inline, nothing from elsewhere, and no string becomes markup: event ids are foreign text. */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'",
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "require-trusted-types-for 'script'; trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** The console at `/`: one page that shows the flow, its events and its orders live. */
export function createConsole(liveLog: LiveLog): Console {
  const stream = createEventStream(liveLog);
  const files = readPage();
  return {
    handle(request, response) {
      const [path = ''] = (request.url ?? '').split('?');
      if (path !== '/' && path !== '/console' && !path.startsWith('/console/')) return false;
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      const isStream = path === '/console/events';
      const file = files.get(path);
      const methods = isStream ? ['GET'] : ['GET', 'HEAD'];
      if (refuseForeign(request, response, { methods, crossSite: !isStream })) return true;
      if (isStream) {
        stream.open(response);
      } else if (file === undefined) {
        refuse(response, 404, 'There is no such page. The console is at /.');
      } else {
        response.setHeader('content-type', file.type);
        response.end(file.body);
      }
      return true;
    },
    close: stream.close,
  };
}

/** The files of the page by their paths. */
function readPage(): ReadonlyMap<string, { readonly body: Buffer; readonly type: string }> {
  const folder = new URL('page/', import.meta.url);
  return new Map(
    readdirSync(folder).map((name) => [
      name === 'index.html' ? '/' : `/console/${name}`,
      { body: readFileSync(new URL(name, folder)), type: types[extname(name)] ?? 'text/plain' },
    ]),
  );
}
