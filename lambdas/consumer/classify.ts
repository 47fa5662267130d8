import type { QueueMessage } from '../contract/queue-message.ts';
import { eventFact } from '../domain/fact.ts';
import { type PaymentEvent, parsePaymentEvent, type UnrecognisedReason } from '../domain/payment-event.ts';
import type { QuarantineReason } from '../ports/stores.ts';

/**
 * What a message is, decided only from its signed bytes and the mode of the key that matched.
 */
export type Classification =
  | { readonly kind: 'unrecognised'; readonly reason: UnrecognisedReason }
  | { readonly kind: 'quarantined'; readonly reason: QuarantineReason; readonly event: PaymentEvent }
  | { readonly kind: 'recorded'; readonly event: PaymentEvent }
  | {
      readonly kind: 'applied';
      readonly event: PaymentEvent;
      readonly orderId: string;
      readonly fact: string;
    };

export function classify({ body, mode }: Pick<QueueMessage, 'body' | 'mode'>): Classification {
  const parsed = parsePaymentEvent(body);
  if (!parsed.ok) return { kind: 'unrecognised', reason: parsed.reason };
  const { event } = parsed;
  if (event.sandbox === undefined) return { kind: 'quarantined', reason: 'sandbox_flag_missing', event };
  if (event.sandbox !== (mode !== 'live')) {
    return { kind: 'quarantined', reason: 'sandbox_flag_disagrees', event };
  }
  if (event.order === 'invalid') return { kind: 'quarantined', reason: 'order_id_invalid', event };
  if (event.transaction.idInvalid) return { kind: 'quarantined', reason: 'transaction_id_invalid', event };
  if (event.order === null) return { kind: 'recorded', event };
  return { kind: 'applied', event, orderId: event.order.id, fact: eventFact(event) };
}
