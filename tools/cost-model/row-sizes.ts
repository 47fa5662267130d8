import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { eventValues } from '../../lambdas/aws/event-item.ts';
import { toItem } from '../../lambdas/aws/items.ts';
import { createMeaningOf } from '../../lambdas/domain/assumptions.ts';
import { eventFact } from '../../lambdas/domain/fact.ts';
import { parsePaymentEvent } from '../../lambdas/domain/payment-event.ts';
import { type Reading, readingOf } from '../../lambdas/domain/reading.ts';
import { table } from './documents.ts';
import { type CorpusEvent, randomEvent, realisticEvents } from './row-corpus.ts';
import { type Item, itemBytes, writeUnits } from './units.ts';

function readingIn({ eventId, body }: CorpusEvent): Reading {
  const parsed = parsePaymentEvent(body);
  if (!parsed.ok) throw new TypeError(`The event ${eventId} of the corpus is none.`);
  return readingOf(parsed.event, createMeaningOf());
}

/** The row of an event that the consumer would store. */
function rowOf(event: CorpusEvent): Item {
  const { eventId, body } = event;
  const sha256 = createHash('sha256').update(body).digest('hex');
  const values = eventValues({
    ...{ key: `live:event:${eventId}`, record: 'event', mode: 'live', eventId, reading: readingIn(event) },
    ...{ outcome: 'applied', assignedOrderIds: [], version: 0 },
    ...{ body, bodySha256: sha256, signature: sha256, keyId: sha256.slice(0, 12) },
    ...{ receivedAt: '2026-11-21T10:00:00.000Z', recordedAt: '2026-11-21T10:00:00.250Z' },
  });
  const item = toItem(values);
  const inBase64 = ({ B, ...value }: AttributeValue) =>
    B === undefined ? value : { B: Buffer.from(B).toString('base64') };
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, inBase64(value)])) as Item;
}

/** Bytes of an event's body and of its row, and the write units of the row. */
export function rowSizes(event: CorpusEvent) {
  const rowBytes = itemBytes(rowOf(event));
  return {
    title: event.title,
    bodyBytes: event.body.length,
    rowBytes,
    units: writeUnits(0, rowBytes),
  };
}

/** Bytes of the fact of an event in the row of its order. */
export const factBytes = (event: CorpusEvent): number =>
  Buffer.byteLength(eventFact(event.eventId, readingIn(event)));

export const rowTable = (): string =>
  table(
    'what its body has | bytes of the body | bytes of the row | write units',
    [...realisticEvents, randomEvent]
      .map(rowSizes)
      .map(({ title, bodyBytes, rowBytes, units }) => [title, bodyBytes, rowBytes, units]),
  );
