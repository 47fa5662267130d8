import { Stream } from 'node:stream';
import type { Clock } from '../../clock.ts';
import type { Random } from '../../random.ts';
import { type TableDescription, type TableName, tableNamed } from './tables.ts';

/** An item in DynamoDB's JSON. */
export type Item = Record<string, Record<string, unknown>>;

/** dynalite passes it, and it is called at once. */
type Done = (error: Error | null, value?: Item) => void;

/** What dynalite's operations change in the items of a table or of an index. */
interface Writes {
  put(key: string, item: Item, done: Done): void;
  del(key: string, done: Done): void;
}

interface KeyRange {
  readonly gt?: string;
  readonly gte?: string;
  readonly lt?: string;
  readonly lte?: string;
  readonly reverse?: boolean;
}

/** What dynalite's operations work on. */
export type Store = ReturnType<typeof createStore>['eventual'];

/** A change of one item; `undefined` where there is none. */
export interface Write {
  readonly table: TableName;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

export interface StoreParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly onWrite: (write: Write) => void;
  /** DynamoDB's limit is 400 KB. */
  readonly itemBytesMax: Readonly<Record<TableName, number>>;
}

/** The last two versions of an item. A read that is not consistent may still see the earlier one. */
interface Cell {
  readonly current: Item | undefined;
  readonly previous: Item | undefined;
  readonly visibleAt: number;
}

/** The rows of both tables and their indexes, in memory, for dynalite's operations. */
export function createStore({ clock, random, onWrite, itemBytesMax }: StoreParts) {
  const cells: Record<TableName, Map<string, Cell>> = { events: new Map(), orders: new Map() };
  const indexes: Record<string, Map<string, Item>> = {};
  /** By item, when the last change of its index entries arrives: they arrive in order. */
  const arrivals = new Map<string, number>();
  let locked = '';

  /** Most changes are everywhere at once; some take a second, a few take several. */
  const lag = (): number =>
    random.chance(0.8) ? 0 : random.chance(0.8) ? random.integer(1, 400) : random.integer(400, 3_000);

  function write(table: TableName, key: string, after: Item | undefined): void {
    const before = cells[table].get(key)?.current;
    cells[table].set(key, { current: after, previous: before, visibleAt: clock.now() + lag() });
    onWrite({ table, before, after });
  }

  function changeIndex(name: string, change: (entries: Map<string, Item>) => void): void {
    const entries = indexes[name] ?? new Map<string, Item>();
    indexes[name] = entries;
    const at = Math.max(clock.now() + lag(), arrivals.get(locked) ?? 0);
    arrivals.set(locked, at);
    if (at === clock.now()) change(entries);
    else clock.after(at - clock.now(), () => change(entries));
  }

  /** dynalite listens after it has got the stream. */
  function stream(entries: () => Iterable<readonly [string, Item]>, range: KeyRange): Stream {
    const emitter = new Stream();
    queueMicrotask(() => {
      const found = [...entries()]
        .filter(([key]) => isWithin(key, range))
        .sort(([a], [b]) => (a < b ? -1 : 1));
      if (range.reverse) found.reverse();
      for (const [, item] of found) emitter.emit('data', item);
      emitter.emit('end');
    });
    return emitter;
  }

  const createView = (isConsistent: boolean, maxItemSize = Number.POSITIVE_INFINITY) => ({
    options: { maxItemSize },
    getTable(name: string, done: (error: null, table: TableDescription) => void): void {
      done(null, tableNamed(name));
    },
    getItemDb(name: string) {
      const table = name as TableName;
      const seen = ({ current, previous, visibleAt }: Cell): Item | undefined =>
        isConsistent || visibleAt <= clock.now() ? current : previous;
      return {
        get(key: string, done: Done): void {
          const cell = cells[table].get(key);
          done(null, cell && seen(cell));
        },
        put(key: string, item: Item, done: Done): void {
          write(table, key, item);
          done(null);
        },
        del(key: string, done: Done): void {
          write(table, key, undefined);
          done(null);
        },
        lock(key: string, work: (release: <T>(done: T) => T) => void): void {
          locked = `${table} ${key}`;
          work((done) => done);
        },
        createValueStream: (range: KeyRange) =>
          stream(() => [...cells[table]].flatMap(([key, cell]) => pair(key, seen(cell))), range),
      };
    },
    getIndexDb(_kind: string, tableName: string, indexName: string) {
      const name = `${tableName}/${indexName}`;
      return {
        put(key: string, item: Item, done: Done): void {
          changeIndex(name, (entries) => entries.set(key, present(item)));
          done(null);
        },
        del(key: string, done: Done): void {
          changeIndex(name, (entries) => entries.delete(key));
          done(null);
        },
        createValueStream: (range: KeyRange) => stream(() => indexes[name] ?? [], range),
      };
    },
  });

  return {
    /** By table, which bounds the items that are written. */
    consistent: new Map(
      Object.entries(itemBytesMax).map(([table, bytes]) => [table, createView(true, bytes)]),
    ),
    eventual: createView(false),
    /** A store that keeps the writes of an operation for later. */
    staged(store: ReturnType<typeof createView>) {
      const writes: (() => void)[] = [];
      const later = <Db extends Writes>(db: Db): Db => {
        const stage = (write: () => void, done: Done): void => {
          const item = locked;
          writes.push(() => {
            locked = item;
            write();
          });
          done(null);
        };
        return {
          ...db,
          put: (key: string, item: Item, done: Done) => stage(() => db.put(key, item, () => {}), done),
          del: (key: string, done: Done) => stage(() => db.del(key, () => {}), done),
        };
      };
      const getItemDb = (name: string) => later(store.getItemDb(name));
      const getIndexDb = (...index: Parameters<typeof store.getIndexDb>) => later(store.getIndexDb(...index));
      return { store: { ...store, getItemDb, getIndexDb }, writes };
    },
    rows: (table: TableName): Item[] =>
      [...cells[table]]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([, { current }]) => (current === undefined ? [] : [current])),
  };
}

const pair = (key: string, item: Item | undefined): [string, Item][] =>
  item === undefined ? [] : [[key, item]];

/** dynalite projects what an item lacks as `undefined`. */
const present = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

function isWithin(key: string, { gt, gte, lt, lte }: KeyRange): boolean {
  if (gt !== undefined && key <= gt) return false;
  if (gte !== undefined && key < gte) return false;
  if (lt !== undefined && key >= lt) return false;
  return lte === undefined || key <= lte;
}
