/**
 * With `dynalite-actions.ts`, `dynalite-items.ts`, `dynalite-store.ts` and `table-writes.ts`, everything that
 * relies on the inside of dynalite 4.0.0, which exports its server only:
 * - its store is caught when the server creates it, for what dynalite lacks;
 * - the writes of a table go through a function of ours, so that a change and what is recorded of it are one
 *   batch; those of a transaction are collected under the locks of its items, and are one batch as well;
 * - operations are called without a request;
 * - its error listeners are replaced, because they throw when a client disconnects in the middle of a
 *   request. A function that runs into its timeout is such a client.
 * The version is pinned, and a test fails when another one is installed: check each of these then.
 */
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { prepareAction, runAction } from './dynalite-actions.ts';
import { asAwsError, type Item, type KeyedTable, keyText } from './dynalite-items.ts';
import type { Store } from './dynalite-store.ts';
import { createTableWrites, type Staged } from './table-writes.ts';

export type Dynalite = ReturnType<typeof createDynalite>;

const require = createRequire(import.meta.url);
const createServer = require('dynalite') as (options: object) => Server;
const stores = require('dynalite/db') as { create(options: object): Store };

/** In memory without a path. The `close` of its server closes the database as well. */
export function createDynalite(path: string | undefined) {
  const { create } = stores;
  const created: Store[] = [];
  stores.create = (options) => {
    const store = create(options);
    created.push(store);
    return store;
  };
  try {
    const delays = { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 };
    const server = createServer({ ...delays, ...(path === undefined ? {} : { path }) });
    const [store] = created;
    if (store === undefined) throw new Error('dynalite has created no store.');
    server.on('request', (request) => {
      request.removeAllListeners('error');
      request.on('error', () => {});
    });
    return { server, ...operationsOf(store) };
  } finally {
    stores.create = create;
  }
}

function operationsOf(store: Store) {
  const { stage, ...writes } = createTableWrites(store);
  return {
    ...writes,
    database: store.db,
    /** Runs an operation of dynalite, such as `createTable`. Rejects with an `AwsError`. */
    run: (operation: string, parameters: object) => runAction(store, operation, parameters),
    /** Checks the parameters of an operation as they come in a request, and parses their expressions. */
    prepare: (operation: string, parameters: object) => prepareAction(store, operation, parameters),
    /** What a prepared operation would write; nothing else may write its item meanwhile. */
    async stage(operation: string, parameters: object): Promise<Staged> {
      const { store: stagedStore, staged } = stage();
      await runAction(stagedStore, operation, parameters);
      return staged;
    },
    /** dynalite's text for the key in an item or a key; `undefined` when the table has another one. */
    async keyText(tableName: string, item: Item): Promise<string | undefined> {
      const table = await new Promise<unknown>((resolve, reject) => {
        store.getTable(tableName, (error, found) => (error ? reject(asAwsError(error)) : resolve(found)));
      });
      return keyText(table as KeyedTable, item);
    },
  };
}
