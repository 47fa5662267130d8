import { expect, it } from 'vitest';
import { createEventQueue, createPostpone } from '../../../lambdas/aws/queues.ts';
import { startAws } from '../../doubles/started-function.ts';

it('the event queue takes the bytes as base64, and what only the verifier knows as attributes', async () => {
  // printf eyJpZCI6ImV2dC0xIn0= | md5sum
  const json = { MessageId: '1', MD5OfMessageBody: '4d481ce00f489b7fde7bb9e802eb3c38' };
  const { endpoint, inputs } = await startAws({ json });
  const QueueUrl = `${endpoint}/000000000000/events`;
  const [keyId, signature, receivedAt] = ['9a76d0a46113', '5b9fd5ba', '2026-11-21T10:00:00.000Z'];
  const message = { body: Buffer.from('{"id":"evt-1"}'), mode: 'live', keyId, signature } as const;
  await createEventQueue(QueueUrl)({ ...message, receivedAt, requestId: 'request-1', seal: 'ab' });
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  const MessageAttributes = {
    ...{ mode: text('live'), key_id: text(keyId), signature: text(signature) },
    ...{ received_at: text(receivedAt), request_id: text('request-1'), seal: text('ab') },
  };
  expect(inputs()).toEqual([{ QueueUrl, MessageBody: 'eyJpZCI6ImV2dC0xIn0=', MessageAttributes }]);
});

const messages = [
  { receiptHandle: 'a', seconds: 5 },
  { receiptHandle: 'b', seconds: 180 },
];

it('the call that postpones messages sets the visibility timeout of each', async () => {
  const { endpoint, inputs } = await startAws({ json: { Successful: [{ Id: '0' }, { Id: '1' }] } });
  const QueueUrl = `${endpoint}/000000000000/events`;
  await createPostpone(QueueUrl)(messages);
  const Entries = [
    { Id: '0', ReceiptHandle: 'a', VisibilityTimeout: 5 },
    { Id: '1', ReceiptHandle: 'b', VisibilityTimeout: 180 },
  ];
  expect(inputs()).toEqual([{ QueueUrl, Entries }]);
});

it('the call that postpones messages throws when SQS refuses one of them', async () => {
  const Failed = [{ Id: '1', Code: 'ReceiptHandleIsInvalid', SenderFault: true }];
  const { endpoint } = await startAws({ json: { Successful: [{ Id: '0' }], Failed } });
  const postponed = createPostpone(`${endpoint}/000000000000/events`)(messages);
  await expect(postponed).rejects.toThrow('SQS postponed 1 of 2: ReceiptHandleIsInvalid');
});
