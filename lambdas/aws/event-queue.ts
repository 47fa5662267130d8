import { type MessageAttributeValue, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { encodeBody, messageAttributes, type QueueMessage } from '../contract/queue-message.ts';
import { boundCalls, clientOptions } from './client-options.ts';

/** Sends to the event queue; resolves once SQS has confirmed the message. */
export function createEventQueue(queueUrl: string): (message: Required<QueueMessage>) => Promise<void> {
  const client = boundCalls(new SQSClient(clientOptions));
  return async function enqueue(message) {
    await client.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: encodeBody(message.body),
        MessageAttributes: {
          [messageAttributes.mode]: text(message.mode),
          [messageAttributes.keyId]: text(message.keyId),
          [messageAttributes.signature]: text(message.signature),
          [messageAttributes.receivedAt]: text(message.receivedAt),
          [messageAttributes.requestId]: text(message.requestId),
        },
      }),
    );
  };
}

const text = (value: string): MessageAttributeValue => ({ DataType: 'String', StringValue: value });
