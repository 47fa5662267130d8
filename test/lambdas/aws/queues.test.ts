import { startService } from '@payhooks/payment-service/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventQueue, createPostpone } from '../../../lambdas/aws/queues.ts';

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
const message = {
  body: Buffer.from('{"id":"evt-1"}'),
  mode: 'live',
  keyId: '9a76d0a46113',
  signature: '5b9fd5ba44d57ec4a4e7a2ee2e4a2ee1cf2d4d4cf3a0dc5a4e5d16d2d4be4d0f',
  receivedAt: '2026-11-21T10:00:00.000Z',
  requestId: 'request-1',
} as const;

describe('the event queue', () => {
  it('sends the bytes as base64, and what only the verifier knows about them as attributes', async () => {
    // printf eyJpZCI6ImV2dC0xIn0= | md5sum
    const json = { MessageId: '1', MD5OfMessageBody: '4d481ce00f489b7fde7bb9e802eb3c38' };
    const { baseUrl, received } = await startService({ json });
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', baseUrl);
    await createEventQueue(`${baseUrl}/000000000000/events`)(message);
    const text = (StringValue: string) => ({ DataType: 'String', StringValue });
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      QueueUrl: `${baseUrl}/000000000000/events`,
      MessageBody: 'eyJpZCI6ImV2dC0xIn0=',
      MessageAttributes: {
        mode: text('live'),
        key_id: text('9a76d0a46113'),
        signature: text('5b9fd5ba44d57ec4a4e7a2ee2e4a2ee1cf2d4d4cf3a0dc5a4e5d16d2d4be4d0f'),
        received_at: text('2026-11-21T10:00:00.000Z'),
        request_id: text('request-1'),
      },
    });
  });
});

describe('the call that postpones messages', () => {
  const messages = [
    { receiptHandle: 'a', seconds: 5 },
    { receiptHandle: 'b', seconds: 180 },
  ];

  it('sets the visibility timeout of each message', async () => {
    const { baseUrl, received } = await startService({ json: { Successful: [{ Id: '0' }, { Id: '1' }] } });
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', baseUrl);
    await createPostpone(`${baseUrl}/000000000000/events`)(messages);
    expect(received.map(({ headers }) => headers['x-amz-target'])).toEqual([
      'AmazonSQS.ChangeMessageVisibilityBatch',
    ]);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      QueueUrl: `${baseUrl}/000000000000/events`,
      Entries: [
        { Id: '0', ReceiptHandle: 'a', VisibilityTimeout: 5 },
        { Id: '1', ReceiptHandle: 'b', VisibilityTimeout: 180 },
      ],
    });
  });

  it('throws when SQS refuses one of them', async () => {
    const Failed = [{ Id: '1', Code: 'ReceiptHandleIsInvalid', SenderFault: true }];
    const { baseUrl } = await startService({ json: { Successful: [{ Id: '0' }], Failed } });
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', baseUrl);
    const postponed = createPostpone(`${baseUrl}/000000000000/events`)(messages);
    await expect(postponed).rejects.toThrow('SQS postponed 1 of 2: ReceiptHandleIsInvalid');
  });
});
