/** An item as DynamoDB's JSON writes it, with bytes in base64; our tables have attributes of these types. */
export type Item = Readonly<Record<string, { S?: string; B?: string; N?: string; SS?: readonly string[] }>>;

export const textBytes = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Bytes of an item by AWS's rules ("DynamoDB item sizes and formats"). */
export function itemBytes(item: Item = {}): number {
  return Object.entries(item).reduce((sum, [name, { S, B, N, SS }]) => {
    if (B !== undefined) return sum + textBytes(name) + Buffer.from(B, 'base64').length;
    if (N !== undefined) return sum + textBytes(name) + Math.ceil(N.replace(/\D/g, '').length / 2) + 1;
    const texts = SS ?? (S === undefined ? undefined : [S]);
    if (texts === undefined) throw new TypeError(`The attribute ${name} has a type that is not counted.`);
    return sum + textBytes(name, ...texts);
  }, 0);
}

/** Write units of 1 KB; a write bills the larger of the item before and after it. */
export const writeUnits = (before: number, after: number): number =>
  Math.max(1, Math.ceil(Math.max(before, after) / 1024));

/** Read units of 4 KB; an eventually consistent read is half of one. */
export const readUnits = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);

/** The entry of an item in a keys-only index; empty for an item without all of the index's keys. */
export const entryOf = (names: readonly string[], item: Item = {}): Item =>
  names.every((name) => item[name]) ? Object.fromEntries(names.map((name) => [name, item[name] ?? {}])) : {};

/** Write units of an index: none for an unchanged entry, one for a new one, two for a moved one. */
export function indexWriteUnits(names: readonly string[], before?: Item, after?: Item): number {
  const [old = '', next = ''] = [before, after].map((item) => JSON.stringify(entryOf(names, item)));
  return old === next ? 0 : [old, next].filter((entry) => entry !== '{}').length;
}
