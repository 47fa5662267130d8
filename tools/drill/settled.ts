import { setTimeout as pause } from 'node:timers/promises';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** What nothing holds up passes through local mode within this time: a second for its batch, and its work. */
const settleMilliseconds = 3_000;
const pollMilliseconds = 20;

/**
 * Waits until work that is on its way is done, because time must not jump meanwhile: a message of a
 * millisecond would become one of minutes. During a fault it is not done, and time passes all the same.
 */
export async function settle(isDone: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + settleMilliseconds;
  while (!(await isDone()) && performance.now() < end) await pause(pollMilliseconds);
}

/** How many messages are in a queue, also those that are received or wait for their next attempt. */
export async function messagesIn(sqs: SQSClient, QueueUrl: string): Promise<number> {
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
  );
  return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name]), 0);
}

/** When a heartbeat last returned. */
export async function lastHeartbeat(baseUrl: string): Promise<string | null> {
  const response = await fetch(`${baseUrl}/heartbeat`);
  return ((await response.json()) as { returned_at: string | null }).returned_at;
}
