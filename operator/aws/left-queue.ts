import { DeleteMessageCommand, type Message, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { outputOf, type Stack } from '../stack/stack.ts';
import { sqsOptions } from './client-options.ts';
import { receiveMessages } from './dead-letter-queue.ts';
import { queueDepth } from './queue-depth.ts';

/**
 * A queue that a deleted stack has left. No queue in use has it as its dead-letter queue, so SQS has no move
 * task for it: each message is sent to the event queue and then deleted here. An end in between leaves it in
 * both, and the consumer counts it once.
 */
export function openLeftQueue(stack: Stack, QueueUrl: string) {
  const client = new SQSClient(sqsOptions(stack));
  const eventQueueUrl = outputOf(stack, 'EventQueueUrl');
  return {
    depth: () => queueDepth(stack, QueueUrl),
    next: (): Promise<readonly Message[]> => receiveMessages(client, QueueUrl),
    async move({ Body: MessageBody, MessageAttributes, ReceiptHandle }: Message): Promise<void> {
      const message = { MessageBody, MessageAttributes };
      await client.send(new SendMessageCommand({ QueueUrl: eventQueueUrl, ...message }));
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    },
  };
}
