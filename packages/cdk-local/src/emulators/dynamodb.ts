import { closeServer, listen, loopback } from '../loopback.ts';
import { createDynalite } from './dynalite.ts';
import { createFaults, type Faults } from './faults.ts';
import { openStream, type StreamSource } from './table-stream.ts';

export interface Emulator {
  readonly endpoint: string;
  /** Begins a fault, and returns the function that ends it. */
  readonly fail: Faults['begin'];
  close(): Promise<void>;
}

export type DynamoDbEmulator = Awaited<ReturnType<typeof startDynamoDb>>;

/**
 * Starts dynalite on a free loopback port, in memory or in `directory`. It has no transactions, no expiry and
 * no `ReturnValuesOnConditionCheckFailure`, and ignores the latter two. Streams are added here.
 */
export async function startDynamoDb(directory?: string) {
  const dynalite = createDynalite(directory);
  const faults = createFaults();
  faults.interrupt(dynalite.server);
  const endpoint = await listen(dynalite.server, { host: loopback, port: 0 });
  return {
    endpoint,
    fail: faults.begin,
    /** Records the writes to a table; once for a table, and before anything is written to it. */
    openStream: (source: StreamSource) => openStream(dynalite, source),
    close: () => closeServer(dynalite.server),
  };
}
