import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { asIn020, type RowFormat } from '../contract/row-format.ts';
import { compactAttributes, eventAttributes, eventRecord, waitingPartition } from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import { factOfBody } from '../domain/fact.ts';
import type { Decision, Erasure, Judgement } from '../ports/decisions.ts';
import type { BodyRow, EventRow, EventSummary } from '../ports/stores.ts';
import { fromCompactItem, isCompact, readCompactBody, toCompactBody, toCompactItem } from './compact-item.ts';
import { type Item, requiredText, rowExpiry, textItem } from './dynamodb.ts';
import { fromPlainItem, readPlainBody, readTexts, toPlainBody, toPlainItem } from './plain-item.ts';

export function toEventItem(row: EventRow, { compact }: RowFormat = asIn020): Item {
  const { mode, waiting, outcome, reason, assignedOrderId, expiresAt, judged, erased } = row;
  const rowExpiresAt = rowExpiry(mode, new Date(row.recordedAt));
  return {
    ...textItem({
      [eventAttributes.key]: row.key,
      [eventAttributes.record]: row.record,
      outcome,
      reason,
      assigned_order_id: assignedOrderId,
      [eventAttributes.waiting]: waiting && waitingPartition(mode, waiting),
    }),
    ...((compact ? toCompactItem(row) : undefined) ?? toPlainItem(row)),
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

export function toBodyItem(row: BodyRow, { compact }: RowFormat = asIn020): Item {
  const { key, body, bodySha256, expiresAt } = row;
  const keys = textItem({
    [eventAttributes.key]: key,
    [eventAttributes.record]: eventRecord.body(bodySha256),
  });
  return {
    ...keys,
    ...(compact ? toCompactBody(body, keys) : toPlainBody(body)),
    ...(expiresAt === undefined ? {} : expiryItem(expiresAt)),
  };
}

const expiryItem = (expiresAt: number): Item => ({
  [eventAttributes.expiresAt]: { N: String(expiresAt) },
});

/**
 * The inverse of `toEventItem`, with the body of a row of its own if there is one. Throws when the item was
 * not made by `toEventItem`.
 */
export function fromEventItem(item: Item, bodyRow?: Item): EventRow {
  const fields = fieldsOf(item);
  const record = requiredText(item, eventAttributes.record);
  const expiresAt = item[eventAttributes.expiresAt]?.N;
  const body = readBody(item) ?? (bodyRow && readBody(bodyRow));
  // In the form of 0.2.0 an event that names an order is stored without its fact while its body is here.
  const fact = fields.fact ?? (record === eventRecord.event && body ? factOfBody(body) : undefined);
  return {
    ...(fields as Omit<EventRow, 'key' | 'record' | 'body' | 'expiresAt'>),
    key: requiredText(item, eventAttributes.key),
    record,
    ...waitingOf(item),
    ...(body === undefined ? {} : { body }),
    ...(fact === undefined ? {} : { fact }),
    ...(expiresAt === undefined ? {} : { expiresAt: Number(expiresAt) }),
    ...actsOn(item),
  };
}

/** What later writes added to a compact row as text replaces what it said before. */
const fieldsOf = (item: Item) =>
  isCompact(item) ? { ...fromCompactItem(item), ...readTexts(item) } : fromPlainItem(item);

export const bodySha256Of = (item: Item): string => fieldsOf(item).bodySha256;

export const hasBody = (item: Item): boolean =>
  item['body'] !== undefined || item[compactAttributes.body] !== undefined;

const readBody = (item: Item): Uint8Array | undefined => readCompactBody(item) ?? readPlainBody(item);

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
  eventAttributes.key,
  'order_id',
  'assigned_order_id',
  'transaction_id',
  'received_at',
  'recorded_at',
  'key_id',
  'body_sha256',
  ...Object.values(compactAttributes).filter((name) => name !== compactAttributes.body),
] as const;

export function fromSummaryItem(item: Item): EventSummary {
  const fields = fieldsOf(item);
  const { orderId, assignedOrderId, transactionId, receivedAt, recordedAt, keyId, bodySha256 } = fields;
  return {
    ...(orderId === undefined ? {} : { orderId }),
    ...(assignedOrderId === undefined ? {} : { assignedOrderId }),
    ...(transactionId === undefined ? {} : { transactionId }),
    receivedAt,
    recordedAt,
    keyId,
    bodySha256,
  };
}

export function waitingOf(item: Item): { waiting?: WaitingKind } {
  const kind = item[eventAttributes.waiting]?.S?.split(':').at(1);
  return kind === undefined ? {} : { waiting: kind as WaitingKind };
}
