import { createHash } from 'node:crypto';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { toEventItem } from '../../lambdas/aws/event-item.ts';
import { eventKey, eventRecord } from '../../lambdas/contract/schema.ts';
import { parsePaymentEvent } from '../../lambdas/domain/payment-event.ts';
import { type Item, itemBytes, writeUnits } from './capacity.ts';

export interface RowSize {
  readonly bodyBytes: number;
  readonly rowBytes: number;
  readonly writeUnits: number;
}

/**
 * The event row of a paid event whose metadata holds `extraBytes` of hexadecimal noise. Deflate makes half of that,
 * which is more than it leaves of names and addresses, and less than of a picture.
 */
export function eventRowSize(extraBytes: number): RowSize {
  const event = paidEvent({ orderId: 'order-1001', seed: 'row size' });
  const metadata = { ...event.payload.metadata, ...(extraBytes > 0 && { note: noise(extraBytes) }) };
  const body = bytesOf({ ...event, payload: { ...event.payload, metadata } });
  const parsed = parsePaymentEvent(body);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { id, eventName, transaction } = parsed.event;
  const item = toEventItem({
    key: eventKey('live', id),
    record: eventRecord.event,
    mode: 'live',
    outcome: 'applied',
    eventId: id,
    eventName,
    orderId: 'order-1001',
    ...(transaction.id === null ? {} : { transactionId: transaction.id }),
    body,
    bodySha256: createHash('sha256').update(body).digest('hex'),
    keyId: '0123456789ab',
    receivedAt: '2026-11-21T10:00:00.000Z',
    recordedAt: '2026-11-21T10:00:00.000Z',
  }) as Item;
  const rowBytes = itemBytes(item);
  return { bodyBytes: body.length, rowBytes, writeUnits: writeUnits(0, rowBytes) };
}

function noise(bytes: number): string {
  const parts = Array.from({ length: Math.ceil(bytes / 64) }, (_, n) =>
    createHash('sha256').update(`noise ${n}`).digest('hex'),
  );
  return parts.join('').slice(0, bytes);
}
