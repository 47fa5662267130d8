import { failedItems } from '@payhooks/cdk-local/failed-items';
import type { Clock } from '../clock.ts';
import { asInvocation, type Functions } from '../lambda/functions.ts';
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
    const invocation = await functions.invoke('consumer', { Records: batch.map(recordOf) });
    const ids = batch.map(({ id }) => id);
    const failed = failedItems(asInvocation(invocation), { ids, reportsItemFailures: true });
    for (const { id, receiptHandle } of batch) if (!failed.has(id)) queue.delete(receiptHandle);
    running -= 1;
    pollSoon();
  }

  const pollSoon = (): void => void clock.after(random.integer(1, 60), () => void poll());
  queue.onVisible(pollSoon);
}

const attribute = (stringValue: string) => ({
  ...{ dataType: 'String', stringValue, stringListValues: [], binaryListValues: [] },
});

function recordOf(message: ReceivedMessage): object {
  const attributes = Object.entries(message.attributes);
  return {
    messageId: message.id,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receives),
      SentTimestamp: String(message.sentAt),
      SenderId: 'verifier',
      ApproximateFirstReceiveTimestamp: String(message.sentAt),
    },
    messageAttributes: Object.fromEntries(attributes.map(([name, value]) => [name, attribute(value)])),
    ...{ md5OfBody: '', eventSource: 'aws:sqs', awsRegion: 'us-east-1' },
    eventSourceARN: 'arn:aws:sqs:us-east-1:111111111111:events',
  };
}
