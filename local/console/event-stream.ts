import type { ServerResponse } from 'node:http';
import type { LiveLog } from '../live-log/live-log.ts';
import { attentionSentences } from './attention.ts';
import { createTotals } from './totals.ts';

/** A browser opens six connections to one host at most; two are left over for the page's other requests. */
const clientsMax = 4;
const heartbeatMilliseconds = 15_000;
/**
 * A client that reads slower than the pipeline works is dropped; it
 * comes back by itself and gets a new snapshot.
 */
const backlogBytesMax = 1024 * 1024;

export interface EventStream {
  /** Answers with Server-Sent Events: a snapshot, then every entry. */
  open(response: ServerResponse): void;
  close(): void;
}

export function createEventStream(options: {
  readonly liveLog: LiveLog;
  readonly baseUrl: () => string;
}): EventStream {
  const { liveLog } = options;
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
  const heartbeat = setInterval(() => broadcast(': still here\n\n'), heartbeatMilliseconds);
  heartbeat.unref();

  const open = (response: ServerResponse): void => {
    if (clients.size >= clientsMax) {
      response.statusCode = 503;
      response.end('Too many consoles are open; close one of them.\n');
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    clients.add(response);
    response.once('close', () => clients.delete(response));
    const snapshot = {
      entries: liveLog.recent(),
      totals: totals.read(),
      baseUrl: options.baseUrl(),
      attentionSentences,
    };
    response.write(`retry: 1000\n${message('snapshot', snapshot)}`);
  };

  const close = (): void => {
    unsubscribe();
    clearInterval(heartbeat);
    for (const client of clients) client.end();
  };

  return { open, close };
}

/** JSON holds no line break, so whatever an event brought along stays within its message. */
function message(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
