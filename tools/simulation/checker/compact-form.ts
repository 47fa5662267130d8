import { inflateRawSync } from 'node:zlib';
import { bodyDictionaries } from '../../../lambdas/aws/body-dictionary.ts';
import type { Row } from '../history.ts';

/**
 * The compact form of rows, read a second time: from docs/data.md, "The compact form", without any code of
 * the product. Only the text of the dictionary is the product's, because it is a part of what is stored.
 */
export interface CompactFact {
  readonly id: string;
  readonly name: string;
  readonly transactionId: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly createdAt: string | null;
}

/** The text of a fact in the row of an order; a fact in the compact form becomes `["event.1", …]`. */
export function wholeFact(stored: string): string {
  const [tag, text] = JSON.parse(stored) as readonly [string, string];
  if (tag !== 'event.2') return stored;
  const space = text.indexOf(' ');
  return factText(compactFact(idOf(text.slice(0, space)), text.slice(space + 1)));
}

/** The fact that the row of an event has in its attribute `f`. */
export function compactFact(id: string, text: string): CompactFact {
  const parts = text.split(' ');
  const [name = '', ...others] = parts;
  if (parts.length !== 5) throw new TypeError(`A compact fact has ${parts.length} parts instead of five.`);
  const [transaction, amount, currency, time] = others.map((part) => (part === '' ? null : part));
  const plain = decodeURIComponent(name);
  return {
    id,
    name: name.includes('.') ? plain : `transaction.${plain}`,
    transactionId: transaction == null ? null : idOf(transaction),
    amount: amount == null ? null : decodeURIComponent(amount),
    currency: currency == null ? null : decodeURIComponent(currency),
    createdAt: time == null ? null : timeOf(time),
  };
}

export const factText = ({ id, name, transactionId, amount, currency, createdAt }: CompactFact): string =>
  JSON.stringify(['event.1', id, name, transactionId, amount, currency, createdAt]);

/** A UUID has 22 characters of base64url; any other id is URL-encoded, and never looks like that. */
const idOf = (part: string): string =>
  /^[A-Za-z0-9_-]{22}$/.test(part) ? uuidOf(Buffer.from(part, 'base64url')) : decodeURIComponent(part);

const uuidOf = (bytes: Buffer): string =>
  [
    bytes.subarray(0, 4),
    bytes.subarray(4, 6),
    bytes.subarray(6, 8),
    bytes.subarray(8, 10),
    bytes.subarray(10),
  ]
    .map((part) => part.toString('hex'))
    .join('-');

/** Microseconds since 1970 to the base 36; any other time is URL-encoded, and has other characters. */
function timeOf(part: string): string {
  if (/[^0-9a-z]/.test(part)) return decodeURIComponent(part);
  const digits = [...part].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  const seconds = new Date(Number(digits / 1_000_000n) * 1_000).toISOString().slice(0, 19);
  return `${seconds}.${String(digits % 1_000_000n).padStart(6, '0')}Z`;
}

/** The bytes of the attribute `b`; `said` is what the same row says that the body repeats. */
export function unpackedBody(packed: Buffer, said: readonly (string | null | undefined)[]): Buffer {
  const [version = 0, uuids = 0] = packed;
  if (version === 0) return packed.subarray(1);
  const dictionary = Buffer.from([bodyDictionaries[version], ...said].join(''));
  const text = inflateRawSync(packed.subarray(2 + 16 * uuids), { dictionary });
  if (uuids === 0) return text;
  const parts: Buffer[] = [];
  let [from, taken] = [0, 0];
  for (let zero = text.indexOf(0); zero !== -1; zero = text.indexOf(0, from)) {
    const at = 2 + 16 * taken;
    parts.push(text.subarray(from, zero), Buffer.from(uuidOf(packed.subarray(at, at + 16))));
    [from, taken] = [zero + 1, taken + 1];
  }
  return Buffer.concat([...parts, text.subarray(from)]);
}

/** Whether the row of an event is in the compact form. */
export const isCompact = (row: Row): boolean => row['h'] !== undefined;
