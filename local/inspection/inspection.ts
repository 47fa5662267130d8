import type { IncomingMessage, ServerResponse } from 'node:http';
import { isCrossSite, isLoopbackHost } from '@payhooks/cdk-local';

/** What each path shows, as it is when it is asked. */
export type Shown = Readonly<Record<`/${string}`, () => unknown>>;

/**
 * Answers `GET` with JSON about local mode itself, which no deployment has. Like the console it answers to
 * this machine alone. Says whether the request was for one of the paths, and has been answered.
 */
export function createInspection(
  shown: Shown,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (!isShown(shown, path)) return false;
    response.setHeader('content-type', 'application/json');
    response.setHeader('cache-control', 'no-store');
    if (!isLoopbackHost(request.headers.host) || isCrossSite(request)) {
      refuse(response, 403, 'Ask by localhost, 127.0.0.1 or [::1], and from no page of the web.');
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      refuse(response, 405, `${path} only shows.`);
    } else {
      response.end(JSON.stringify(shown[path]?.()));
    }
    return true;
  };
}

const isShown = (shown: Shown, path: string): path is keyof Shown & string => Object.hasOwn(shown, path);

function refuse(response: ServerResponse, status: 403 | 405, message: string): void {
  response.statusCode = status;
  response.end(JSON.stringify({ message }));
}
