import { createHash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as v from 'valibot';
import { bodyBytesMax } from '../contract/limits.ts';
import { type WaitingKind, waitingKinds } from '../contract/metrics.ts';
import {
  changeShard,
  eventNameKey,
  eventOfKey,
  eventRecord,
  eventAttributes as names,
  waitingPartition,
} from '../contract/schema.ts';
import { meanings } from '../domain/assumptions.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { Judgement } from '../ports/acts.ts';
import { type EventRow, isReplaced, outcomes } from '../ports/rows.ts';
import type { BodyRow, EventNameState } from '../ports/stores.ts';
import { attributesOf, defined, expiryOf, fieldsOf, type Item, keyOf, type Values } from './items.ts';

/** The one form of an event's row. Mode and event id follow from its key. */
export function eventValues(row: EventRow): Values {
  const { key, record, mode, eventId: _, reading, waiting, body, bodyRow, ...fields } = row;
  return {
    ...keyOf(key, record),
    ...attributesOf({
      ...reading,
      ...fields,
      waiting: waiting && waitingPartition(mode, waiting),
      // A list of what was received has each body once, and no heartbeats.
      receiptShard: mode === 'heartbeat' || isReplaced(row) ? undefined : changeShard(mode, key),
      bodySha256: Buffer.from(row.bodySha256, 'hex'),
      signature: Buffer.from(row.signature, 'hex'),
      version: row.version || undefined,
    }),
    ...(body !== undefined && bodyRow === undefined && packBody(body)),
    ...expiryOf(mode, row.recordedAt),
  };
}

const text = v.string();
const decision = { by: text, at: text, reason: text };
const hex = v.pipe(
  v.instance(Uint8Array),
  v.transform((bytes) => Buffer.from(bytes).toString('hex')),
);

const waitingFormat = v.pipe(
  text,
  v.transform((partition) => partition.split(':')[1]),
  v.picklist(waitingKinds),
);

/** What a row waits for; `undefined` also for what is none of our kinds. */
export function waitingKindOf(item: Item): WaitingKind | undefined {
  const { success, output } = v.safeParse(waitingFormat, item[names.waiting]?.S);
  return success ? output : undefined;
}

/** What a row of `events` waits for, and how it was judged. */
const stateFormat = {
  waiting: v.optional(waitingFormat),
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
  outcome: v.picklist(outcomes),
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
  meaning: v.nullish(v.picklist(meanings), null),
  orderId: v.nullish(text, null),
  transactionId: v.nullish(text, null),
  amount: v.nullish(text, null),
  currency: v.nullish(text, null),
  createdAt: v.nullish(text, null),
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
    assignedOrderIds: row.assignedOrderIds.toSorted(),
    body,
    bodyRow: body === undefined || inRow ? undefined : defined<{ expiresAt?: number }>({ expiresAt }),
  });
}

export const bodySha256In = (item: Item): string | undefined => {
  const bytes = item[names.bodySha256]?.B;
  return bytes && Buffer.from(bytes).toString('hex');
};

/** The item of a body in a row of its own. */
export const bodyValues = ({ key, bodySha256, body, expiresAt }: BodyRow): Values => ({
  ...keyOf(key, eventRecord.body(bodySha256)),
  ...packBody(body),
  [names.expiresAt]: expiresAt,
});

/**
 * Compressed when that makes the body smaller. Each byte saved of a row is worth far more than the CPU time:
 * lower qualities, deflate and zstd make the sample 34 to 87 bytes longer, to save some 0.02 ms. A window of
 * the body's size costs no byte, and spares the encoder memory that the system would have to clear for each.
 */
function packBody(body: Uint8Array): Values {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: Math.max(16, 32 - Math.clz32(body.length)),
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const compressed = brotliCompressSync(body, { params });
  if (compressed.length < body.length) return { [names.body]: compressed };
  return { [names.body]: body, [names.bodyEncoding]: 'identity' };
}

/** The bytes as they were received; `undefined` for an item without a body. Throws for damaged bytes. */
function unpackBody(item: Item = {}): Uint8Array | undefined {
  const bytes = item[names.body]?.B;
  const encoding = item[names.bodyEncoding]?.S;
  if (bytes === undefined || encoding === 'identity') return bytes;
  if (encoding !== undefined) throw new TypeError(`This version does not know ${JSON.stringify(encoding)}.`);
  const { buffer, byteOffset, length } = brotliDecompressSync(bytes, { maxOutputLength: bodyBytesMax });
  return new Uint8Array(buffer, byteOffset, length);
}

export const eventNameValues = ({ mode, waiting, ...fields }: EventNameState): Values => ({
  ...keyOf(eventNameKey(mode, fields.eventName), eventRecord.eventName),
  ...attributesOf({ ...fields, waiting: waiting && waitingPartition(mode, waiting) }),
});

const nameFormat = v.object({
  ...{ eventName: text, eventId: text, orderId: v.optional(text), recordedAt: text },
  ...{ amount: v.optional(text), currency: v.optional(text) },
  ...stateFormat,
});

/** The inverse of `eventNameValues`; `undefined` for an item that was damaged. */
export function readEventName(mode: AnyMode, item: Item): EventNameState | undefined {
  const { success, output } = v.safeParse(nameFormat, fieldsOf(item));
  return success ? defined<EventNameState>({ mode, ...output }) : undefined;
}
