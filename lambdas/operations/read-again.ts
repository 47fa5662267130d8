import { type Classification, classify } from '../consumer/classify.ts';
import type { Received } from '../consumer/receive.ts';
import { eventFact } from '../domain/fact.ts';
import { type PaymentEvent, parsePaymentEvent } from '../domain/payment-event.ts';
import type { EventRow } from '../ports/stores.ts';

/** A stored body, read by this version. */
export type ReadAgain =
  | { readonly ok: true; readonly received: Received; readonly event: PaymentEvent }
  /** This version would keep the body out of its order. */
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the body of a row as the consumer does. What an operator admitted keeps the order and the mode that
 * it was admitted under: `rows` are those of its event id.
 */
export function readAgain(row: EventRow, body: Uint8Array, rows: readonly EventRow[]): ReadAgain {
  const { mode, keyId, signature, receivedAt, bodySha256 } = row;
  const parsed = parsePaymentEvent(body);
  if (!parsed.ok) return { ok: false, reason: parsed.reason };
  const judged = classify({ body, mode });
  const admission = rows.find(
    (one) => one.outcome === 'quarantined' && one.bodySha256 === bodySha256 && one.judged !== undefined,
  )?.judged;
  if (judged.kind === 'quarantined' && admission?.verdict !== 'admitted') {
    return { ok: false, reason: judged.reason };
  }
  const event =
    admission?.verdict === 'admitted' ? underOrder(parsed.event, admission.orderId) : parsed.event;
  const message = { body, mode, keyId, receivedAt, requestId: 'replay', ...(signature && { signature }) };
  const classification = asEvent(event);
  return { ok: true, event, received: { messageId: 'replay', message, bodySha256, classification } };
}

function underOrder(event: PaymentEvent, orderId: string | undefined): PaymentEvent {
  if (orderId !== undefined) return { ...event, order: { id: orderId } };
  return event.order === 'invalid' ? { ...event, order: null } : event;
}

function asEvent(event: PaymentEvent): Classification {
  const { order } = event;
  if (order === null || order === 'invalid') return { kind: 'recorded', event };
  return { kind: 'applied', event, orderId: order.id, fact: eventFact(event) };
}
