import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EventLog, LocalHandler } from '@payhooks/cdk-local';
import { feedSources } from '../../lambdas/order-feed/order-status-changed.ts';
import { refuse, refuseForeign } from '../local-requests.ts';

const readersMax = 16;
const heartbeatMilliseconds = 15_000;
/** Read and written at a time, so that events wait for a slow reader in the log and not in memory. */
const pageEventsMax = 20;
/** The id of the position before all events. */
const beginning = '0';
/** A comment, so that the data lines hold events and nothing else. */
const gap = ': Older events are no longer kept; GET /orders?updated_since=… lists what has changed.\n\n';

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
    followEvents(events, response, { source, lastEventId: request.headers['last-event-id']?.toString() });
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

interface Reader {
  /** Events of other sources are left out. */
  readonly source: string;
  /** The id of the last event that the reader received. */
  readonly lastEventId: string | undefined;
}

/** Writes the events after the reader's last one, and then each new one, until either side closes. */
function followEvents(events: EventLog, response: ServerResponse, { source, lastEventId }: Reader): void {
  const latest = events.latest();
  const id = lastEventId ?? latest?.id ?? beginning;
  const start = events.numberOf(id);
  let position = start ?? 0;
  /** Whether no event is missing between the reader's last one and this position. */
  let isComplete = start !== undefined || id === beginning;
  // An id without data is no event, but a reader that disconnects before its first event sends this id when
  // it comes back, and so misses nothing.
  response.write(`retry: 1000\nid: ${id}\n\n`);

  const writeNext = (): void => {
    while (!response.writableEnded && !response.destroyed && !response.writableNeedDrain) {
      const page = events.after(position, pageEventsMax);
      const [first, last] = [page[0], page.at(-1)];
      if (first === undefined || last === undefined) return;
      // The log may have dropped the next events of a reader that lags far.
      isComplete &&= first.number === position + 1;
      const shown = page.filter((event) => event.source === source);
      // JSON contains no line break, so nothing in an event can end its line.
      const text = shown.map((event) => `id: ${event.id}\ndata: ${event.text}\n\n`).join('');
      if (!isComplete || text !== '') response.write(`${isComplete ? '' : gap}${text}`);
      position = last.number;
      isComplete = true;
    }
  };
  const unsubscribe = events.subscribe(writeNext);
  response.on('drain', writeNext).once('close', unsubscribe);
  writeNext();
}
