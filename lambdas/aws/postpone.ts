import { ChangeMessageVisibilityBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Postpone } from '../ports/postpone.ts';
import { boundCalls, clientOptions } from './client-options.ts';

/** Implements the port with one call; a batch of the consumer has no more messages than SQS takes in one. */
export function createPostpone(queueUrl: string): Postpone {
  const client = boundCalls(new SQSClient(clientOptions));
  return async function postpone(messages) {
    const { Failed = [] } = await client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: queueUrl,
        Entries: messages.map(({ receiptHandle, seconds }, index) => ({
          Id: String(index),
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: seconds,
        })),
      }),
    );
    const [first] = Failed;
    if (first === undefined) return;
    throw new Error(`SQS postponed ${messages.length - Failed.length} of ${messages.length}: ${first.Code}`);
  };
}
