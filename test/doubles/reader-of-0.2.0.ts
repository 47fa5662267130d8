import { inflateSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

type Item = Readonly<Record<string, AttributeValue>>;

/** What release 0.2.0 reads of an event's row: its own code, reduced to what can refuse or misread a row. */
export function readRowAs020(item: Item) {
  return {
    key: requiredText(item, 'event_key'),
    record: requiredText(item, 'record'),
    bodySha256: requiredText(item, 'body_sha256'),
    receivedAt: requiredText(item, 'received_at'),
    recordedAt: requiredText(item, 'recorded_at'),
    orderId: item['order_id']?.S,
    body: readBody(item),
  };
}

/** The order query of 0.2.0 lists the events of an order by this. */
export const readSummaryAs020 = (item: Item) => ({
  eventId: requiredText(item, 'event_id'),
  outcome: requiredText(item, 'outcome'),
  bodySha256: requiredText(item, 'body_sha256'),
});

/** 0.2.0 took only rows with an outcome for rows of events, and passed over all others. */
export const isRowOfEventIn020 = (item: Item): boolean => item['outcome'] !== undefined;

/** The facts that 0.2.0 folds; it throws for any other. */
export function readFactsAs020(item: Item): readonly unknown[] {
  return (item['facts']?.SS ?? []).map((text) => {
    const fact = parseJson(text);
    const tags = ['event.1', 'conflict.1'];
    if (!Array.isArray(fact) || !tags.includes(fact[0])) throw new Error('UnreadableFactError');
    return fact;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requiredText(item: Item, attribute: string): string {
  const value = item[attribute]?.S;
  if (value === undefined) throw new TypeError(`An item of the table has no text attribute "${attribute}".`);
  return value;
}

function readBody(item: Item): Uint8Array {
  const bytes = item['body']?.B ?? new Uint8Array(0);
  if (item['body_encoding']?.S !== 'deflate') return bytes;
  return inflateSync(bytes);
}
