import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { toEventItem } from '../../lambdas/aws/event-item.ts';
import { factOfBody } from '../../lambdas/domain/fact.ts';
import { parsePaymentEvent } from '../../lambdas/domain/payment-event.ts';
import { storedFact } from '../../lambdas/domain/stored-fact.ts';
import type { EventRow } from '../../lambdas/ports/stores.ts';
import { table } from './documents.ts';
import { type CorpusEvent, randomEvent, realisticEvents } from './row-corpus.ts';
import { type Item, itemBytes, writeUnits } from './units.ts';

/** The row of an event that the consumer would store. */
function rowOf({ eventId, body }: CorpusEvent): EventRow {
  const parsed = parsePaymentEvent(body);
  if (!parsed.ok || parsed.event.order === null || parsed.event.order === 'invalid')
    throw new TypeError(`The event ${eventId} of the corpus names no order.`);
  const { eventName, order, transaction } = parsed.event;
  const sha256 = createHash('sha256').update(body).digest('hex');
  return {
    ...{
      key: `live:event:${eventId}`,
      record: 'event',
      mode: 'live',
      outcome: 'applied',
      eventId,
      eventName,
    },
    ...{ orderId: order.id, ...(transaction.id === null ? {} : { transactionId: transaction.id }) },
    ...{ body, bodySha256: sha256, signature: sha256, keyId: sha256.slice(0, 16) },
    ...{ receivedAt: '2026-11-21T10:00:00.000Z', recordedAt: '2026-11-21T10:00:00.250Z' },
  };
}

const sizeOf = (item: Record<string, AttributeValue>): number =>
  itemBytes(
    Object.fromEntries(
      Object.entries(item).map(([name, { S, N, B }]) => [
        name,
        B === undefined ? { ...(S && { S }), ...(N && { N }) } : { B: Buffer.from(B).toString('base64') },
      ]),
    ) as Item,
  );

/** Bytes of an event's body and of its row in each form, and the write units of the row. */
export function rowSizes(event: CorpusEvent) {
  const row = rowOf(event);
  const [plain, compact] = [false, true].map((form) => sizeOf(toEventItem(row, { compact: form })));
  const [before = 0, after = 0] = [plain, compact];
  return {
    title: event.title,
    bodyBytes: event.body.length,
    ...{ plainBytes: before, plainUnits: writeUnits(0, before) },
    ...{ compactBytes: after, compactUnits: writeUnits(0, after) },
  };
}

/** Bytes of the fact of an event in the row of its order. */
export function factBytes({ eventId, body }: CorpusEvent): number {
  const fact = factOfBody(body);
  if (fact === undefined) throw new TypeError(`The event ${eventId} of the corpus has no fact.`);
  return Buffer.byteLength(storedFact(fact));
}

export const rowTable = (): string =>
  table(
    'what its body has | bytes of the body | row as in 0.2.0 | write units | compact row | write units',
    [...realisticEvents, randomEvent]
      .map(rowSizes)
      .map((one) => [
        one.title,
        one.bodyBytes,
        one.plainBytes,
        one.plainUnits,
        one.compactBytes,
        one.compactUnits,
      ]),
  );
