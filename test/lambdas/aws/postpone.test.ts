import { startService } from '@payhooks/payment-service/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPostpone } from '../../../lambdas/aws/postpone.ts';

describe('the call that postpones messages', () => {
  beforeEach(() => {
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  });
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
