import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EventLog, isCrossSite, isLoopbackHost } from '@payhooks/cdk-local';
import type { Mode } from '../../lambdas/domain/signature.ts';
import { feedSources } from '../../lambdas/order-feed/order-status-changed.ts';
import { followEvents } from './follower.ts';

const followersMax = 16;
const heartbeatMilliseconds = 15_000;

export interface Feed {
  /** Whether the request was for the feed, and has been answered. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  close(): void;
}

/**
 * `GET /feed`, where AWS has a rule and its target: the events of the bus as Server-Sent Events, each `data:`
 * line one event as a target would get it. Live events, or with `?mode=sandbox` those of the sandbox, as the
 * order query has it. Without a `Last-Event-ID` it begins with the next event, with one behind that event,
 * and with the id of no event that is kept (such as 0) at the oldest that is.
 */
export function createFeed(events: EventLog): Feed {
  const followers = new Set<ServerResponse>();
  const heartbeat = setInterval(() => {
    // A reader that is behind gets events; it needs no sign of life.
    for (const response of followers) if (!response.writableNeedDrain) response.write(': still here\n\n');
  }, heartbeatMilliseconds);
  heartbeat.unref();

  const open = (request: IncomingMessage, response: ServerResponse, mode: Mode): void => {
    if (followers.size >= followersMax) {
      response.setHeader('retry-after', '5');
      refuse(response, 503, `There are ${followersMax} readers of the feed; close one of them.`);
      return;
    }
    followers.add(response);
    response.once('close', () => followers.delete(response));
    response.setHeader('content-type', 'text/event-stream');
    response.setHeader('cache-control', 'no-store');
    const lastEventId = request.headers['last-event-id']?.toString();
    followEvents({ events, response, source: feedSources[mode], lastEventId });
  };

  const handle = (request: IncomingMessage, response: ServerResponse): boolean => {
    const [path, query] = (request.url ?? '').split('?');
    if (path !== '/feed') return false;
    const parameters = new URLSearchParams(query);
    const mode = parameters.get('mode') ?? 'live';
    const others = [...parameters.keys()].filter((name) => name !== 'mode');
    if (!isLoopbackHost(request.headers.host) || isCrossSite(request)) {
      refuse(response, 403, 'The feed answers to localhost, 127.0.0.1 and [::1] only.');
    } else if (request.method !== 'GET') {
      response.setHeader('allow', 'GET');
      refuse(response, 405, 'The feed can only be read.');
    } else if (others.length > 0 || (mode !== 'live' && mode !== 'sandbox')) {
      refuse(response, 400, 'The feed takes one parameter, mode, which is live or sandbox.');
    } else {
      open(request, response, mode);
    }
    return true;
  };

  return {
    handle,
    close() {
      clearInterval(heartbeat);
      for (const response of followers) response.end();
    },
  };
}

function refuse(response: ServerResponse, status: 400 | 403 | 405 | 503, reason: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.end(`${reason}\n`);
}
