import {
  CancelMessageMoveTaskCommand,
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type ListMessageMoveTasksResultEntry,
  type Message,
  paginateListDeadLetterSourceQueues,
  ReceiveMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import type { Redrive } from '../documents.ts';
import { peekEmptyReceivesMax, peekMessagesMax, peekVisibilitySeconds } from '../limits.ts';
import { outputOf, type Stack } from '../stack/stack.ts';
import { sqsOptions } from './client-options.ts';

export type { Message };

/** SQS's own. */
const batchMessagesMax = 10;

export interface MoveTask extends Redrive {
  /** `undefined` once the task is over. */
  readonly handle: string | undefined;
}

/** The dead-letter queue of a stack, with the operator's own credentials. */
export function openDeadLetterQueue(stack: Stack) {
  const client = new SQSClient(sqsOptions(stack));
  const QueueUrl = outputOf(stack, 'DeadLetterQueueUrl');
  const SourceArn = outputOf(stack, 'DeadLetterQueueArn');
  return {
    depth: () => queueDepth(stack, QueueUrl),
    /** How many messages the consumer has not handled yet. */
    eventQueueDepth: () => queueDepth(stack, outputOf(stack, 'EventQueueUrl')),
    /**
     * As many messages as there should be, up to `peekMessagesMax`, each once. They are visible again when
     * this returns, or half a minute later if the process ends in between.
     */
    async peek(depth: number, onProgress: (seen: number) => void): Promise<readonly Message[]> {
      const seen = new Map<string, Message>();
      // SQS knows the depth approximately: one receive finds out whether an empty queue is empty.
      const messagesMax = Math.min(Math.max(depth, 1), peekMessagesMax);
      const emptyMax = depth === 0 ? 1 : peekEmptyReceivesMax;
      const receive = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: batchMessagesMax,
        VisibilityTimeout: peekVisibilitySeconds,
        // A long poll reaches all servers of the queue; without one, SQS samples a few.
        WaitTimeSeconds: 1,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateReceiveCount'],
      });
      try {
        for (let empty = 0; empty < emptyMax && seen.size < messagesMax; ) {
          const { Messages: received = [] } = await client.send(receive);
          for (const message of received) seen.set(message.MessageId ?? '', message);
          empty = received.length === 0 ? empty + 1 : 0;
          onProgress(seen.size);
        }
      } finally {
        await makeVisible(client, QueueUrl, [...seen.values()]);
      }
      return [...seen.values()];
    },
    /** The URLs of the queues whose messages it takes. */
    async sources(): Promise<readonly string[]> {
      const found: string[] = [];
      const pages = paginateListDeadLetterSourceQueues({ client }, { QueueUrl });
      for await (const { queueUrls = [] } of pages) found.push(...queueUrls);
      return found;
    },
    /** The latest task that moves its messages. */
    async latestTask(): Promise<MoveTask | undefined> {
      const { Results: [latest] = [] } = await client.send(
        new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }),
      );
      return latest && taskOf(latest);
    },
    /** Moves all messages to the queue that each came from: without a destination, SQS knows it. */
    async startMove(): Promise<void> {
      await client.send(new StartMessageMoveTaskCommand({ SourceArn }));
    },
    async cancelMove(TaskHandle: string): Promise<void> {
      await client.send(new CancelMessageMoveTaskCommand({ TaskHandle }));
    },
  };
}

async function makeVisible(client: SQSClient, QueueUrl: string, messages: readonly Message[]): Promise<void> {
  for (let start = 0; start < messages.length; start += batchMessagesMax) {
    const Entries = messages
      .slice(start, start + batchMessagesMax)
      .map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle, VisibilityTimeout: 0 }));
    // A message that stays hidden is visible after its timeout.
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries })).catch(() => undefined);
  }
}

const taskOf = (entry: ListMessageMoveTasksResultEntry): MoveTask => ({
  handle: entry.TaskHandle,
  status: entry.Status ?? 'UNKNOWN',
  moved: entry.ApproximateNumberOfMessagesMoved ?? 0,
  to_move: entry.ApproximateNumberOfMessagesToMove ?? 0,
  started_at: new Date(entry.StartedTimestamp ?? 0).toISOString(),
  failure_reason: entry.FailureReason ?? null,
});

const AttributeNames = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** About how many messages a queue holds, those included that are being handled or wait for an attempt. */
export async function queueDepth(stack: Stack, QueueUrl: string): Promise<number> {
  const client = new SQSClient(sqsOptions(stack));
  const request = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] });
  const { Attributes = {} } = await client.send(request);
  return AttributeNames.reduce((depth, name) => depth + Number(Attributes[name] ?? 0), 0);
}
