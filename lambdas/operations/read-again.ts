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
 * Reads the body of a row as the consumer does. What an operator admitted out of quarantine stays admitted:
 * `rows` are those of its event id.
 */
export function readAgain(row: EventRow, body: Uint8Array, rows: readonly EventRow[]): ReadAgain {
  const { mode, keyId, signature, receivedAt, bodySha256 } = row;
  const parsed = parsePaymentEvent(body);
  if (!parsed.ok) return { ok: false, reason: parsed.reason };
  const judged = classify({ body, mode });
  const isAdmitted = rows.some(
    (one) =>
      one.outcome === 'quarantined' && one.bodySha256 === bodySha256 && one.judged?.verdict === 'admitted',
  );
  if (judged.kind === 'quarantined' && !isAdmitted) return { ok: false, reason: judged.reason };
  // An operator's order is not the body's: the row of the event has it among its routes.
  const order = parsed.event.order === 'invalid' ? null : parsed.event.order;
  const event = { ...parsed.event, order };
  const message = { body, mode, keyId, receivedAt, requestId: 'replay', ...(signature && { signature }) };
  const classification: Classification =
    order === null
      ? { kind: 'recorded', event }
      : { kind: 'applied', event, orderId: order.id, fact: eventFact(event) };
  return { ok: true, event, received: { messageId: 'replay', message, bodySha256, classification } };
}
