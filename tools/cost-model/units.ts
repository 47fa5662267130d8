/** An item as DynamoDB's JSON writes it, with bytes in base64. */
export type Item = Readonly<Record<string, Value>>;
interface Value {
  readonly S?: string;
  readonly B?: string;
  readonly N?: string;
  readonly SS?: readonly string[];
  readonly BOOL?: boolean;
  readonly M?: Item;
}

export const textBytes = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Bytes of an item by AWS's rules ("DynamoDB item sizes and formats"). */
export const itemBytes = (item: Item = {}): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + textBytes(name) + valueBytes(value), 0);

function valueBytes({ S, B, N, SS, BOOL, M }: Value): number {
  if (B !== undefined) return Buffer.from(B, 'base64').length;
  if (N !== undefined) return Math.ceil(N.replace(/\D/g, '').length / 2) + 1;
  if (M !== undefined) return 3 + Object.keys(M).length + itemBytes(M);
  if (BOOL !== undefined) return 1;
  const texts = SS ?? (S === undefined ? undefined : [S]);
  if (texts === undefined) throw new TypeError('An attribute has a type that is not counted.');
  return textBytes(...texts);
}

/** Write units of 1 KB; a write bills the larger of the item before and after it. */
export const writeUnits = (before: number, after: number): number =>
  Math.max(1, Math.ceil(Math.max(before, after) / 1024));

/** Read units of 4 KB; an eventually consistent read is half of one. */
export const readUnits = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);

/** An index: its keys, and what it copies of an item. */
export interface Index {
  readonly keys: readonly string[];
  readonly copied: readonly string[];
}

/** The entry of an item in an index; empty for an item without all of the index's keys. */
const entryOf = ({ keys, copied }: Index, item: Item = {}): Item =>
  keys.every((name) => item[name])
    ? Object.fromEntries(Object.entries(item).filter(([name]) => [...keys, ...copied].includes(name)))
    : {};

/** Write units of an index: none for an unchanged entry; one that moves is deleted and written. */
export function indexWriteUnits(index: Index, before?: Item, after?: Item): number {
  const [old, next] = [entryOf(index, before), entryOf(index, after)];
  if (JSON.stringify(old) === JSON.stringify(next)) return 0;
  const sizes = [old, next].map(itemBytes).filter((bytes) => bytes > 0);
  const isMoved = index.keys.some((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]));
  if (isMoved) return sizes.reduce((sum, bytes) => sum + writeUnits(0, bytes), 0);
  return writeUnits(sizes[0] ?? 0, sizes[1] ?? 0);
}
