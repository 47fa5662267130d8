import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { encodeBody } from '../../lambdas/contract/queue-message.ts';
import { seal } from '../../lambdas/contract/seal.ts';
import type { AnyMode } from '../../lambdas/domain/signature.ts';
import { testSealKey } from './seal.ts';

export interface SentBody {
  readonly body: Uint8Array;
  readonly mode?: AnyMode;
  readonly messageId?: string;
  readonly signature?: string;
  readonly keyId?: string;
  readonly receivedAt?: string;
  /** By default that of the verifier; an empty text for none. */
  readonly seal?: string;
}

export const sampleSignature = '5e'.repeat(32);

/** A record that Lambda makes of a message of the verifier. */
export function sqsRecord({
  body,
  mode = 'live',
  messageId = crypto.randomUUID(),
  signature = sampleSignature,
  keyId = '9a76d0a46113',
  receivedAt = '2026-11-21T10:00:00.000Z',
  seal: given,
}: SentBody): SQSRecord {
  const message = { body, mode, keyId, signature, receivedAt, requestId: 'request-1' };
  const proof = given ?? seal(testSealKey, message);
  const attribute = (stringValue: string) => ({ stringValue, dataType: 'String' as const });
  return {
    messageId,
    receiptHandle: 'handle',
    body: encodeBody(body),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1795255200000',
      SenderId: 'verifier',
      ApproximateFirstReceiveTimestamp: '1795255200001',
    },
    messageAttributes: {
      mode: attribute(mode),
      key_id: attribute(keyId),
      received_at: attribute(receivedAt),
      request_id: attribute('request-1'),
      signature: attribute(signature),
      ...(proof !== '' && { seal: attribute(proof) }),
    },
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:events',
    awsRegion: 'us-east-1',
  };
}

export const sqsEvent = (...sent: SentBody[]): SQSEvent => ({ Records: sent.map(sqsRecord) });

/** What a person sends to SQS in the place of the verifier: like a message of it, without its seal. */
export function unsealedMessage(body: Uint8Array, receivedAt = new Date()) {
  const attribute = (StringValue: string) => ({ DataType: 'String', StringValue });
  return {
    MessageBody: encodeBody(body),
    MessageAttributes: {
      mode: attribute('live'),
      key_id: attribute('9a76d0a46113'),
      signature: attribute(sampleSignature),
      received_at: attribute(receivedAt.toISOString()),
      request_id: attribute('request-1'),
    },
  };
}
