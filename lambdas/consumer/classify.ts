import type { QueueMessage } from '../contract/queue-message.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import {
  type ParsedEvent,
  type PaymentEvent,
  parsePaymentEvent,
  type Reading,
  readingOf,
  type UnrecognisedReason,
} from '../domain/payment-event.ts';
import type { QuarantineReason } from '../ports/rows.ts';

/** What a message is, decided only from its signed bytes and the mode of the key that matched. */
export type Classification =
  | { readonly kind: 'unrecognised'; readonly reason: UnrecognisedReason }
  | ({ readonly kind: 'quarantined'; readonly reason: QuarantineReason } & ReadEvent)
  | ({ readonly kind: 'event' } & ReadEvent);

export interface ReadEvent {
  readonly eventId: string;
  readonly reading: Reading;
}

export type Classify = (message: Pick<QueueMessage, 'body' | 'mode'>) => Classification;

/** How this version reads bodies; `parse` is another one only where a test plays another version. */
export const createClassify =
  (meaningOf: MeaningOf, parse: (body: Uint8Array) => ParsedEvent = parsePaymentEvent): Classify =>
  ({ body, mode }) => {
    const parsed = parse(body);
    if (!parsed.ok) return { kind: 'unrecognised', reason: parsed.reason };
    const { event } = parsed;
    const read = { eventId: event.id, reading: readingOf(event, meaningOf) };
    const reason = quarantineReason(event, mode);
    return reason === undefined ? { kind: 'event', ...read } : { kind: 'quarantined', reason, ...read };
  };

function quarantineReason(event: PaymentEvent, mode: QueueMessage['mode']): QuarantineReason | undefined {
  if (event.sandbox === undefined) return 'sandbox_flag_missing';
  if (event.sandbox !== (mode !== 'live')) return 'sandbox_flag_disagrees';
  return event.invalidId && `${event.invalidId}_invalid`;
}
