import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { heartbeatRowSeconds } from '../contract/heartbeat.ts';
import { eventAttributes } from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';

export type Item = Record<string, AttributeValue>;

/** What an attribute holds: a text, a number, bytes, a set of texts or a map. */
export type Value = string | number | Uint8Array | readonly string[] | Values;
export interface Values {
  readonly [name: string]: Value | undefined;
}

/** DynamoDB has no empty set. */
export const hasValue = (value: Value | undefined): value is Value =>
  value !== undefined && !(Array.isArray(value) && value.length === 0);

/** Without the attributes that have no value. */
export const toItem = (values: Values): Item =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (hasValue(value) ? [[name, toAttribute(value)]] : [])),
  );

function toAttribute(value: Value): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (value instanceof Uint8Array) return { B: value };
  return isSet(value) ? { SS: [...value] } : { M: toItem(value) };
}
const isSet = (value: readonly string[] | Values): value is readonly string[] => Array.isArray(value);

const valuesOf = (item: Item): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(item).map(([name, { S, N, B, SS, M }]) => [
      name,
      S ?? (N === undefined ? undefined : Number(N)) ?? B ?? SS ?? (M && valuesOf(M)),
    ]),
  );

/** The attributes of fields: `keyId` is stored as `key_id`, also within a map. */
export const attributesOf = (fields: object): Values => renamed(fields, snakeCase) as Values;

/** The fields of an item, such as those of `attributesOf`. */
export const fieldsOf = (item: Item = {}): Record<string, unknown> => renamed(valuesOf(item), camelCase);

const snakeCase = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (name: string): string =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const renamed = (values: object, rename: (name: string) => string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      rename(name),
      isMap(value) ? renamed(value, rename) : value,
    ]),
  );
const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

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

/** When a row expires; those of payments stay. */
export const expiryOf = (mode: AnyMode, writtenAt: string): Values =>
  mode === 'heartbeat'
    ? { [eventAttributes.expiresAt]: Math.floor(Date.parse(writtenAt) / 1_000) + heartbeatRowSeconds }
    : {};
