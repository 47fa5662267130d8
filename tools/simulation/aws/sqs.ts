import { createHash } from 'node:crypto';
import { AwsError } from '@payhooks/cdk-local/aws-error';
import type { Queue } from './queue.ts';
import type { Operations } from './services.ts';

interface SendMessage {
  readonly QueueUrl: string;
  readonly MessageBody: string;
  readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue: string }>>;
}

interface ChangeVisibilityBatch {
  readonly QueueUrl: string;
  readonly Entries: readonly {
    readonly Id: string;
    readonly ReceiptHandle: string;
    readonly VisibilityTimeout: number;
  }[];
}

const md5 = (data: string | Buffer): string => createHash('md5').update(data).digest('hex');

/** The operations that functions call on the queues, each at its URL. */
export function createSqsOperations(queues: Readonly<Record<string, Queue>>): Operations {
  const queueAt = (url: string): Queue => {
    const queue = queues[url];
    if (queue === undefined) throw new AwsError('QueueDoesNotExist', `There is no queue at ${url}.`);
    return queue;
  };
  return {
    SendMessage(given) {
      const { QueueUrl, MessageBody, MessageAttributes = {} } = given as unknown as SendMessage;
      const attributes = Object.entries(MessageAttributes).map(([name, { StringValue }]) => [
        name,
        StringValue,
      ]);
      const MessageId = queueAt(QueueUrl).send(MessageBody, Object.fromEntries(attributes));
      return { MessageId, MD5OfMessageBody: md5(MessageBody) };
    },
    ChangeMessageVisibilityBatch(given) {
      const { QueueUrl, Entries } = given as unknown as ChangeVisibilityBatch;
      const results = Entries.map(({ Id, ReceiptHandle, VisibilityTimeout }) => ({
        Id,
        isDone: queueAt(QueueUrl).changeVisibility(ReceiptHandle, VisibilityTimeout),
      }));
      const failed = results.filter(({ isDone }) => !isDone);
      return {
        Successful: results.filter(({ isDone }) => isDone).map(({ Id }) => ({ Id })),
        Failed: failed.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })),
      };
    },
  };
}
