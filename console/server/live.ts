import type { ServerResponse } from 'node:http';
import type { LiveHello } from '../contract.ts';
import type { ConsoleContext } from './context.ts';

/** The page closes its stream while its tab is hidden, so that more than these are left-overs. */
const clientsMax = 50;
const heartbeatMilliseconds = 15_000;
/** At most this often a page learns that stored data may have changed … */
const changePauseMilliseconds = 1_000;
/** … and this often, where nothing shows whether it has. */
const tickMilliseconds = 10_000;

export interface LiveStreams {
  /** Responds with Server-Sent Events until either side closes. */
  open(response: ServerResponse, hello: LiveHello): void;
  close(): void;
}

export function createLiveStreams(log: ConsoleContext['log']): LiveStreams {
  const clients = new Set<ServerResponse>();
  const writeAll = (text: string): void => {
    for (const client of clients) if (!isBusy(client)) client.write(text);
  };
  const announce = (): void => writeAll(message('changed', {}));
  const changes = createThrottle(announce, changePauseMilliseconds);
  const unsubscribe = log?.subscribe(changes.request);
  const timers = [
    setInterval(() => writeAll(': heartbeat\n\n'), heartbeatMilliseconds),
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
        oldest.end();
      }
      clients.add(response);
      response.once('close', () => clients.delete(response));
      // A slow reader learns of what it missed when it reads on, and nothing waits for it in memory.
      response.on('drain', () => !isBusy(response) && response.write(message('changed', {})));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(message('hello', hello));
    },
    close() {
      unsubscribe?.();
      changes.stop();
      for (const timer of timers) clearInterval(timer);
      for (const client of clients) client.end();
      clients.clear();
    },
  };
}

const isBusy = (client: ServerResponse): boolean =>
  client.writableNeedDrain || client.writableEnded || client.destroyed;

const message = (event: 'hello' | 'changed', data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Acts at once, and then at most once in the pause; a request during the pause is never lost. */
function createThrottle(act: () => void, pauseMilliseconds: number) {
  let timer: NodeJS.Timeout | undefined;
  let isRequested = false;
  const request = (): void => {
    isRequested = timer !== undefined;
    if (isRequested) return;
    act();
    timer = setTimeout(() => {
      timer = undefined;
      if (isRequested) request();
    }, pauseMilliseconds);
    timer.unref();
  };
  return { request, stop: () => clearTimeout(timer) };
}
