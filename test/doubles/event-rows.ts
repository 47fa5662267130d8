import { createHash } from 'node:crypto';
import { eventKey, eventRecord } from '../../lambdas/contract/schema.ts';
import type { Reading } from '../../lambdas/domain/payment-event.ts';
import type { EventRow } from '../../lambdas/ports/rows.ts';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const reading: Reading = {
  eventName: 'transaction.paid',
  meaning: 'paid',
  orderId: 'order-1',
  transactionId: 'txn-1',
  amount: '10.00',
  currency: 'EUR',
  createdAt: null,
};

/** The row of an applied payment; `reading` changes fields of what was read. */
export function eventRow(
  eventId: string,
  { reading: read, ...fields }: Partial<Omit<EventRow, 'reading'>> & { reading?: Partial<Reading> } = {},
): EventRow {
  const body = fields.body ?? Uint8Array.from(Buffer.from(`{"id":"${eventId}"}`));
  const mode = fields.mode ?? 'live';
  return {
    key: eventKey(mode, eventId),
    record: eventRecord.event,
    mode,
    eventId,
    reading: { ...reading, ...read },
    outcome: 'applied',
    assignedOrderIds: [],
    body,
    bodySha256: sha256(body),
    signature: 'ab'.repeat(32),
    keyId: 'abcdef012345',
    receivedAt: '2026-11-21T10:00:00.000Z',
    recordedAt: '2026-11-21T10:00:00.250Z',
    version: 0,
    ...fields,
  };
}

/** Another body under the id of an event. */
export function conflictRow(eventId: string, text: string, fields: Partial<EventRow> = {}): EventRow {
  const body = Uint8Array.from(Buffer.from(text));
  const record = eventRecord.conflict(sha256(body));
  return { ...eventRow(eventId, { body }), record, outcome: 'conflict', waiting: 'conflict', ...fields };
}
