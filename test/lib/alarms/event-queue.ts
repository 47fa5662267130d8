import { randomUUID } from 'node:crypto';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { QueueMessage } from '../../../lambdas/contract/queue-message.ts';
import type { Postpone } from '../../../lambdas/ports/postpone.ts';
import { sqsRecord } from '../../doubles/sqs-event.ts';
import type { Synthesis } from '../synthesis.ts';
import type { createAwsMetrics } from './aws-metrics.ts';
import type { Invocation } from './invocations.ts';

interface Message {
  readonly record: SQSRecord;
  readonly sentAt: number;
  receives: number;
  visibleAt: number;
}

interface QueueParts {
  readonly now: () => number;
  readonly aws: ReturnType<typeof createAwsMetrics>;
  readonly consume: (event: SQSEvent) => Promise<Invocation<SQSBatchResponse>>;
}

/** From this receive on SQS leaves a message out of the age of its queue. */
const receivesInAgeMax = 3;

/** The event queue, its mapping and its dead-letter queue, with the settings of the template. */
export function createEventQueue(stack: Synthesis, { now, aws, consume }: QueueParts) {
  const { VisibilityTimeout, RedrivePolicy } = stack.at('EventQueue/Queue').Properties;
  const { maxReceiveCount } = RedrivePolicy as { readonly maxReceiveCount: number };
  const visibilityMilliseconds = Number(VisibilityTimeout) * 1_000;
  let messages: Message[] = [];
  let deadLetters = 0;

  const add = (record: SQSRecord): void => {
    messages.push({ record, sentAt: now(), receives: 0, visibleAt: now() });
    aws.messagesSent('EventQueue/Queue', 1);
  };
  const asReceived = ({ record, sentAt, receives }: Message): SQSRecord => ({
    ...record,
    receiptHandle: record.messageId,
    attributes: {
      ...record.attributes,
      SentTimestamp: String(sentAt),
      ApproximateReceiveCount: String(receives),
    },
  });
  return {
    enqueue: async ({ body, mode }: QueueMessage): Promise<void> => add(sqsRecord({ body, mode })),
    /** A message that the verifier did not write. */
    addForeign: () =>
      add({ ...sqsRecord({ body: Buffer.from('{}') }), messageId: randomUUID(), messageAttributes: {} }),
    postpone: (async (postponed) => {
      for (const { receiptHandle, seconds } of postponed) {
        const message = messages.find(({ record }) => record.messageId === receiptHandle);
        if (message !== undefined) message.visibleAt = now() + seconds * 1_000;
      }
    }) satisfies Postpone,
    isEmpty: () => messages.length === 0,
    /** One turn of the mapping: a batch of what is visible. */
    async deliver(): Promise<void> {
      const batch = messages.filter(({ visibleAt }) => visibleAt <= now()).slice(0, 10);
      if (batch.length === 0) return;
      const event = {
        Records: batch.map((message) => asReceived({ ...message, receives: message.receives + 1 })),
      };
      for (const message of batch) message.visibleAt = now() + visibilityMilliseconds;
      const invocation = await consume(event);
      if (invocation.outcome === 'throttled') {
        for (const message of batch) message.visibleAt = now();
        return;
      }
      const failures = invocation.outcome === 'done' ? invocation.result.batchItemFailures : undefined;
      const failed = new Set(failures?.map(({ itemIdentifier }) => itemIdentifier));
      for (const message of batch) {
        message.receives += 1;
        const done = failures !== undefined && !failed.has(message.record.messageId);
        const isDead = !done && message.receives >= maxReceiveCount;
        if (isDead) deadLetters += 1;
        if (done || isDead) messages = messages.filter((one) => one !== message);
      }
    },
    report(): void {
      const ages = messages
        .filter(({ receives }) => receives < receivesInAgeMax)
        .map(({ sentAt }) => (now() - sentAt) / 1_000);
      const visible = messages.filter(({ visibleAt }) => visibleAt <= now()).length;
      aws.queue('EventQueue/Queue', { visible, oldestSeconds: Math.max(0, ...ages) });
      aws.queue('EventQueue/DeadLetters', { visible: deadLetters, oldestSeconds: 0 });
    },
  };
}
