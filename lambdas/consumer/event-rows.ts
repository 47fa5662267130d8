import { eventKey, eventRecord, unrecognisedKey } from '../contract/schema.ts';
import { movesMoney, type UnrecognisedReason } from '../domain/payment-event.ts';
import type { EventRow, QuarantineReason, ReadRow } from '../ports/rows.ts';
import type { BodyRow } from '../ports/stores.ts';
import { bodyExpiry } from '../projection/project.ts';
import type { ReadEvent, ReceivedBody } from './receive.ts';

export interface RowSettings {
  /** When the row is recorded. */
  readonly now: Date;
  /** With it the body of an event has a row of its own, which expires unless the event waits. */
  readonly eventRetentionDays: number | undefined;
}

/** The row of an event as its first delivery stores it: the lock on the event's id. */
export function eventRow(received: ReceivedBody, event: ReadEvent, settings: RowSettings): ReadRow {
  const { orderId } = event.reading;
  const waits = orderId === null && movesMoney(event.reading);
  return {
    ...rowUnderId(received, event, settings),
    record: eventRecord.event,
    outcome: orderId === null ? (waits ? 'unassigned' : 'recorded') : 'applied',
    ...(waits && { waiting: 'unassigned' }),
    ...(hasBodyRow(received.message, settings) && { bodyRow: {} }),
  };
}

/** The row of another event under an id that is taken. */
export const conflictRow = (received: ReceivedBody, event: ReadEvent, settings: RowSettings): ReadRow => ({
  ...rowUnderId(received, event, settings),
  record: eventRecord.conflict(received.bodySha256),
  outcome: 'conflict',
  waiting: 'conflict',
});

/**
 * The row of an event that is not applied. It leaves the event's id free for a body that may still arrive.
 */
export const quarantineRow = (
  received: ReceivedBody,
  { reason, ...event }: ReadEvent & { readonly reason: QuarantineReason },
  settings: RowSettings,
): EventRow => ({
  ...rowUnderId(received, event, settings),
  record: eventRecord.quarantine(received.bodySha256),
  outcome: 'quarantined',
  reason,
  waiting: 'quarantined',
});

/** The row of a body that is no event. */
export const unrecognisedRow = (
  received: ReceivedBody,
  reason: UnrecognisedReason,
  settings: RowSettings,
): EventRow => ({
  ...provenance(received, settings),
  key: unrecognisedKey(received.message.mode, received.bodySha256),
  record: eventRecord.unrecognised,
  outcome: 'unrecognised',
  reason,
  waiting: 'unrecognised',
});

/** The row of a message that the verifier did not send. It claims what it likes, also about the mode. */
export const unsealedRow = (received: ReceivedBody, settings: RowSettings): EventRow => ({
  ...provenance(received, settings),
  key: unrecognisedKey(received.message.mode, received.bodySha256),
  record: eventRecord.unsealed,
  outcome: 'unsealed',
  waiting: 'unsealed',
});

/** The body of a row that has it in a row of its own; its event is stored first, as the lock. */
export function bodyRowOf(row: EventRow, settings: RowSettings): BodyRow | undefined {
  const { key, bodySha256, body, bodyRow, waiting } = row;
  const expiresAt = waiting === undefined ? bodyExpiry(settings) : undefined;
  return bodyRow && body && { key, bodySha256, body, expiresAt };
}

/** The whole row of a heartbeat expires, so its body needs no row of its own. */
export const hasBodyRow = ({ mode }: Pick<EventRow, 'mode'>, { eventRetentionDays }: RowSettings): boolean =>
  eventRetentionDays !== undefined && mode !== 'heartbeat';

const rowUnderId = (received: ReceivedBody, { eventId, reading }: ReadEvent, settings: RowSettings) => ({
  ...provenance(received, settings),
  key: eventKey(received.message.mode, eventId),
  eventId,
  reading,
});

function provenance({ message, bodySha256 }: ReceivedBody, { now }: RowSettings) {
  const { mode, body, keyId, signature, receivedAt } = message;
  return {
    ...{ mode, body, bodySha256, signature, keyId, receivedAt },
    recordedAt: now.toISOString(),
    assignedOrderIds: [],
    version: 0,
  };
}
