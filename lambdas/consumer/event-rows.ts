import { eventKey, eventRecord, unrecognisedKey } from '../contract/schema.ts';
import type { EventRow, QuarantineReason } from '../ports/stores.ts';
import type { Received } from './receive.ts';

export interface RowSettings {
  /** When the consumer records. */
  readonly now: Date;
  /**
   * How long applied and recorded events are kept; `undefined` keeps them forever. Facts make expiry safe.
   */
  readonly eventRetentionDays: number | undefined;
}

/** The row that records a classified message. */
export function rowOf(received: Received, settings: RowSettings): EventRow {
  const { classification, message, bodySha256 } = received;
  switch (classification.kind) {
    case 'unrecognised':
      return {
        ...provenance(received, settings),
        key: unrecognisedKey(message.mode, bodySha256),
        record: eventRecord.unrecognised,
        outcome: 'unrecognised',
        reason: classification.reason,
      };
    case 'quarantined':
      return quarantineRow(received, classification.reason, settings);
    case 'recorded':
    case 'applied':
      return {
        ...provenance(received, settings),
        ...description(received),
        key: eventKey(message.mode, classification.event.id),
        record: eventRecord.event,
        outcome: classification.kind,
        ...expiry(settings),
      };
  }
}

/**
 * The row of an event that is not applied. It leaves the event's id free for a body that may still arrive.
 */
export function quarantineRow(received: Received, reason: QuarantineReason, settings: RowSettings): EventRow {
  return {
    ...waitingRow(received, settings),
    record: eventRecord.quarantine(received.bodySha256),
    outcome: 'quarantined',
    reason,
  };
}

/** The row of a body whose event id was taken by another body. */
export function conflictRow(received: Received, settings: RowSettings): EventRow {
  return {
    ...waitingRow(received, settings),
    record: eventRecord.conflict(received.bodySha256),
    outcome: 'conflict',
  };
}

/** What conflict and quarantine rows have in common. They wait for a person, so they never expire. */
function waitingRow(received: Received, settings: RowSettings): Omit<EventRow, 'record' | 'outcome'> {
  const { classification, message } = received;
  if (classification.kind === 'unrecognised') throw new TypeError('An unrecognised body has no event id.');
  return {
    ...provenance(received, settings),
    ...description(received),
    key: eventKey(message.mode, classification.event.id),
  };
}

function provenance({ message, bodySha256 }: Received, { now }: RowSettings) {
  return {
    mode: message.mode,
    body: message.body,
    bodySha256,
    keyId: message.keyId,
    receivedAt: message.receivedAt,
    recordedAt: now.toISOString(),
  };
}

function description({ classification }: Received) {
  if (classification.kind === 'unrecognised') return {};
  const { id, eventName, order, transaction } = classification.event;
  return {
    eventId: id,
    eventName,
    ...(order === null || order === 'invalid' ? {} : { orderId: order.id }),
    ...(transaction.id === null ? {} : { transactionId: transaction.id }),
  };
}

function expiry({ now, eventRetentionDays }: RowSettings): { expiresAt?: number } {
  if (eventRetentionDays === undefined) return {};
  return { expiresAt: Math.floor(now.getTime() / 1000) + eventRetentionDays * 24 * 60 * 60 };
}
