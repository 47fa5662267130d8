import type { Dynalite } from './dynalite.ts';
import type { Item } from './dynalite-items.ts';
import { put } from './dynalite-store.ts';

/** One write: an item under dynalite's text for its key, or nothing any more. */
interface Entry {
  readonly key: string;
  readonly item: Item | null;
}

const digits = (value: number): string => String(value).padStart(14, '0');
const historyPrefix = (tableId: string): string => `history-${tableId}~`;

/** The table whose history is kept, which outlives the table. */
export interface RecordedTable {
  readonly tableId: string;
  readonly tableName: string;
}

/** Records what a table holds, and every write to it from now on. Returns the function that ends it. */
export async function recordHistory(
  dynalite: Dynalite,
  { tableId, tableName }: RecordedTable,
  { holdsRows = true }: { readonly holdsRows?: boolean } = {},
): Promise<() => void> {
  const { database } = dynalite;
  let count = 0;
  const since = Date.now();
  const placeAt = (time: number, number: number): string =>
    `${historyPrefix(tableId)}${digits(time)}~${digits(number)}`;
  const entry = (key: string, item: Item | null): Entry => ({ key, item });
  const stop = dynalite.recordWrites(tableName, ({ key, after }) => {
    count += 1;
    return { changes: [put(placeAt(Date.now(), count), entry(key, after ?? null))] };
  });
  if (holdsRows) {
    const prefix = `item-${tableName}~`;
    const keys = await database.keys({ gte: prefix, lt: `${prefix}\xff` }).all();
    const items = (await database.getMany(keys)) as Item[];
    // Before any write that comes meanwhile.
    const changes = items.map((item, index) => {
      const key = (keys[index] ?? '').slice(prefix.length);
      return put(`${placeAt(since, 0)}~${digits(index)}`, entry(key, item));
    });
    await database.batch(changes);
  }
  return stop;
}

/** What a table held at a time, in milliseconds since the epoch. */
export async function rowsAt({ database }: Dynalite, tableId: string, time: number): Promise<Item[]> {
  const prefix = historyPrefix(tableId);
  const keys = await database.keys({ gte: prefix, lt: `${prefix}${digits(time + 1)}` }).all();
  const rows = new Map<string, Item | null>();
  for (const { key, item } of (await database.getMany(keys)) as Entry[]) rows.set(key, item);
  return [...rows.values()].filter((item) => item !== null);
}
