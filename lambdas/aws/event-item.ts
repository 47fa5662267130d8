import { deflateSync, inflateSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { bodyBytesMax } from '../contract/limits.ts';
import { eventAttributes, eventRecord, waitingPartition } from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import { factOfBody } from '../domain/fact.ts';
import type { Decision, Erasure, Judgement } from '../ports/decisions.ts';
import type { BodyRow, EventRow, EventSummary } from '../ports/stores.ts';
import { type Item, requiredText, rowExpiry, textItem } from './dynamodb.ts';

/** The attributes of a row of `events` that hold text, without its key. */
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

const textEntries = (row: EventRow): [string, string | undefined][] =>
  Object.entries(attributes).map(([attribute, field]) => [attribute, row[field]]);

export function toEventItem(row: EventRow): Item {
  const { mode, waiting, body, signature, expiresAt, judged, erased } = row;
  const rowExpiresAt = rowExpiry(mode, new Date(row.recordedAt));
  return {
    ...textItem({
      [eventAttributes.key]: row.key,
      [eventAttributes.record]: row.record,
      ...Object.fromEntries(textEntries(row)),
      [eventAttributes.waiting]: waiting && waitingPartition(mode, waiting),
    }),
    ...(signature === undefined ? {} : { signature: { B: Buffer.from(signature, 'hex') } }),
    ...(body === undefined ? {} : bodyItem(body)),
    ...(expiresAt === undefined ? {} : expiryItem(expiresAt)),
    ...(rowExpiresAt === undefined ? {} : { [eventAttributes.expiresAt]: rowExpiresAt }),
    ...(judged === undefined ? {} : { [eventAttributes.judged]: judgementItem(judged) }),
    ...(erased === undefined ? {} : { [eventAttributes.erased]: erasureItem(erased) }),
  };
}

export const judgementItem = ({ verdict, by, at, reason, orderId }: Judgement): AttributeValue => ({
  M: textItem({ verdict, by, at, reason, order_id: orderId }),
});

export const erasureItem = ({ by, at, reason }: Erasure): AttributeValue => ({
  M: textItem({ by, at, reason }),
});

export const toBodyItem = ({ key, body, bodySha256, expiresAt }: BodyRow): Item => ({
  ...textItem({ [eventAttributes.key]: key, [eventAttributes.record]: eventRecord.body(bodySha256) }),
  ...bodyItem(body),
  ...(expiresAt === undefined ? {} : expiryItem(expiresAt)),
});

/** Deflated when that makes the body smaller. */
function bodyItem(body: Uint8Array): Item {
  const deflated = deflateSync(body);
  const smaller = deflated.length < body.length;
  return {
    body: { B: smaller ? deflated : body },
    body_encoding: { S: smaller ? 'deflate' : 'identity' },
  };
}

const expiryItem = (expiresAt: number): Item => ({
  [eventAttributes.expiresAt]: { N: String(expiresAt) },
});

/** The attributes that hold text, as far as the item has them. */
export function readTexts(item: Item) {
  const entries = Object.entries(attributes).map(([attribute, field]) => [field, item[attribute]?.S]);
  const present = entries.filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Partial<Pick<EventRow, (typeof attributes)[keyof typeof attributes]>>;
}

/**
 * The inverse of `toEventItem`, with the body of a row of its own if there is one. Throws when the item was
 * not made by `toEventItem`.
 */
export function fromEventItem(item: Item, bodyRow?: Item): EventRow {
  const present = readTexts(item);
  const record = requiredText(item, eventAttributes.record);
  const signature = item['signature']?.B;
  const expiresAt = item[eventAttributes.expiresAt]?.N;
  const body = readBody(item) ?? (bodyRow && readBody(bodyRow));
  // An event that names an order and has its body here is stored without its fact: the row stays at 1 KB.
  const fact = present.fact ?? (record === eventRecord.event && body ? factOfBody(body) : undefined);
  return {
    ...(present as Omit<EventRow, 'key' | 'record' | 'body' | 'expiresAt'>),
    key: requiredText(item, eventAttributes.key),
    record,
    bodySha256: requiredText(item, 'body_sha256'),
    receivedAt: requiredText(item, 'received_at'),
    recordedAt: requiredText(item, 'recorded_at'),
    ...waitingOf(item),
    ...(signature === undefined ? {} : { signature: Buffer.from(signature).toString('hex') }),
    ...(body === undefined ? {} : { body }),
    ...(fact === undefined ? {} : { fact }),
    ...(expiresAt === undefined ? {} : { expiresAt: Number(expiresAt) }),
    ...actsOn(item),
  };
}

/** What operators did to the row. */
export function actsOn(item: Item): Pick<EventRow, 'judged' | 'erased'> {
  const judged = item[eventAttributes.judged]?.M;
  const erased = item[eventAttributes.erased]?.M;
  return {
    ...(judged === undefined ? {} : { judged: readJudgement(judged) }),
    ...(erased === undefined ? {} : { erased: readDecision(erased) }),
  };
}

function readJudgement(map: Item): Judgement {
  const orderId = map['order_id']?.S;
  return {
    verdict: requiredText(map, 'verdict') === 'admitted' ? 'admitted' : 'dismissed',
    ...readDecision(map),
    ...(orderId === undefined ? {} : { orderId }),
  };
}

const readDecision = (map: Item): Decision => ({
  by: requiredText(map, 'by'),
  at: requiredText(map, 'at'),
  reason: requiredText(map, 'reason'),
});

/** What a summary of an event needs. The body, which holds the customer data, is not read. */
export const summaryAttributes = [
  'event_id',
  'order_id',
  'assigned_order_id',
  'transaction_id',
  'received_at',
  'recorded_at',
  'key_id',
  'body_sha256',
] as const;

export function fromSummaryItem(item: Item): EventSummary {
  const [orderId, assignedOrderId] = [item['order_id']?.S, item['assigned_order_id']?.S];
  const transactionId = item['transaction_id']?.S;
  return {
    ...(orderId === undefined ? {} : { orderId }),
    ...(assignedOrderId === undefined ? {} : { assignedOrderId }),
    ...(transactionId === undefined ? {} : { transactionId }),
    receivedAt: requiredText(item, 'received_at'),
    recordedAt: requiredText(item, 'recorded_at'),
    keyId: requiredText(item, 'key_id'),
    bodySha256: requiredText(item, 'body_sha256'),
  };
}

export function waitingOf(item: Item): { waiting?: WaitingKind } {
  const kind = item[eventAttributes.waiting]?.S?.split(':').at(1);
  return kind === undefined ? {} : { waiting: kind as WaitingKind };
}

function readBody(item: Item): Uint8Array | undefined {
  const bytes = item['body']?.B;
  if (bytes === undefined || item['body_encoding']?.S !== 'deflate') return bytes;
  return inflateSync(bytes, { maxOutputLength: bodyBytesMax });
}
