import { type Meaning, type Meanings, meaningOfName } from './meanings.ts';

/**
 * What a signed body says, read a second time: from the payment service's API document (2.3) and
 * docs/assumptions.md, without any code of the product.
 */
export type Mode = 'live' | 'sandbox';

export interface SignedEvent {
  readonly id: string;
  readonly name: string;
  readonly meaning: Meaning | undefined;
  readonly orderId: string | null;
  readonly transactionId: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly createdAt: string | null;
}

const quarantineReasons = [
  'sandbox_flag_missing',
  'sandbox_flag_disagrees',
  'order_id_invalid',
  'transaction_id_invalid',
] as const;

export type Reading =
  | { readonly kind: 'event'; readonly event: SignedEvent }
  /** Signed and an event, but a person must judge it first. An invalid id is `null` here. */
  | {
      readonly kind: 'quarantined';
      readonly reason: (typeof quarantineReasons)[number];
      readonly event: SignedEvent;
    }
  | { readonly kind: 'unrecognised' };

/** Where a version looks for the transaction: the first of these fields that the payload has. */
const places = { today: ['transaction'], formerly: ['former', 'transaction'] } as const;

interface Reader {
  /** Meanings that a setting adds. */
  readonly configured?: Meanings;
  readonly version?: keyof typeof places;
}

/** Reads a body that a key of this mode signed. */
export function readBody(
  bytes: Uint8Array,
  mode: Mode,
  { configured = {}, version = 'today' }: Reader = {},
): Reading {
  const body = parseJson(bytes);
  const [id, name] = [textOf(body?.get('id')), textOf(body?.get('event_name'))];
  if (body === undefined || !isText(id, 512) || !isText(name, 256)) return { kind: 'unrecognised' };
  const payload = fieldsOf(body.get('payload'));
  const transaction = fieldsOf(payload.get(places[version].find((place) => payload.has(place)) ?? ''));
  const [orderId, transactionId] = [transaction.get('order_id'), transaction.get('id')].map(idOf);
  const optional = (field: string): string | null => {
    const text = idOf(transaction.get(field));
    return isText(text, 256) ? text : null;
  };
  const isOrderId = isUnicode(orderId) && Buffer.byteLength(orderId) <= 1024;
  const isTransactionId = isText(transactionId, 256);
  const event = {
    ...{ id, name, meaning: meaningOfName(name, configured) },
    orderId: isOrderId ? orderId : null,
    transactionId: isTransactionId ? transactionId : null,
    ...{ amount: optional('amount'), currency: optional('currency'), createdAt: optional('created_at') },
  };
  const sandbox = body.get('sandbox');
  if (typeof sandbox !== 'boolean') return { kind: 'quarantined', reason: 'sandbox_flag_missing', event };
  if (sandbox !== (mode === 'sandbox'))
    return { kind: 'quarantined', reason: 'sandbox_flag_disagrees', event };
  if (orderId !== null && !isOrderId) return { kind: 'quarantined', reason: 'order_id_invalid', event };
  if (transactionId !== null && !isTransactionId)
    return { kind: 'quarantined', reason: 'transaction_id_invalid', event };
  return { kind: 'event', event };
}

type Fields = ReadonlyMap<string, unknown>;
const noFields: Fields = new Map();

/** The fields of an object; `undefined` for bytes that are not UTF-8, not JSON, or JSON of another kind. */
function parseJson(bytes: Uint8Array): Fields | undefined {
  try {
    const json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    JSON.parse(json);
    const marked: unknown = JSON.parse(markTokens(json));
    return isObject(marked) ? fieldsOf(marked) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Numbers keep their digits: every string gets the prefix `s`, and a number becomes a string with the prefix
 * `n`. No text of a body can be mistaken for a number in this form, nor a key for a property of objects.
 */
const markTokens = (json: string): string =>
  json.replaceAll(/"([^"\\]*(?:\\.[^"\\]*)*)"|-?\d[\d.eE+-]*/g, (token, text: string | undefined) =>
    text === undefined ? `"n${token}"` : `"s${text}"`,
  );

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsOf = (value: unknown): Fields =>
  isObject(value) ? new Map(Object.entries(value).map(([key, field]) => [key.slice(1), field])) : noFields;

/** A string that was written as one; `undefined` for anything else, a number included. */
const textOf = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('s') ? value.slice(1) : undefined;

/** Missing, null and empty are the same; a number is the text of its digits. Anything else is `false`. */
function idOf(value: unknown): string | false | null {
  if (value === undefined || value === null || value === 's') return null;
  return typeof value === 'string' ? value.slice(1) : false;
}

const isUnicode = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();

/** Text of at most so many bytes, counted as they stand in JSON: an escape has two or six. */
const isText = (value: unknown, bytesMax: number): value is string =>
  isUnicode(value) && value !== '' && Buffer.byteLength(JSON.stringify(value)) - 2 <= bytesMax;
