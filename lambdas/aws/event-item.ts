import { deflateSync, inflateSync } from 'node:zlib';
import { bodyBytesMax } from '../contract/limits.ts';
import { eventAttributes } from '../contract/schema.ts';
import type { EventRow, EventSummary, Outcome } from '../ports/stores.ts';
import { type Item, requiredText, textItem } from './dynamodb.ts';

/**
 * The attributes of a row of `events` without its key and its body. The body is `body`, deflated when
 * `body_encoding` is `deflate`.
 */
const attributes = {
  mode: 'mode',
  outcome: 'outcome',
  reason: 'reason',
  event_id: 'eventId',
  event_name: 'eventName',
  order_id: 'orderId',
  transaction_id: 'transactionId',
  body_sha256: 'bodySha256',
  key_id: 'keyId',
  received_at: 'receivedAt',
  recorded_at: 'recordedAt',
} as const satisfies Readonly<Record<string, keyof EventRow>>;

const textEntries = (row: EventRow): [string, string | undefined][] =>
  Object.entries(attributes).map(([attribute, field]) => [attribute, row[field]]);

export function toEventItem(row: EventRow): Item {
  const deflated = deflateSync(row.body);
  const smaller = deflated.length < row.body.length;
  return {
    ...textItem({
      [eventAttributes.key]: row.key,
      [eventAttributes.record]: row.record,
      ...Object.fromEntries(textEntries(row)),
      body_encoding: smaller ? 'deflate' : 'identity',
    }),
    body: { B: smaller ? deflated : row.body },
    ...(row.expiresAt === undefined ? {} : { [eventAttributes.expiresAt]: { N: String(row.expiresAt) } }),
  };
}

/** The inverse of `toEventItem`. Throws when the item was not made by it. */
export function fromEventItem(item: Item): EventRow {
  const entries = Object.entries(attributes).map(([attribute, field]) => [field, item[attribute]?.S]);
  const present = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const expiresAt = item[eventAttributes.expiresAt]?.N;
  return {
    ...(present as Omit<EventRow, 'key' | 'record' | 'body' | 'expiresAt'>),
    key: requiredText(item, eventAttributes.key),
    record: requiredText(item, eventAttributes.record),
    bodySha256: requiredText(item, 'body_sha256'),
    receivedAt: requiredText(item, 'received_at'),
    recordedAt: requiredText(item, 'recorded_at'),
    body: readBody(item),
    ...(expiresAt === undefined ? {} : { expiresAt: Number(expiresAt) }),
  };
}

/** What a summary of an event needs. The body, which holds the customer data, is not read. */
export const summaryAttributes = [
  'event_id',
  'outcome',
  'transaction_id',
  'received_at',
  'recorded_at',
  'key_id',
  'body_sha256',
] as const;

export function fromSummaryItem(item: Item): EventSummary {
  const transactionId = item['transaction_id']?.S;
  return {
    outcome: requiredText(item, 'outcome') as Outcome,
    ...(transactionId === undefined ? {} : { transactionId }),
    receivedAt: requiredText(item, 'received_at'),
    recordedAt: requiredText(item, 'recorded_at'),
    keyId: requiredText(item, 'key_id'),
    bodySha256: requiredText(item, 'body_sha256'),
  };
}

function readBody(item: Item): Uint8Array {
  const bytes = item['body']?.B ?? new Uint8Array(0);
  if (item['body_encoding']?.S !== 'deflate') return bytes;
  return inflateSync(bytes, { maxOutputLength: bodyBytesMax });
}
