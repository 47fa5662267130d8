import { describe, expect, it } from 'vitest';
import { receive } from '../lambdas/consumer/receive.ts';
import { eventBody } from './doubles/event-body.ts';
import { sampleSignature, sqsRecord } from './doubles/sqs-event.ts';

const record = sqsRecord({ body: eventBody({ id: 'e', order: 'A' }), messageId: 'm' });
const attribute = (stringValue: string) => ({ stringValue, dataType: 'String' as const });
const withAttribute = (name: string, value: string) =>
  receive({ ...record, messageAttributes: { ...record.messageAttributes, [name]: attribute(value) } });

describe('a message of the queue', () => {
  it.each(['mode', 'key_id', 'received_at', 'request_id'])('without the attribute %s is not read', (name) => {
    const { [name]: _, ...messageAttributes } = record.messageAttributes;
    expect(receive({ ...record, messageAttributes })).toBeUndefined();
  });

  it.each([
    ['mode', 'staging'],
    ['signature', `${sampleSignature}0`],
    ['signature', `0${sampleSignature}`],
    ['signature', sampleSignature.toUpperCase()],
    ['signature', ''],
  ])('with the attribute %s of %j is not read', (name, value) => {
    expect(withAttribute(name, value)).toBeUndefined();
  });

  it.each(['live', 'sandbox', 'heartbeat'])(
    'of the mode %s is read, with all that the verifier wrote',
    (mode) => {
      expect(withAttribute('mode', mode)).toMatchObject({
        messageId: 'm',
        message: {
          ...{ mode, keyId: '9a76d0a46113', signature: sampleSignature },
          ...{ receivedAt: '2026-11-21T10:00:00.000Z', requestId: 'request-1' },
        },
      });
    },
  );
});
