import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Invocation } from '../functions/invocation.ts';
import type { MappingModel } from '../template/model.ts';
import { createSqsEvent } from './event.ts';
import { failedItems } from './verdict.ts';

/** Batches in flight at one time; more of them would only wait for the function's few environments. */
const pollersMax = 3;
/** A receive waits this long for a message; one that arrives ends the wait at once. */
const pollSeconds = 1;
/** What one receive and one delete take. */
const requestMessagesMax = 10;
/** After a failed receive; it doubles up to the longest. */
const pauseMilliseconds = { first: 100, longest: 5_000 };

export interface MappingOptions {
  readonly model: MappingModel;
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  readonly invoke: (event: unknown) => Promise<Invocation>;
  /** Takes a sentence about a queue that does not answer. */
  readonly onFault: (sentence: string) => void;
}

export interface EventSourceMapping {
  /** Receives nothing more, and resolves when the batches in flight are handled. */
  stop(): Promise<void>;
}

/**
 * Feeds a queue to a function, as Lambda does: batches, partial batch responses, and a message that failed
 * comes back when its visibility timeout ends. Receive counts and dead letters are the queue's own work.
 */
export function startEventSourceMapping(options: MappingOptions): EventSourceMapping {
  const stopping = new AbortController();
  const pollers = Math.min(options.model.concurrencyMax ?? pollersMax, pollersMax);
  const running = Array.from({ length: pollers }, () => poll(options, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function poll(options: MappingOptions, stopping: AbortSignal): Promise<void> {
  let wait = pauseMilliseconds.first;
  while (!stopping.aborted) {
    try {
      const batch = await receiveBatch(options, stopping);
      if (batch.length > 0) await handleBatch(options, batch);
      wait = pauseMilliseconds.first;
    } catch (error) {
      options.onFault(`${options.model.name} cannot use its queue: ${String(error)}`);
      await pause(wait, undefined, { signal: stopping }).catch(() => {});
      wait = Math.min(wait * 2, pauseMilliseconds.longest);
    }
  }
}

/**
 * Without a window: what one receive gives. With a window: as much as arrives in it, up to the batch size.
 */
async function receiveBatch(options: MappingOptions, stopping: AbortSignal): Promise<Message[]> {
  const { batchRecordsMax, windowSeconds } = options.model;
  const batch = await receive(options, Math.min(batchRecordsMax, requestMessagesMax));
  const end = performance.now() + windowSeconds * 1000;
  while (batch.length > 0 && batch.length < batchRecordsMax && performance.now() < end && !stopping.aborted) {
    const more = await receive(options, Math.min(batchRecordsMax - batch.length, requestMessagesMax));
    batch.push(...more);
  }
  return batch;
}

async function receive({ sqs, queueUrl }: MappingOptions, messagesMax: number): Promise<Message[]> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: messagesMax,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
      WaitTimeSeconds: pollSeconds,
    }),
  );
  return Messages;
}

async function handleBatch(options: MappingOptions, batch: readonly Message[]): Promise<void> {
  const { model, sqs, queueUrl } = options;
  const invocation = await options.invoke(createSqsEvent(batch, model.queueArn));
  const failed = failedItems(invocation, {
    ids: batch.map((message) => message.MessageId ?? ''),
    reportsItemFailures: model.reportsItemFailures,
  });
  const done = batch.filter((message) => !failed.has(message.MessageId ?? ''));
  for (let start = 0; start < done.length; start += requestMessagesMax) {
    const Entries = done
      .slice(start, start + requestMessagesMax)
      .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
  }
}
