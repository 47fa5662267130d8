import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { heartbeatRowSeconds } from '../contract/heartbeat.ts';
import { eventAttributes } from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';

export type Item = Record<string, AttributeValue>;

/** What an attribute holds: a text, a number, bytes, a set of texts or a map. */
export type Value = string | number | Uint8Array | readonly string[] | Values;
export interface Values {
  readonly [name: string]: Value | null | undefined;
}

/** DynamoDB has no empty set, and no row holds a null. */
export const hasValue = (value: Value | null | undefined): value is Value =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/** Without the attributes that have no value. */
export function toItem(values: Values): Item {
  const item: Item = {};
  for (const [name, value] of Object.entries(values)) if (hasValue(value)) item[name] = toAttribute(value);
  return item;
}

function toAttribute(value: Value): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (value instanceof Uint8Array) return { B: value };
  return isMap(value) ? { M: toItem(value) } : { SS: [...value] };
}

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** The attributes of fields: `keyId` is stored as `key_id`, also within a map. */
export const attributesOf = (fields: object): Values =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      isMap(value) ? attributesOf(value) : value,
    ]),
  );

/** The fields of an item, such as those of `attributesOf`. */
export const fieldsOf = (item: Item = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(item).map(([name, { S, N, B, SS, M }]) => [
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      S ?? (N === undefined ? undefined : Number(N)) ?? B ?? SS ?? (M && fieldsOf(M)),
    ]),
  );

/** Fields without a value are absent. */
export const defined = <Row extends object>(row: { [Field in keyof Row]: Row[Field] | undefined }): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Row;

/** The key of an item of `events`. */
export const keyOf = (key: string, record: string): Values => ({
  [eventAttributes.key]: key,
  [eventAttributes.record]: record,
});
export const itemKeyOf = (key: string, record: string): Item => toItem(keyOf(key, record));

/** The text of an attribute that every item has. Throws when it is missing. */
export function requiredText(item: Item, attribute: string): string {
  const value = item[attribute]?.S;
  if (value === undefined) throw new TypeError(`An item of the table has no text attribute "${attribute}".`);
  return value;
}

/** The inverse of `itemKeyOf`. */
export const placeOf = (item: Item) => ({
  key: requiredText(item, eventAttributes.key),
  record: requiredText(item, eventAttributes.record),
});

/** When a row expires; those of payments stay. */
export const expiryOf = (mode: AnyMode, writtenAt: string): Values =>
  mode === 'heartbeat'
    ? { [eventAttributes.expiresAt]: Math.floor(Date.parse(writtenAt) / 1_000) + heartbeatRowSeconds }
    : {};
