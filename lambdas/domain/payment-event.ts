import {
  eventIdBytesMax,
  eventNameBytesMax,
  factFieldBytesMax,
  orderIdBytesMax,
  transactionIdBytesMax,
} from '../contract/limits.ts';
import { type Meaning, type MeaningOf, payloadPaths } from './assumptions.ts';

/** What an event says of an order and its money, as it was written; `null` for what it does not say. */
export interface EventFields {
  readonly eventName: string;
  readonly orderId: string | null;
  readonly transactionId: string | null;
  /** Whether a JSON string or a JSON number. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly createdAt: string | null;
}

/** An event object (API document 2.3), reduced to what payhooks acts on. The bytes keep the rest. */
export interface PaymentEvent {
  readonly id: string;
  /** `undefined` when the body has no such flag, or one that is not a boolean. */
  readonly sandbox: boolean | undefined;
  readonly fields: EventFields;
  /**
   * An id, which reads as `null`, that is not text, not valid Unicode, or too long for a table key or a fact:
   * money would be counted in the wrong place.
   */
  readonly invalidId: 'order_id' | 'transaction_id' | undefined;
}

export type UnrecognisedReason =
  | 'not_utf8'
  | 'not_json'
  | 'not_an_object'
  | 'id_missing'
  | 'id_invalid'
  | 'event_name_missing'
  | 'event_name_invalid';

export type ParsedEvent =
  | { readonly ok: true; readonly event: PaymentEvent }
  | { readonly ok: false; readonly reason: UnrecognisedReason };

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads the signed bytes as an event. Strict about the id and the name, which the pipeline needs; tolerant of
 * everything that the document does not show: missing sub-objects, nulls, unknown fields, numbers for
 * strings.
 */
export function parsePaymentEvent(body: Uint8Array): ParsedEvent {
  const text = decodeUtf8(body);
  if (text === undefined) return { ok: false, reason: 'not_utf8' };
  const json = parseJson(text);
  if (json === undefined) return { ok: false, reason: 'not_json' };
  if (!isObject(json)) return { ok: false, reason: 'not_an_object' };
  const id = json['id'];
  if (typeof id !== 'string' || id === '') return { ok: false, reason: 'id_missing' };
  if (!fitsFact(id, eventIdBytesMax)) return { ok: false, reason: 'id_invalid' };
  const eventName = json['event_name'];
  if (typeof eventName !== 'string' || eventName === '') return { ok: false, reason: 'event_name_missing' };
  if (!fitsFact(eventName, eventNameBytesMax)) return { ok: false, reason: 'event_name_invalid' };
  const { sandbox, payload } = json;
  const orderId = readId(payload, payloadPaths.orderId, (text) => fitsKey(text, orderIdBytesMax));
  const transactionId = readId(payload, payloadPaths.transactionId, (text) =>
    fitsFact(text, transactionIdBytesMax),
  );
  const fields: EventFields = {
    eventName,
    orderId: orderId ?? null,
    transactionId: transactionId ?? null,
    amount: readField(payload, payloadPaths.amount),
    currency: readField(payload, payloadPaths.currency),
    createdAt: readField(payload, payloadPaths.createdAt),
  };
  const invalidTransaction = transactionId === undefined ? 'transaction_id' : undefined;
  const invalidId = orderId === undefined ? 'order_id' : invalidTransaction;
  return {
    ok: true,
    event: { id, sandbox: typeof sandbox === 'boolean' ? sandbox : undefined, fields, invalidId },
  };
}

/** A JSON number as it was written: 100.10 stays 100.10, and no digit of a long id is rounded away. */
class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type SourceReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

function parseJson(text: string): unknown {
  const keepNumbersAsWritten: SourceReviver = (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? new JsonNumber(source) : value;
  try {
    return JSON.parse(text, keepNumbersAsWritten as (key: string, value: unknown) => unknown);
  } catch {
    // A SyntaxError, or a RangeError for nesting that is deeper than the stack: neither is an event.
    return undefined;
  }
}

function decodeUtf8(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** `null` when the event names none, `undefined` for one that cannot be used. */
function readId(
  payload: unknown,
  path: readonly string[],
  fits: (text: string) => boolean,
): string | null | undefined {
  const id = textAt(payload, path);
  if (id === undefined || id === null || id === '') return null;
  return typeof id === 'string' && fits(id) ? id : undefined;
}

function readField(payload: unknown, path: readonly string[]): string | null {
  const text = textAt(payload, path);
  return typeof text === 'string' && text !== '' && fitsFact(text, factFieldBytesMax) ? text : null;
}

/** The value at a path; a number as its text. */
function textAt(payload: unknown, path: readonly string[]): unknown {
  const value = path.reduce((at, key) => (isObject(at) ? at[key] : undefined), payload);
  return value instanceof JsonNumber ? value.text : value;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);

/**
 * Whether DynamoDB can hold the text in a key. A lone surrogate has no UTF-8 form: it would become U+FFFD,
 * and two different ids would become one.
 */
export const fitsKey = (text: string, bytesMax: number): boolean =>
  text.isWellFormed() && Buffer.byteLength(text, 'utf8') <= bytesMax;

/** Whether a fact can hold the text. It is measured as it stands in JSON, where an escape takes six bytes. */
const fitsFact = (text: string, bytesMax: number): boolean =>
  fitsKey(text, bytesMax) && Buffer.byteLength(JSON.stringify(text)) - 2 <= bytesMax;

/**
 * What one version of payhooks reads in a signed body. It is stored with the body when that is recorded, and
 * changes only with a replay: every state is derived from the stored readings, never from the bodies.
 */
export interface Reading extends EventFields {
  /** `null` for a name that has no meaning yet: its event has no effect, like one that means `history`. */
  readonly meaning: Meaning | null;
}

export const readingOf = ({ fields }: PaymentEvent, meaningOf: MeaningOf): Reading => ({
  ...fields,
  meaning: meaningOf(fields.eventName) ?? null,
});

/** Whether the event concerns money: without an order, such an event waits for one. */
export const movesMoney = ({ meaning }: Pick<Reading, 'meaning'>): boolean =>
  meaning !== null && meaning !== 'history';

export const isSameReading = (a: Reading, b: Reading): boolean =>
  (Object.keys(a) as (keyof Reading)[]).every((field) => a[field] === b[field]);
