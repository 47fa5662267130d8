import { failedItems } from '@payhooks/cdk-local/failed-items';
import { createSqsEvent } from '@payhooks/cdk-local/sqs-event';
import type { Clock } from '../clock.ts';
import type { Functions } from '../lambda/functions.ts';
import type { Random } from '../random.ts';
import type { Queue, ReceivedMessage } from './queue.ts';

export interface QueueMappingParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly queue: Queue;
  readonly functions: Pick<Functions, 'invoke'>;
  readonly batchRecordsMax: number;
  readonly concurrencyMax: number;
}

/**
 * Lambda's event source mapping of the queue: batches with partial responses. What failed, also with the
 * whole invocation, comes back when its visibility timeout ends.
 */
export function startQueueMapping(parts: QueueMappingParts): void {
  const { clock, random, queue, functions } = parts;
  let running = 0;

  async function poll(): Promise<void> {
    if (running >= parts.concurrencyMax) return;
    const batch = queue.receive(random.integer(1, parts.batchRecordsMax));
    if (batch.length === 0) {
      // What it found may have moved to the dead letters, and others still be there.
      if (queue.visibleCount() > 0) pollSoon();
      return;
    }
    running += 1;
    pollSoon();
    const invocation = await functions.invoke('consumer', createSqsEvent(batch.map(messageOf), queueArn));
    const ids = batch.map(({ id }) => id);
    const failed = failedItems(invocation, { ids, reportsItemFailures: true });
    for (const { id, receiptHandle } of batch) if (!failed.has(id)) queue.delete(receiptHandle);
    running -= 1;
    pollSoon();
  }

  const pollSoon = (): void => void clock.after(random.integer(1, 60), () => void poll());
  queue.onVisible(pollSoon);
}

const queueArn = 'arn:aws:sqs:us-east-1:111111111111:events';

const messageOf = ({ id, receiptHandle, body, attributes, receives, sentAt }: ReceivedMessage) => ({
  ...{ MessageId: id, ReceiptHandle: receiptHandle, Body: body },
  Attributes: { ApproximateReceiveCount: String(receives), SentTimestamp: String(sentAt) },
  MessageAttributes: Object.fromEntries(
    Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
  ),
});
