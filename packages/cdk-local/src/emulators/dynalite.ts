/**
 * Everything that relies on the inside of dynalite 4.0.0, which exports its server only: - its store is
 * caught when the server creates it, for the streams that dynalite lacks; - the writes of a table go through
 * a function of ours, so that a change and its stream record are one batch; - its error listeners are
 * replaced, because they throw when a client disconnects in the middle of a request.   A function that runs
 * into its timeout is such a client. The version is pinned, and a test fails when another one is installed:
 * check each of these then.
 */
import type { Server } from 'node:http';
import { createRequire } from 'node:module';

/** DynamoDB's JSON: `{ "S": "text" }`. */
export type AttributeValue = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, AttributeValue>>;

export type Change =
  | { readonly type: 'put'; readonly key: string; readonly value: unknown }
  | { readonly type: 'del'; readonly key: string };

/** The LevelDB of all tables. */
interface Database {
  get(key: string): Promise<unknown>;
  getMany(keys: string[]): Promise<unknown[]>;
  keys(range: { readonly gte: string; readonly lt: string }): { all(): Promise<string[]> };
  /** All of the changes or none of them, even when the process is killed. */
  batch(changes: Change[]): Promise<void>;
}

/**
 * Stores an item under dynalite's text for its key, or deletes it. dynalite holds the lock of the item
 * meanwhile.
 */
type WriteItem = (key: string, after: Item | undefined) => Promise<void>;

export interface Dynalite {
  /** Its `close` closes the database as well. */
  readonly server: Server;
  readonly database: Database;
  /** From now on `write` stores the items of this table. */
  replaceWrites(tableName: string, write: WriteItem): void;
}

type Done = (error: unknown) => void;

interface Store {
  readonly db: Database;
  getItemDb(tableName: string): {
    put(key: string, item: Item, done: Done): void;
    del(key: string, done: Done): void;
  };
}

const require = createRequire(import.meta.url);
const createServer = require('dynalite') as (options: object) => Server;
const stores = require('dynalite/db') as {
  create(options: object): Store;
  itemSize(item: Item): number;
};

/** The bytes of an item by DynamoDB's rules. */
export const itemBytes = (item: Item): number => stores.itemSize(item);

/** The key of an item in the database. */
export const itemKey = (tableName: string, key: string): string => `item-${tableName}~${key}`;

/** In memory without a path. */
export function createDynalite(path: string | undefined): Dynalite {
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
    return {
      server,
      database: store.db,
      replaceWrites: (tableName, write) => replaceWrites(store, tableName, write),
    };
  } finally {
    stores.create = create;
  }
}

function replaceWrites(store: Store, tableName: string, write: WriteItem): void {
  const items = store.getItemDb(tableName);
  const settle = (written: Promise<void>, done: Done): void => {
    // Outside of the promise, where an error of dynalite's own is not mistaken for one of the write.
    written.then(
      () => setImmediate(done, null),
      (error: unknown) => setImmediate(done, error),
    );
  };
  items.put = (key, item, done) => settle(write(key, item), done);
  items.del = (key, done) => settle(write(key, undefined), done);
}
