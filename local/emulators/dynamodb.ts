import type { IncomingMessage, RequestListener } from 'node:http';
import dynalite from 'dynalite';
import { loopback } from './account.ts';
import { closeServer, listen } from './listen.ts';

export interface Emulator {
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Starts dynalite on a free loopback port, in memory or in `directory`. What it does not know (streams,
 * transactions, `ReturnValuesOnConditionCheckFailure`, expiry) it ignores, so handlers must not depend on
 * these.
 */
export async function startDynamoDb(directory?: string): Promise<Emulator> {
  const server = dynalite({
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
  return { endpoint, close: () => closeServer(server) };
}

/**
 * dynalite throws when a client goes away in the middle of a request, which would end this process. A
 * function that is terminated for its timeout is such a client.
 */
function survivingAborts(request: IncomingMessage): void {
  request.removeAllListeners('error');
  request.on('error', () => {});
}
