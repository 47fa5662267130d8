import type { ServerResponse } from 'node:http';
import type { LiveEntry, LiveHello, liveEvents } from '../contract.ts';
import type { ConsoleLog } from './context.ts';

/** The page closes its stream while its tab is hidden, so that more than these are left-overs. */
const clientsMax = 50;
const heartbeatMilliseconds = 15_000;
/** At most this often a page learns that stored data may have changed … */
const changePauseMilliseconds = 250;
/** … and this often, where nothing shows whether it has. */
const tickMilliseconds = 10_000;

export interface LiveStreams {
  /** Responds with Server-Sent Events until either side closes. */
  open(response: ServerResponse, hello: LiveHello): void;
  close(): void;
}

interface Client {
  readonly response: ServerResponse;
  /** The number of the last entry that was written. */
  position: number;
}

export function createLiveStreams(log: ConsoleLog | undefined): LiveStreams {
  const clients = new Set<Client>();
  /** A slow reader gets what it missed when it reads on, and nothing waits for it in memory. */
  const write = (client: Client): void => {
    for (const entry of entriesAfter(log, client.position)) {
      if (isBusy(client)) return;
      client.response.write(message('entry', entry));
      client.position = entry.number;
    }
  };
  const announce = (): void => {
    for (const client of clients) if (!isBusy(client)) client.response.write(message('changed', {}));
  };
  const changes = createThrottle(announce, changePauseMilliseconds);
  const unsubscribe = log?.subscribe(() => {
    for (const client of clients) write(client);
    changes.request();
  });
  const timers = [
    setInterval(() => {
      for (const client of clients) if (!isBusy(client)) client.response.write(': heartbeat\n\n');
    }, heartbeatMilliseconds),
    ...(log === undefined ? [setInterval(announce, tickMilliseconds)] : []),
  ];
  for (const timer of timers) timer.unref();

  return {
    open(response, hello) {
      // The page has gone while its greeting was made.
      if (response.destroyed) return;
      const [oldest] = clients;
      if (oldest !== undefined && clients.size >= clientsMax) {
        clients.delete(oldest);
        oldest.response.end();
      }
      const client: Client = { response, position: 0 };
      clients.add(client);
      response.once('close', () => clients.delete(client));
      response.on('drain', () => {
        if (!clients.has(client)) return;
        write(client);
        if (!isBusy(client)) response.write(message('changed', {}));
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`retry: 1000\n${message('hello', hello)}`);
      write(client);
    },
    close() {
      unsubscribe?.();
      changes.stop();
      for (const timer of timers) clearInterval(timer);
      for (const { response } of clients) response.end();
      clients.clear();
    },
  };
}

const entriesAfter = (log: ConsoleLog | undefined, position: number): readonly LiveEntry[] =>
  log?.recent().filter(({ number }) => number > position) ?? [];

const isBusy = ({ response }: Client): boolean =>
  response.writableNeedDrain || response.writableEnded || response.destroyed;

/** JSON contains no line break, so nothing in an entry can end its message. */
const message = (event: (typeof liveEvents)[number], data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Acts at once, and then at most once in the pause; a request during the pause is never lost. */
function createThrottle(act: () => void, pauseMilliseconds: number) {
  let timer: NodeJS.Timeout | undefined;
  let isRequested = false;
  const request = (): void => {
    if (timer !== undefined) {
      isRequested = true;
      return;
    }
    act();
    timer = setTimeout(() => {
      timer = undefined;
      if (!isRequested) return;
      isRequested = false;
      request();
    }, pauseMilliseconds);
    timer.unref();
  };
  return { request, stop: () => clearTimeout(timer) };
}
