import { createHash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { decodeBody, messageAttributes, type QueueMessage } from '../contract/queue-message.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { Classification, Classify } from './classify.ts';

/** A signed body, and how it came. */
export interface ReceivedBody {
  readonly message: QueueMessage;
  /** Lowercase hexadecimal. */
  readonly bodySha256: string;
}

/** A record of the batch, read and classified. */
export interface Received extends ReceivedBody {
  readonly messageId: string;
  readonly classification: Classification;
}

const isMode = (mode: string | undefined): mode is AnyMode =>
  mode === 'live' || mode === 'sandbox' || mode === 'heartbeat';

const digest = /^[0-9a-f]{64}$/;

/**
 * Reads one SQS record; `undefined` when the verifier did not write it. Such a message is retried and ends in
 * the DLQ with its bytes, from where it can be redriven to a consumer that understands it.
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
  if (keyId === undefined || receivedAt === undefined || requestId === undefined) return undefined;
  const signature = attribute(messageAttributes.signature);
  if (signature === undefined || !digest.test(signature)) return undefined;
  const message: QueueMessage = { body, mode, keyId, signature, receivedAt, requestId };
  return {
    messageId: record.messageId,
    message,
    bodySha256: createHash('sha256').update(body).digest('hex'),
    classification: classify(message),
  };
}
