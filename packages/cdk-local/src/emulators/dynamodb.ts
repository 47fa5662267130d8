import type { IncomingMessage, RequestListener } from 'node:http';
import { loopback } from './account.ts';
import { createDynalite } from './dynamodb-internals.ts';
import { openStream, type StreamSource, type TableStream } from './dynamodb-stream.ts';
import { closeServer, listen } from './listen.ts';

export interface Emulator {
  readonly endpoint: string;
  close(): Promise<void>;
}

export interface DynamoDbEmulator extends Emulator {
  /** Records the writes to a table; once for a table, and before anything is written to it. */
  openStream(source: StreamSource): Promise<TableStream>;
}

/**
 * Starts dynalite on a free loopback port, in memory or in `directory`. What it does not know (transactions,
 * `ReturnValuesOnConditionCheckFailure`, expiry) it ignores, so handlers must not depend on these. Streams,
 * which it does not know either, are added.
 */
export async function startDynamoDb(directory?: string): Promise<DynamoDbEmulator> {
  const { server, store } = createDynalite({
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
    ...(directory === undefined ? {} : { path: directory }),
  });
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    for (const listener of listeners) listener(request, response);
    survivingAborts(request);
  });
  const endpoint = await listen(server, { host: loopback, port: 0 });
  return {
    endpoint,
    openStream: (source) => openStream(store, source),
    close: () => closeServer(server),
  };
}

/**
 * dynalite throws when a client goes away in the middle of a request, which would end this process. A
 * function that is terminated for its timeout is such a client.
 */
function survivingAborts(request: IncomingMessage): void {
  request.removeAllListeners('error');
  request.on('error', () => {});
}
