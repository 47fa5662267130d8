/**
 * Everything that relies on the inside of dynalite 4.0.0, which exports its server only:
 * - its store is caught when the server creates it, for what dynalite lacks;
 * - the writes of a table go through a function of ours, so that a change and what is recorded of it are one
 *   batch;
 * - operations are called without a request;
 * - its database in memory keeps text, and not the bytes of it;
 * - its parsers of expressions and its descriptions of tables are cached;
 * - its error listeners are replaced, because they throw when a client disconnects in the middle of a
 *   request. A function that runs into its timeout is such a client.
 * The version is pinned, and a test fails when another one is installed: check each of these then.
 */
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { AwsError } from './aws-error.ts';
import { cacheExpressions, type Parser } from './expression-cache.ts';
import { cacheTables, type TableStore } from './table-cache.ts';
import { type MemoryLevels, storeText } from './text-store.ts';

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

/** A write of an item; `undefined` where there is none. dynalite holds the lock of the item meanwhile. */
export interface Write {
  /** dynalite's text for the key of the item. */
  readonly key: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** What is stored in one batch with a write, and what happens afterwards. */
export interface Recorded {
  readonly changes: readonly Change[];
  readonly onStored?: () => void;
}

type Recorder = (write: Write) => Recorded;

export interface Dynalite {
  /** Its `close` closes the database as well. */
  readonly server: Server;
  readonly database: Database;
  /** Records every write to a table until the returned function is called. */
  recordWrites(tableName: string, recorder: Recorder): () => void;
  /** Runs an operation of dynalite, such as `createTable`. Rejects with an `AwsError`. */
  run(operation: string, parameters: object): Promise<object>;
  /** Checks the parameters of an operation as they come in a request, and parses their expressions. */
  prepare(operation: string, parameters: object): object;
}

type Done = (error: unknown) => void;

interface Store extends TableStore {
  readonly db: Database;
  getItemDb(tableName: string): ItemStore;
}

interface ItemStore {
  put(key: string, item: Item, done: Done): void;
  del(key: string, done: Done): void;
}

type Action = (store: Store, parameters: object, done: (error: unknown, data: object) => void) => void;

const require = createRequire(import.meta.url);
storeText(createRequire(require.resolve('dynalite'))('memory-level') as MemoryLevels);
const createServer = require('dynalite') as (options: object) => Server;
const stores = require('dynalite/db') as {
  create(options: object): Store;
  itemSize(item: Item): number;
  checkConditional(parameters: object, existing: Item | undefined): unknown;
};
const validations = require('dynalite/validations') as {
  checkTypes(parameters: object, types: object): object;
  checkValidations(parameters: object, types: object, custom: unknown, store: Store): void;
};
for (const name of ['conditionParser', 'updateParser', 'projectionParser'])
  cacheExpressions(require(`dynalite/db/${name}`) as Parser);

/** The bytes of an item by DynamoDB's rules. */
export const itemBytes = (item: Item): number => stores.itemSize(item);

/** Whether the condition of a prepared write holds for the item that exists. */
export const conditionHolds = (parameters: object, existing: Item | undefined): boolean =>
  !stores.checkConditional(parameters, existing);

/** The key of an item in the database. */
export const itemKey = (tableName: string, key: string): string => `item-${tableName}~${key}`;

/** In memory without a path. */
export function createDynalite(path: string | undefined): Dynalite {
  const { create } = stores;
  const created: Store[] = [];
  stores.create = (options) => {
    const store = create(options);
    cacheTables(store);
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
      recordWrites: createWriteRecorder(store),
      run: (operation, parameters) => runAction(store, operation, parameters),
      prepare: (operation, parameters) => prepareAction(store, operation, parameters),
    };
  } finally {
    stores.create = create;
  }
}

function createWriteRecorder(store: Store): Dynalite['recordWrites'] {
  const recorders = new Map<string, Set<Recorder>>();
  return function recordWrites(tableName, recorder) {
    const known = recorders.get(tableName);
    const ofTable = known ?? new Set<Recorder>();
    if (known === undefined) {
      recorders.set(tableName, ofTable);
      replaceWrites(store, tableName, ofTable);
    }
    ofTable.add(recorder);
    return () => ofTable.delete(recorder);
  };
}

function replaceWrites({ db, getItemDb }: Store, tableName: string, recorders: ReadonlySet<Recorder>): void {
  const items = getItemDb(tableName);
  const write = async (key: string, after: Item | undefined): Promise<void> => {
    const at = itemKey(tableName, key);
    const before = (await db.get(at)) as Item | undefined;
    const recorded = [...recorders].map((recorder) => recorder({ key, before, after }));
    const change: Change = after === undefined ? del(at) : put(at, after);
    await db.batch([change, ...recorded.flatMap(({ changes }) => changes)]);
    for (const { onStored } of recorded) onStored?.();
  };
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

function prepareAction(store: Store, operation: string, given: object): object {
  const { types, custom } = require(`dynalite/validations/${operation}`) as Record<string, object>;
  try {
    const parameters = validations.checkTypes({ ...given }, types ?? {});
    validations.checkValidations(parameters, types ?? {}, custom, store);
    return parameters;
  } catch (error) {
    throw asAwsError(error);
  }
}

function runAction(store: Store, operation: string, parameters: object): Promise<object> {
  const action = require(`dynalite/actions/${operation}`) as Action;
  return new Promise((resolve, reject) => {
    action(store, parameters, (error, data) => {
      if (error === null || error === undefined) resolve(data);
      else reject(asAwsError(error));
    });
  });
}

function asAwsError(error: unknown): unknown {
  const { body } = error as { body?: { __type: string; message?: string } };
  return body === undefined ? error : new AwsError(body.__type.split('#').at(-1) ?? '', body.message ?? '');
}

export const put = (key: string, value: unknown): Change => ({ type: 'put', key, value });
export const del = (key: string): Change => ({ type: 'del', key });
