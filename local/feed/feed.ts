import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EventLog, LocalHandler } from '@payhooks/cdk-local';
import { feedSources } from '../../lambdas/order-feed/order-status-changed.ts';
import { refuse, refuseForeign } from '../local-requests.ts';
import { followEvents } from './follower.ts';

const readersMax = 16;
const heartbeatMilliseconds = 15_000;

export interface Feed {
  /** Returns whether the request was for the feed. */
  readonly handle: LocalHandler;
  close(): void;
}

/**
 * `GET /feed`, in place of an EventBridge rule and its target: the events of the bus as Server-Sent Events,
 * one event per `data:` line, as a target receives it. Live events, or sandbox events with `?mode=sandbox`.
 * It starts with the next event; with `Last-Event-ID`, with the event after that one, or with the oldest one
 * that is kept when the id is unknown (such as 0).
 */
export function createFeed(events: EventLog): Feed {
  const readers = new Set<ServerResponse>();
  const heartbeat = setInterval(() => {
    // A reader that lags gets events and needs no heartbeat.
    for (const response of readers) if (!response.writableNeedDrain) response.write(': heartbeat\n\n');
  }, heartbeatMilliseconds);
  heartbeat.unref();

  const open = (request: IncomingMessage, response: ServerResponse, source: string): void => {
    if (readers.size >= readersMax) {
      response.setHeader('retry-after', '5');
      refuse(response, 503, `The feed has ${readersMax} readers already; close one of them.`);
      return;
    }
    readers.add(response);
    response.once('close', () => readers.delete(response));
    response.setHeader('content-type', 'text/event-stream');
    response.setHeader('cache-control', 'no-store');
    const lastEventId = request.headers['last-event-id']?.toString();
    followEvents({ events, response, source, lastEventId });
  };

  return {
    handle(request, response) {
      const [path, query] = (request.url ?? '').split('?');
      if (path !== '/feed') return false;
      if (refuseForeign(request, response, ['GET'])) return true;
      const { mode = 'live', ...others } = Object.fromEntries(new URLSearchParams(query));
      if (Object.keys(others).length > 0 || (mode !== 'live' && mode !== 'sandbox')) {
        refuse(response, 400, 'The only parameter of the feed is mode, which is live or sandbox.');
      } else {
        open(request, response, feedSources[mode]);
      }
      return true;
    },
    close() {
      clearInterval(heartbeat);
      for (const response of readers) response.end();
    },
  };
}
