import type { ServerResponse } from 'node:http';
import { attentionSentences } from '../../lambdas/contract/attention-sentences.ts';
import type { LiveLog } from '../live-log/live-log.ts';
import { refuse } from '../local-requests.ts';
import { createTotals } from './totals.ts';

/** Browsers open six connections to a host at most; two are left for the page's other requests. */
const clientsMax = 4;
const heartbeatMilliseconds = 15_000;
/** A client that reads too slowly is dropped; it reconnects by itself and gets a new snapshot. */
const backlogBytesMax = 1024 * 1024;

export interface EventStream {
  /** Responds with Server-Sent Events: a snapshot, then every entry. */
  open(response: ServerResponse): void;
  close(): void;
}

export function createEventStream(liveLog: LiveLog): EventStream {
  const clients = new Set<ServerResponse>();
  const totals = createTotals();
  for (const entry of liveLog.recent()) totals.add(entry);

  const broadcast = (text: string): void => {
    for (const client of clients) {
      client.write(text);
      if (client.writableLength > backlogBytesMax) client.destroy();
    }
  };
  const unsubscribe = liveLog.subscribe((entry) => {
    totals.add(entry);
    broadcast(message('entry', { entry, totals: totals.read() }));
  });
  const heartbeat = setInterval(() => broadcast(': heartbeat\n\n'), heartbeatMilliseconds);
  heartbeat.unref();

  return {
    open(response) {
      if (clients.size >= clientsMax) {
        refuse(response, 503, 'Too many consoles are open; close one of them.');
        return;
      }
      response.setHeader('content-type', 'text/event-stream');
      clients.add(response);
      response.once('close', () => clients.delete(response));
      const snapshot = { entries: liveLog.recent(), totals: totals.read(), attentionSentences };
      response.write(`retry: 1000\n${message('snapshot', snapshot)}`);
    },
    close() {
      unsubscribe();
      clearInterval(heartbeat);
      for (const client of clients) client.end();
    },
  };
}

/** JSON contains no line break, so nothing in an event can end its message. */
function message(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
