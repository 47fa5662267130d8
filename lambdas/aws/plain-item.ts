import { deflateSync, inflateSync } from 'node:zlib';
import { bodyBytesMax } from '../contract/limits.ts';
import type { EventRow } from '../ports/stores.ts';
import { type Item, requiredText, textItem } from './dynamodb.ts';

/** The attributes of a row of `events` that hold text, without its key, in the form of 0.2.0. */
const attributes = {
  mode: 'mode',
  outcome: 'outcome',
  reason: 'reason',
  event_id: 'eventId',
  event_name: 'eventName',
  order_id: 'orderId',
  transaction_id: 'transactionId',
  assigned_order_id: 'assignedOrderId',
  fact: 'fact',
  body_sha256: 'bodySha256',
  key_id: 'keyId',
  received_at: 'receivedAt',
  recorded_at: 'recordedAt',
} as const satisfies Readonly<Record<string, keyof EventRow>>;

type TextField = (typeof attributes)[keyof typeof attributes];

/** What a row says about its body, as 0.2.0 stored it. */
export function toPlainItem(row: EventRow): Item {
  const { body, signature } = row;
  return {
    ...textItem(
      Object.fromEntries(Object.entries(attributes).map(([attribute, field]) => [attribute, row[field]])),
    ),
    ...(signature === undefined ? {} : { signature: { B: Buffer.from(signature, 'hex') } }),
    ...(body === undefined ? {} : toPlainBody(body)),
  };
}

/** Deflated when that makes the body smaller. */
export function toPlainBody(body: Uint8Array): Item {
  const deflated = deflateSync(body);
  const smaller = deflated.length < body.length;
  return {
    body: { B: smaller ? deflated : body },
    body_encoding: { S: smaller ? 'deflate' : 'identity' },
  };
}

/** The attributes that hold text, as far as the item has them. */
export function readTexts(item: Item): Partial<Pick<EventRow, TextField>> {
  const entries = Object.entries(attributes).map(([attribute, field]) => [field, item[attribute]?.S]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Throws when the item was not made by `toPlainItem`. */
export function fromPlainItem(item: Item) {
  const signature = item['signature']?.B;
  return {
    ...readTexts(item),
    bodySha256: requiredText(item, 'body_sha256'),
    keyId: requiredText(item, 'key_id'),
    receivedAt: requiredText(item, 'received_at'),
    recordedAt: requiredText(item, 'recorded_at'),
    ...(signature === undefined ? {} : { signature: Buffer.from(signature).toString('hex') }),
  };
}

export function readPlainBody(item: Item): Uint8Array | undefined {
  const bytes = item['body']?.B;
  if (bytes === undefined || requiredText(item, 'body_encoding') !== 'deflate') return bytes;
  return inflateSync(bytes, { maxOutputLength: bodyBytesMax });
}
