import { setTimeout as pause } from 'node:timers/promises';
import type { Message, SQS } from '@aws-sdk/client-sqs';
import type { Invocation } from '../functions/invocation.ts';
import type { MappingModel } from '../template/invocations.ts';
import { backOff } from './backoff.ts';
import { failedItems } from './failed-items.ts';
import { createSqsEvent } from './sqs-event.ts';

/** Batches at a time; more of them would only wait for the function's few environments. */
const pollersMax = 3;
/** A receive waits this long for a message; one that arrives ends the wait. */
const pollSeconds = 1;
/** A mapping that stops ends polls this often while a receive is open: it may be on its way to the queue. */
const endPollsMilliseconds = 20;
/** SQS's limit for a receive. */
const requestMessagesMax = 10;

interface QueueMappingOptions {
  readonly model: Omit<MappingModel, 'enabled'>;
  readonly sqs: SQS;
  readonly queueUrl: string;
  readonly invoke: (event: unknown) => Promise<Invocation>;
  /** Ends the long polls of all queues that wait now. */
  readonly endPolls: () => void;
  /** Receives a sentence about a queue that does not respond. */
  readonly onFault: (sentence: string) => void;
}

interface Poller extends QueueMappingOptions {
  /** What waits for messages now. */
  readonly receives: Set<Promise<unknown>>;
}

export interface Mapping {
  /** Receives nothing more, and resolves when the batches in flight are handled. */
  stop(): Promise<void>;
}

/**
 * Feeds a queue to a function like Lambda: in batches, with partial batch responses. A message that failed
 * comes back when its visibility timeout ends. The queue itself counts receives and moves dead letters.
 */
export function startQueueMapping(options: QueueMappingOptions): Mapping {
  const stopping = new AbortController();
  const pollers = Math.min(options.model.concurrencyMax ?? pollersMax, pollersMax);
  const receives = new Set<Promise<unknown>>();
  const running = Array.from({ length: pollers }, () => poll({ ...options, receives }, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      while (receives.size > 0) {
        options.endPolls();
        await Promise.race([pause(endPollsMilliseconds), Promise.allSettled(receives)]);
      }
      await Promise.all(running);
    },
  };
}

async function poll(options: Poller, stopping: AbortSignal): Promise<void> {
  let failures = 0;
  while (!stopping.aborted) {
    try {
      const batch = await receive(options);
      if (batch.length > 0) await handleBatch(options, batch);
      failures = 0;
    } catch (error) {
      failures += 1;
      options.onFault(`${options.model.name} cannot use its queue: ${String(error)}`);
      await backOff(failures, stopping);
    }
  }
}

/** The messages of one receive are a batch. */
async function receive({ model, sqs, queueUrl, receives }: Poller): Promise<Message[]> {
  const receiving = sqs.receiveMessage({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: Math.min(model.batchRecordsMax, requestMessagesMax),
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['All'],
    WaitTimeSeconds: pollSeconds,
  });
  receives.add(receiving);
  const { Messages = [] } = await receiving.finally(() => receives.delete(receiving));
  return Messages;
}

async function handleBatch(options: QueueMappingOptions, batch: readonly Message[]): Promise<void> {
  const { model, sqs, queueUrl } = options;
  const invocation = await options.invoke(createSqsEvent(batch, model.queueArn));
  const failed = failedItems(invocation, {
    ids: batch.map((message) => message.MessageId ?? ''),
    reportsItemFailures: model.reportsItemFailures,
  });
  const done = batch.filter((message) => !failed.has(message.MessageId ?? ''));
  if (done.length === 0) return;
  const Entries = done.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  await sqs.deleteMessageBatch({ QueueUrl: queueUrl, Entries });
}
