import { hash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { isStamp } from '../contract/instant.ts';
import { decodeBody, messageAttributes, type QueueMessage } from '../contract/queue-message.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import {
  type ParsedEvent,
  type PaymentEvent,
  parsePaymentEvent,
  type Reading,
  readingOf,
  type UnrecognisedReason,
} from '../domain/payment-event.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { QuarantineReason } from '../ports/rows.ts';

/** A signed body, and how it came. */
export interface ReceivedBody {
  readonly message: QueueMessage;
  /** Lowercase hexadecimal. */
  readonly bodySha256: string;
}

/** A record of the batch, read and classified. */
export interface Received extends ReceivedBody {
  readonly messageId: string;
  /** As the message has it; empty for none. */
  readonly seal: string;
  readonly classification: Classification;
}

const isMode = (mode: string | undefined): mode is AnyMode =>
  mode === 'live' || mode === 'sandbox' || mode === 'heartbeat';

const digest = /^[0-9a-f]{64}$/;

/**
 * Reads one SQS record; `undefined` when no verifier can have written it. Such a message is retried and ends
 * in the DLQ with its bytes, from where it can be redriven to a consumer that understands it.
 */
export function receive(
  record: Pick<SQSRecord, 'messageId' | 'body' | 'messageAttributes'>,
  classify: Classify,
): Received | undefined {
  const attribute = (name: string): string | undefined => record.messageAttributes[name]?.stringValue;
  const body = decodeBody(record.body);
  const mode = attribute(messageAttributes.mode);
  const keyId = attribute(messageAttributes.keyId);
  const receivedAt = attribute(messageAttributes.receivedAt);
  const requestId = attribute(messageAttributes.requestId);
  if (body === undefined || !isMode(mode)) return undefined;
  if (keyId === undefined || requestId === undefined) return undefined;
  // A key of an index: DynamoDB would refuse the row of another text.
  if (receivedAt === undefined || !isStamp(receivedAt)) return undefined;
  const signature = attribute(messageAttributes.signature);
  if (signature === undefined || !digest.test(signature)) return undefined;
  const message: QueueMessage = { body, mode, keyId, signature, receivedAt, requestId };
  return {
    messageId: record.messageId,
    seal: attribute(messageAttributes.seal) ?? '',
    message,
    bodySha256: hash('sha256', body),
    classification: classify(message),
  };
}

/** What a sealed message is, decided only from its signed bytes and the mode of the key that matched. */
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
