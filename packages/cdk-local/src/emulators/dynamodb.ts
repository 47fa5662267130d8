import { closeServer, listen, loopback } from '../loopback.ts';
import { addOperations } from './aws-json.ts';
import { createDynalite, type Dynalite } from './dynalite.ts';
import { createFaults } from './faults.ts';
import { createTableControl } from './table-control.ts';
import { openTableSettings } from './table-settings.ts';
import type { Staged } from './table-writes.ts';
import { createTransactions, type TransactionStore } from './transactions.ts';

export type DynamoDbEmulator = Awaited<ReturnType<typeof startDynamoDb>>;

const storeOf = (dynalite: Dynalite): TransactionStore<Staged> => ({
  ...dynalite,
  commit: (staged) =>
    dynalite.commit({
      writes: staged.flatMap(({ writes }) => writes),
      changes: staged.flatMap(({ changes }) => changes),
    }),
});

/** DynamoDB's own limit. */
const requestBytesMax = 16 * 1024 * 1024;

/**
 * Starts dynalite on a free loopback port, in memory or in `directory`. It has no expiry, and ignores it.
 * Transactions, streams, deletion protection and recovery are added here.
 */
export async function startDynamoDb(directory?: string) {
  const dynalite = createDynalite(directory);
  const settings = await openTableSettings(dynalite);
  const operations = { ...createTableControl(dynalite, settings), ...createTransactions(storeOf(dynalite)) };
  addOperations(dynalite.server, { target: 'DynamoDB_20120810', operations, requestBytesMax });
  const faults = createFaults();
  faults.interrupt(dynalite.server);
  const endpoint = await listen(dynalite.server, { host: loopback, port: 0 });
  return {
    endpoint,
    fail: faults.begin,
    /** Records the writes to a table; before anything is written to it. */
    openStream: settings.openStream,
    streamAt: settings.streamAt,
    close: () => closeServer(dynalite.server),
  };
}
