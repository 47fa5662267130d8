/**
 * What local mode touches inside dynalite 4.0.0, which exports its
 * server only; the version is pinned exactly.
 */
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import dynalite, { type DynaliteOptions } from 'dynalite';

/** As DynamoDB writes it in JSON: `{ "S": "text" }`. */
export type AttributeValue = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, AttributeValue>>;
type Done = (error: unknown) => void;

/** The items of one table, by dynalite's text for their keys. The caller holds the lock of the item. */
export interface ItemStore {
  put(key: string, item: Item, done: Done): void;
  del(key: string, done: Done): void;
}

export type Change =
  | { readonly type: 'put'; readonly key: string; readonly value: unknown }
  | { readonly type: 'del'; readonly key: string };

/** The LevelDB of all tables. */
export interface Database {
  get(key: string): Promise<unknown>;
  getMany(keys: string[]): Promise<unknown[]>;
  keys(range: { readonly gte: string; readonly lt: string }): { all(): Promise<string[]> };
  /** All of the changes or none of them, whenever the process ends. */
  batch(changes: Change[]): Promise<void>;
}

export interface Store {
  readonly db: Database;
  getItemDb(tableName: string): ItemStore;
}

/** The key of an item in the database. */
export const itemKey = (tableName: string, key: string): string => `item-${tableName}~${key}`;

interface DatabaseModule {
  create(options: DynaliteOptions): Store;
  itemSize(item: Item): number;
}

const databases = createRequire(import.meta.url)('dynalite/db') as DatabaseModule;

/** The bytes of an item as DynamoDB counts them. */
export const itemBytes = (item: Item): number => databases.itemSize(item);

/** dynalite's server, and the store that it keeps to itself. */
export function createDynalite(options: DynaliteOptions): { server: Server; store: Store } {
  const { create } = databases;
  let store: Store | undefined;
  databases.create = (given) => {
    store = create(given);
    return store;
  };
  try {
    const server = dynalite(options);
    if (store === undefined) throw new Error('dynalite has created no store.');
    return { server, store };
  } finally {
    databases.create = create;
  }
}
