import { eventKey, eventRecord, unrecognisedKey } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { eventFact } from '../domain/fact.ts';
import type { PaymentEvent, UnrecognisedReason } from '../domain/payment-event.ts';
import type { Erasure } from '../ports/decisions.ts';
import type { EventRow, QuarantineReason } from '../ports/stores.ts';
import type { Received } from './receive.ts';

export interface RowSettings {
  /** When the consumer records. */
  readonly now: Date;
  /** How long bodies are kept; `undefined` keeps them forever, in the rows of their events. */
  readonly eventRetentionDays: number | undefined;
  readonly meaningOf: MeaningOf;
}

/**
 * The row of an event. It is the lock on the event's id and never expires, so a body that may expire has a
 * row of its own. An event that names an order is stored without its fact while its body is here, to fit into
 * 1 KB.
 */
export function eventRow(received: Received, event: PaymentEvent, settings: RowSettings): EventRow {
  const { body, ...row } = baseRow(received, event, settings);
  const bodyExpires = settings.eventRetentionDays !== undefined;
  return {
    ...row,
    record: eventRecord.event,
    ...firstOutcome(row, settings.meaningOf),
    ...(bodyExpires || row.orderId === undefined ? { fact: eventFact(event) } : {}),
    ...(bodyExpires ? {} : { body }),
  };
}

/** Without an order id, an event that concerns money waits for an order of its transaction. */
export function firstOutcome(
  { orderId, eventName = '' }: Pick<EventRow, 'orderId' | 'eventName'>,
  meaningOf: MeaningOf,
): Pick<EventRow, 'outcome' | 'waiting'> {
  if (orderId !== undefined) return { outcome: 'applied' };
  const meaning = meaningOf(eventName);
  if (meaning === undefined || meaning === 'history') return { outcome: 'recorded' };
  return { outcome: 'unassigned', waiting: 'unassigned' };
}

/** The row of an event in other bytes: evidence, which is kept as long as other bodies are. */
export function variantRow(received: Received, event: PaymentEvent, settings: RowSettings): EventRow {
  const expiresAt = bodyExpiry(settings);
  return {
    ...baseRow(received, event, settings),
    record: eventRecord.variant(received.bodySha256),
    outcome: 'duplicate',
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

/** Such a row after an erasure of its event: without the body, and so without an end. */
export function withoutBody({ body: _, expiresAt: __, ...row }: EventRow, erased: Erasure): EventRow {
  return { ...row, erased };
}

/**
 * The row of a body whose event id was taken by another event. Like every row that waits, it never expires.
 */
export function conflictRow(received: Received, event: PaymentEvent, settings: RowSettings): EventRow {
  return {
    ...baseRow(received, event, settings),
    record: eventRecord.conflict(received.bodySha256),
    outcome: 'conflict',
    waiting: 'conflict',
  };
}

/**
 * The row of an event that is not applied. It leaves the event's id free for a body that may still arrive.
 */
export function quarantineRow(
  received: Received,
  { event, reason }: { readonly event: PaymentEvent; readonly reason: QuarantineReason },
  settings: RowSettings,
): EventRow {
  return {
    ...baseRow(received, event, settings),
    record: eventRecord.quarantine(received.bodySha256),
    outcome: 'quarantined',
    reason,
    waiting: 'quarantined',
  };
}

/** The row of a body that is no event. */
export function unrecognisedRow(
  received: Received,
  reason: UnrecognisedReason,
  settings: RowSettings,
): EventRow {
  return {
    ...provenance(received, settings),
    key: unrecognisedKey(received.message.mode, received.bodySha256),
    record: eventRecord.unrecognised,
    outcome: 'unrecognised',
    reason,
    waiting: 'unrecognised',
  };
}

/** When a body that is recorded now expires, in seconds since the epoch. */
export function bodyExpiry({ now, eventRetentionDays }: RowSettings): number | undefined {
  if (eventRetentionDays === undefined) return undefined;
  return Math.floor(now.getTime() / 1000) + eventRetentionDays * 24 * 60 * 60;
}

function baseRow(received: Received, event: PaymentEvent, settings: RowSettings) {
  const { id, eventName, order, transaction } = event;
  return {
    ...provenance(received, settings),
    key: eventKey(received.message.mode, id),
    eventId: id,
    eventName,
    ...(order === null || order === 'invalid' ? {} : { orderId: order.id }),
    ...(transaction.id === null ? {} : { transactionId: transaction.id }),
  };
}

function provenance({ message, bodySha256 }: Received, { now }: RowSettings) {
  const { mode, body, keyId, signature, receivedAt } = message;
  return {
    mode,
    body,
    bodySha256,
    ...(signature === undefined ? {} : { signature }),
    keyId,
    receivedAt,
    recordedAt: now.toISOString(),
  };
}
