import type { Item } from './dynalite-items.ts';
import { type Change, type Done, del, put, type Store } from './dynalite-store.ts';

/** A write of an item; `undefined` where there is none. dynalite holds the lock of the item meanwhile. */
export interface Write {
  readonly tableName: string;
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

export type Recorder = (write: Write) => Recorded;

/** What operations would write. */
export interface Staged {
  readonly writes: Write[];
  /** Of indexes. */
  readonly changes: Change[];
}

type ItemKey = Pick<Write, 'tableName' | 'key'>;

/** The key of an item in the database. */
const itemKey = ({ tableName, key }: ItemKey): string => `item-${tableName}~${key}`;
const change = (key: string, after: Item | undefined): Change =>
  after === undefined ? del(key) : put(key, after);

/** The writes of all tables, each in one batch with what is recorded of it. */
export function createTableWrites(store: Store) {
  const recorders = new Map<string, Set<Recorder>>();

  /** All of it or nothing, even when the process is killed. */
  async function commit({ writes, changes }: Staged): Promise<void> {
    const recorded = writes.flatMap((write) =>
      [...(recorders.get(write.tableName) ?? [])].map((recorder) => recorder(write)),
    );
    const written = writes.map((write) => change(itemKey(write), write.after));
    await store.db.batch([...changes, ...written, ...recorded.flatMap((record) => record.changes)]);
    for (const { onStored } of recorded) onStored?.();
  }

  function replaceWrites(tableName: string): void {
    const items = store.getItemDb(tableName);
    const write = async (key: string, after: Item | undefined): Promise<void> => {
      const before = (await store.db.get(itemKey({ tableName, key }))) as Item | undefined;
      await commit({ writes: [{ tableName, key, before, after }], changes: [] });
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

  return {
    commit,
    /** Records every write to a table until the returned function is called. */
    recordWrites(tableName: string, recorder: Recorder): () => void {
      const known = recorders.get(tableName);
      const ofTable = known ?? new Set<Recorder>();
      if (known === undefined) {
        recorders.set(tableName, ofTable);
        replaceWrites(tableName);
      }
      ofTable.add(recorder);
      return () => ofTable.delete(recorder);
    },
    /**
     * Waits until no write of these items is under way; others wait until the returned function is called.
     * The tables always have the same order, so that two callers never wait for each other.
     */
    async lock(keys: readonly ItemKey[]): Promise<() => void> {
      const releases: (() => void)[] = [];
      const byTable = Map.groupBy(keys, ({ tableName }) => tableName);
      for (const tableName of [...byTable.keys()].sort()) {
        const ofTable = (byTable.get(tableName) ?? []).map(({ key }) => key);
        const locked = new Promise<() => void>((resolve) => {
          store.getItemDb(tableName).lock(ofTable, (release) => resolve(release(() => {})));
        });
        releases.push(await locked);
      }
      return function release() {
        for (const end of releases) end();
      };
    },
    stage: () => stageWrites(store),
  };
}

/** A store that collects the writes of an operation. Their items have to be locked already. */
function stageWrites(store: Store): { readonly store: Store; readonly staged: Staged } {
  const staged: Staged = { writes: [], changes: [] };
  const stagedStore: Store = {
    ...store,
    getItemDb(tableName) {
      const items = store.getItemDb(tableName);
      let before: Item | undefined;
      const stage = (key: string, after: Item | undefined, done: Done): void => {
        staged.writes.push({ tableName, key, before, after });
        done(null);
      };
      return {
        get: (key, done) =>
          items.get(key, (error, item) => {
            before = item;
            done(error, item);
          }),
        lock: (_key, work) => work((done) => done),
        put: stage,
        del: (key, done) => stage(key, undefined, done),
      };
    },
    getIndexDb(kind, tableName, indexName) {
      const stage = (key: string, after: Item | undefined, done: Done): void => {
        const name = `index-${kind.toLowerCase()}~${tableName}~${indexName}`;
        staged.changes.push(change(`${name}~${key}`, after));
        done(null);
      };
      return { put: stage, del: (key, done) => stage(key, undefined, done) };
    },
  };
  return { store: stagedStore, staged };
}
