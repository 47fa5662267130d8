import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { eventOfKey, eventAttributes as names, waitingPartition } from '../contract/schema.ts';
import { waitingKinds } from '../contract/waiting-kinds.ts';
import { meanings } from '../domain/assumptions.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/rows.ts';
import { packBody, unpackBody } from './body-item.ts';
import { attributesOf, defined, expiryOf, fieldsOf, type Item, keyOf, toItem, type Values } from './items.ts';

/** The one form of an event's row. Mode and event id follow from its key. */
export function eventValues(row: EventRow): Values {
  const { key, record, mode, eventId: _, reading, waiting, body, bodyRow, ...fields } = row;
  return {
    ...keyOf(key, record),
    ...attributesOf({
      ...(reading && defined(withoutNulls(reading))),
      ...fields,
      waiting: waiting && waitingPartition(mode, waiting),
      bodySha256: Buffer.from(row.bodySha256, 'hex'),
      signature: Buffer.from(row.signature, 'hex'),
      version: row.version || undefined,
    }),
    ...(body !== undefined && bodyRow === undefined && packBody(body)),
    ...expiryOf(mode, row.recordedAt),
  };
}

export const toEventItem = (row: EventRow): Item => toItem(eventValues(row));

const withoutNulls = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? undefined]));

const text = v.string();
const decision = { by: text, at: text, reason: text };
const nullable = <Format extends v.GenericSchema>(format: Format) => v.optional(v.nullable(format), null);
const hex = v.pipe(
  v.instance(Uint8Array),
  v.transform((bytes) => Buffer.from(bytes).toString('hex')),
);

/** What a row of `events` waits for, and how it was judged. */
export const stateFormat = {
  waiting: v.optional(
    v.pipe(
      text,
      v.transform((partition) => partition.split(':')[1]),
      v.picklist(waitingKinds),
    ),
  ),
  judged: v.optional(
    v.pipe(
      v.object({
        ...{ ...decision, verdict: v.picklist(['admitted', 'dismissed']) },
        ...{ orderId: v.optional(text), admittedAt: v.optional(text) },
      }),
      v.transform((judged) => defined<Judgement>(judged)),
    ),
  ),
};

const rowFormat = v.object({
  eventKey: v.pipe(text, v.regex(/^(live|sandbox|heartbeat):(event|body):/)),
  record: text,
  outcome: v.picklist(['applied', 'recorded', 'unassigned', 'conflict', 'quarantined', 'unrecognised']),
  reason: v.optional(text),
  ...stateFormat,
  erased: v.optional(v.object(decision)),
  assignedOrderIds: v.optional(v.array(text), []),
  bodySha256: hex,
  signature: hex,
  keyId: text,
  receivedAt: text,
  recordedAt: text,
  version: v.optional(v.number(), 0),
});

const readingFormat = v.object({
  eventName: text,
  meaning: nullable(v.picklist(meanings)),
  orderId: nullable(text),
  transactionId: nullable(text),
  amount: nullable(text),
  currency: nullable(text),
  createdAt: nullable(text),
});

/**
 * The inverse of `eventValues`, with the item of its body if that is in a row of its own. `undefined` for an
 * item that was damaged, or written by a newer version.
 */
export function readEventItem(item: Item, bodyItem?: Item): EventRow | undefined {
  try {
    return decode(item, bodyItem);
  } catch {
    return undefined;
  }
}

function decode(item: Item, bodyItem: Item | undefined): EventRow {
  const fields = fieldsOf(item);
  const { eventKey: key, ...row } = v.parse(rowFormat, fields);
  const inRow = unpackBody(item);
  const body = inRow ?? unpackBody(bodyItem);
  if (body !== undefined && createHash('sha256').update(body).digest('hex') !== row.bodySha256) {
    throw new TypeError('The body is not the one that its row names.');
  }
  const eventId = eventOfKey(key)?.id;
  const { expiresAt } = v.parse(v.object({ expiresAt: v.optional(v.number()) }), fieldsOf(bodyItem));
  return defined<EventRow>({
    ...row,
    key,
    mode: key.split(':')[0] as EventRow['mode'],
    eventId,
    reading: eventId === undefined ? undefined : v.parse(readingFormat, fields),
    reason: row.reason as EventRow['reason'],
    waiting: row.waiting,
    judged: row.judged,
    erased: row.erased,
    assignedOrderIds: row.assignedOrderIds.toSorted(),
    body,
    bodyRow: body === undefined || inRow ? undefined : defined<{ expiresAt?: number }>({ expiresAt }),
  });
}

export const bodySha256In = (item: Item): string | undefined => {
  const bytes = item[names.bodySha256]?.B;
  return bytes && Buffer.from(bytes).toString('hex');
};
