import type { Item } from './dynalite-items.ts';

export type Change =
  | { readonly type: 'put'; readonly key: string; readonly value: unknown }
  | { readonly type: 'del'; readonly key: string };

export const put = (key: string, value: unknown): Change => ({ type: 'put', key, value });
export const del = (key: string): Change => ({ type: 'del', key });

/** The LevelDB of all tables. */
export interface Database {
  get(key: string): Promise<unknown>;
  getMany(keys: string[]): Promise<unknown[]>;
  keys(range: { readonly gte: string; readonly lt: string }): { all(): Promise<string[]> };
  /** All of the changes or none of them, even when the process is killed. */
  batch(changes: Change[]): Promise<void>;
}

export type Done<Value = void> = (error: unknown, value?: Value) => void;

/** Passes on a callback, and releases the lock when it is called. */
type Release = (done: () => void) => () => void;

export interface IndexStore {
  put(key: string, item: Item, done: Done): void;
  del(key: string, done: Done): void;
}

export interface ItemStore extends IndexStore {
  get(key: string, done: Done<Item>): void;
  /** Of several keys, takes its place in the queues of all of them at once. */
  lock(key: string | string[], work: (release: Release) => void): void;
}

/** What dynalite's operations work on. */
export interface Store {
  readonly db: Database;
  getTable(name: string, done: Done<unknown>): void;
  getItemDb(tableName: string): ItemStore;
  getIndexDb(kind: string, tableName: string, indexName: string): IndexStore;
}
