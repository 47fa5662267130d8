import { addOperations } from './aws-json.ts';
import { createDynalite, type Dynalite } from './dynalite.ts';
import { serve } from './faults.ts';
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

/**
 * Starts dynalite on a free loopback port, in memory or in `directory`. It has no expiry, and ignores it.
 * Transactions, streams, deletion protection and recovery are added here. Records of streams age by `now`.
 */
export async function startDynamoDb(directory?: string, now: () => number = Date.now) {
  const dynalite = createDynalite(directory);
  const settings = await openTableSettings(dynalite, now);
  const operations = { ...createTableControl(dynalite, settings), ...createTransactions(storeOf(dynalite)) };
  addOperations(dynalite.server, { target: 'DynamoDB_20120810', operations });
  return {
    ...(await serve(dynalite.server)),
    streamAt: settings.streamAt,
  };
}
