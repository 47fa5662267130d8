import { ChangeMessageVisibilityBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { encodeBody, messageAttributes, type SealedMessage } from '../contract/queue-message.ts';
import type { Postpone } from '../ports/postpone.ts';
import { boundCalls, clientOptions } from './client-options.ts';

/** Sends to the event queue; resolves once SQS has confirmed the message. */
export function createEventQueue(QueueUrl: string): (message: SealedMessage) => Promise<void> {
  const client = boundCalls(new SQSClient(clientOptions));
  return async function enqueue({ body, ...facts }) {
    const attributes = (Object.keys(messageAttributes) as (keyof typeof facts)[]).map((field) => [
      messageAttributes[field],
      { DataType: 'String', StringValue: facts[field] },
    ]);
    const MessageAttributes = Object.fromEntries(attributes);
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: encodeBody(body), MessageAttributes }));
  };
}

/** Implements the port with one call; a batch of the consumer has no more messages than SQS takes in one. */
export function createPostpone(QueueUrl: string): Postpone {
  const client = boundCalls(new SQSClient(clientOptions));
  return async function postpone(messages) {
    const Entries = messages.map(({ receiptHandle: ReceiptHandle, seconds: VisibilityTimeout }, index) => {
      return { Id: String(index), ReceiptHandle, VisibilityTimeout };
    });
    const { Failed = [] } = await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
    const [first] = Failed;
    if (first === undefined) return;
    throw new Error(`SQS postponed ${messages.length - Failed.length} of ${messages.length}: ${first.Code}`);
  };
}
