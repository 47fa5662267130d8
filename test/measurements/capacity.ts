import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Readonly<Record<string, AttributeValue>>;

const kibibyte = 1024;
/** What an item of a table or an index takes beside its attributes when storage is billed. */
export const entryOverhead = 100;

/**
 * Bytes of an item as DynamoDB counts them: names and texts as UTF-8, bytes as they are, a number by its digits,
 * and for a set the sum of its members. The tables here hold nothing else (AWS: "DynamoDB Item sizes and formats").
 */
export function itemBytes(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

function valueBytes({ S, B, N, SS }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S);
  // In a request over HTTP bytes are base64.
  if (B !== undefined) return typeof B === 'string' ? Buffer.from(B, 'base64').length : B.length;
  if (N !== undefined) return Math.ceil(N.replace(/\D/g, '').length / 2) + 1;
  if (SS !== undefined) return SS.reduce((sum, member) => sum + Buffer.byteLength(member), 0);
  throw new TypeError('An item holds a type of attribute that this model does not count.');
}

/** Write units of 1 KB, rounded up; a write bills the larger of the item before it and after it. */
export const writeUnits = (before: number, after: number): number =>
  Math.max(1, Math.ceil(Math.max(before, after) / kibibyte));

/** Read units of 4 KB, rounded up; half of that where an old answer will do. Nothing found is one unit as well. */
export const readUnits = (bytes: number, consistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / (4 * kibibyte))) * (consistent ? 1 : 0.5);

/** An index that holds keys alone: attribute names of its own key and of the table's. */
export interface KeysOnlyIndex {
  readonly attributes: readonly string[];
}

/**
 * Write units of an index for one write to its table: none where its entry stays as it is, one where there was no
 * entry, and two where the entry moves, since the old one is deleted and the new one put.
 */
export function indexWriteUnits(
  { attributes }: KeysOnlyIndex,
  before: Item | undefined,
  after: Item | undefined,
): number {
  const [old, next] = [entryOf(attributes, before), entryOf(attributes, after)];
  if (JSON.stringify(old) === JSON.stringify(next)) return 0;
  return [old, next].reduce(
    (sum, entry) => sum + (entry === undefined ? 0 : writeUnits(itemBytes(entry), 0)),
    0,
  );
}

/** An item without all of an index's keys is not in the index. */
export function entryOf(attributes: readonly string[], item: Item | undefined): Item | undefined {
  const values = attributes.map((name) => [name, item?.[name]] as const);
  if (values.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(values) as Item;
}
