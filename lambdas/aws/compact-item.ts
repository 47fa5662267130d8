import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { eventAttributes, eventRecord, compactAttributes as names } from '../contract/schema.ts';
import { type EventFact, factOfBody, parseFact } from '../domain/fact.ts';
import { packFact, unpackFact } from '../domain/stored-fact.ts';
import type { EventRow } from '../ports/stores.ts';
import { bytesOrText, textOf, timeOf, timeOrText } from './attribute-values.ts';
import { type Item, requiredText, text } from './dynamodb.ts';
import { packBody, unpackBody } from './packed-body.ts';

const fieldNames = [
  'mode',
  'eventId',
  'eventName',
  'transactionId',
  'orderId',
  'fact',
  'bodySha256',
  'signature',
  'keyId',
  'receivedAt',
  'recordedAt',
] as const satisfies (keyof EventRow)[];

/** What the attributes of a compact row say; the rest of the row is stored as in any other. */
export type CompactFields = Pick<EventRow, (typeof fieldNames)[number]>;

export const isCompact = (item: Item): boolean => item[names.bodySha256] !== undefined;

/**
 * The attributes in which a compact row differs; `undefined` for a row that waits, since the index of what
 * waits needs them as text, and for any row that would not be read again exactly as it is.
 */
export function toCompactItem(row: EventRow): Item | undefined {
  const { record, waiting, expiresAt, body, orderId, signature } = row;
  if (record !== eventRecord.event || waiting !== undefined || expiresAt !== undefined) return undefined;
  const fact = row.fact ?? (body && factOfBody(body)) ?? '';
  const packed = packFact(fact);
  if (packed === undefined) return undefined;
  const item: Item = {
    [names.fact]: text(packed.details),
    [names.bodySha256]: bytesOrText(row.bodySha256),
    [names.keyId]: bytesOrText(row.keyId),
    [names.receivedAt]: timeOrText(row.receivedAt),
    [names.recordedAt]: timeOrText(row.recordedAt),
    ...(orderId === undefined ? {} : { [names.orderId]: text(orderId) }),
    ...(signature === undefined ? {} : { [names.signature]: bytesOrText(signature) }),
  };
  const keyed = { [eventAttributes.key]: text(row.key), ...item };
  const whole = body === undefined ? item : { ...item, ...toCompactBody(body, keyed) };
  return givesBack({ ...keyed, ...whole }, { ...row, fact }) ? whole : undefined;
}

function givesBack(item: Item, row: EventRow): boolean {
  const entries = fieldNames.map((name) => [name, row[name]]).filter(([, value]) => value !== undefined);
  return (
    isDeepStrictEqual(fromCompactItem(item), Object.fromEntries(entries)) &&
    hasItsHash(item, unpackedBody(item))
  );
}

export function fromCompactItem(item: Item): CompactFields {
  const { mode, eventId } = idsOf(item);
  const fact = factOf(item);
  if (fact === undefined) {
    throw new TypeError(`A compact row of the table has no readable fact in "${names.fact}".`);
  }
  const said = saidBy(fact);
  const orderId = item[names.orderId]?.S;
  const signature = item[names.signature];
  return {
    mode,
    eventId,
    eventName: said.eventName,
    ...(said.transactionId === null ? {} : { transactionId: said.transactionId }),
    ...(orderId === undefined ? {} : { orderId }),
    fact,
    bodySha256: textOf(item, names.bodySha256),
    ...(signature === undefined ? {} : { signature: textOf(item, names.signature) }),
    keyId: textOf(item, names.keyId),
    receivedAt: timeOf(item, names.receivedAt),
    recordedAt: timeOf(item, names.recordedAt),
  };
}

/** `item` is the rest of the row, which the body repeats in part. */
export const toCompactBody = (body: Uint8Array, item: Item): Item => ({
  [names.body]: { B: packBody(body, knownTo(item)) },
});

/**
 * The packed body of an event's row, or of a row that holds a body alone. Throws when it is not the one that
 * the event's row names: other bytes would be inflated to other text, and not to an error.
 */
export function readCompactBody(item: Item): Uint8Array | undefined {
  const body = unpackedBody(item);
  if (hasItsHash(item, body)) return body;
  throw new TypeError(`The body of the event ${JSON.stringify(idsOf(item).eventId)} has another SHA-256.`);
}

function unpackedBody(item: Item): Uint8Array | undefined {
  const packed = item[names.body]?.B;
  return packed === undefined ? undefined : unpackBody(packed, knownTo(item));
}

function hasItsHash(item: Item, body: Uint8Array | undefined): boolean {
  const hash = item[names.bodySha256]?.B;
  if (hash === undefined || body === undefined) return true;
  return createHash('sha256').update(body).digest().equals(hash);
}

/** What a row says in other attributes, and its body too. They do not change while the row is compact. */
function knownTo(item: Item): readonly string[] {
  const fact = factOf(item);
  const said = fact === undefined ? undefined : saidBy(fact);
  const parts = [said?.transactionId, said?.amount, said?.currency, said?.createdAt, item[names.orderId]?.S];
  return [...parts, idsOf(item).eventId].flatMap((part) => part ?? []);
}

/** The fact of a row that has one which can be read. */
function factOf(item: Item): string | undefined {
  const details = item[names.fact]?.S;
  return details === undefined ? undefined : unpackFact({ eventId: idsOf(item).eventId, details });
}

/** No other fact has a packed form. */
const saidBy = (fact: string): EventFact => parseFact(fact) as EventFact;

export function idsOf(item: Item): Pick<EventRow, 'mode'> & { readonly eventId: string } {
  const [mode, , ...id] = requiredText(item, eventAttributes.key).split(':');
  return { mode: mode as EventRow['mode'], eventId: id.join(':') };
}
