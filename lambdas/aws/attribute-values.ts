import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from './dynamodb.ts';

const isHex = (value: string): boolean => /^([0-9a-f]{2})+$/.test(value);

/** Hexadecimal as bytes; anything else as it is. */
export const bytesOrText = (value: string): AttributeValue =>
  isHex(value) ? { B: Buffer.from(value, 'hex') } : { S: value };

export function textOf(item: Item, name: string): string {
  const { B, S } = item[name] ?? {};
  const value = B === undefined ? S : Buffer.from(B).toString('hex');
  if (value === undefined) throw new TypeError(`An item of the table has no bytes or text "${name}".`);
  return value;
}

/** A time of our own as milliseconds since the epoch; any other text as it is. */
export function timeOrText(time: string): AttributeValue {
  const date = new Date(time);
  return date.toJSON() === time ? { N: String(date.getTime()) } : { S: time };
}

export function timeOf(item: Item, name: string): string {
  const { N, S } = item[name] ?? {};
  const time = N === undefined ? S : new Date(Number(N)).toISOString();
  if (time === undefined) throw new TypeError(`An item of the table has no time "${name}".`);
  return time;
}
