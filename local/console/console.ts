import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isCrossSite, isLoopbackHost } from '@payhooks/cdk-local';
import type { LiveLog } from '../live-log/live-log.ts';
import { createEventStream } from './event-stream.ts';

export interface Console {
  /** Whether the request was the console's, and has been answered. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  close(): void;
}

const pages: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  '/': { file: 'index.html', type: 'text/html' },
  '/console/palette.css': { file: 'palette.css', type: 'text/css' },
  '/console/console.css': { file: 'console.css', type: 'text/css' },
  '/console/flow.css': { file: 'flow.css', type: 'text/css' },
  '/console/views.css': { file: 'views.css', type: 'text/css' },
  '/console/console.js': { file: 'console.js', type: 'text/javascript' },
  '/console/alarms.js': { file: 'alarms.js', type: 'text/javascript' },
  '/console/activity.js': { file: 'activity.js', type: 'text/javascript' },
  '/console/detail-panel.js': { file: 'detail-panel.js', type: 'text/javascript' },
  '/console/element.js': { file: 'element.js', type: 'text/javascript' },
  '/console/foreign-text.js': { file: 'foreign-text.js', type: 'text/javascript' },
  '/console/kept-orders.js': { file: 'kept-orders.js', type: 'text/javascript' },
  '/console/overview.js': { file: 'overview.js', type: 'text/javascript' },
  '/console/paths.js': { file: 'paths.js', type: 'text/javascript' },
  '/console/icon.svg': { file: 'icon.svg', type: 'image/svg+xml' },
};

/**
 * Nothing inline, nothing from elsewhere, and no string becomes markup: event ids are written by strangers.
 */
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

/**
 * The console at `/`: the flow, its events and its orders, live, in one page without anything from elsewhere.
 */
export function createConsole(options: {
  readonly liveLog: LiveLog;
  readonly baseUrl: () => string;
}): Console {
  const stream = createEventStream(options);
  const files = new Map(
    Object.entries(pages).map(([path, { file, type }]) => [
      path,
      { body: readFileSync(new URL(`page/${file}`, import.meta.url)), type: `${type}; charset=utf-8` },
    ]),
  );

  const handle = (request: IncomingMessage, response: ServerResponse): boolean => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path !== '/' && path !== '/console' && !path.startsWith('/console/')) return false;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const file = files.get(path);
    if (!isLoopbackHost(request.headers.host)) {
      refuse(response, 403, 'The console answers to localhost, 127.0.0.1 and [::1] only.');
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      refuse(response, 405, 'The console only shows.');
    } else if (path === '/console/events' && request.method === 'GET') {
      if (isCrossSite(request)) refuse(response, 403, 'The events are for the console’s own page.');
      else stream.open(response);
    } else if (file !== undefined) {
      response.setHeader('content-type', file.type);
      response.end(file.body);
    } else {
      refuse(response, 404, 'The console has no such page; it is at /.');
    }
    return true;
  };

  return { handle, close: stream.close };
}

function refuse(response: ServerResponse, status: 403 | 404 | 405, reason: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(`${reason}\n`);
}
