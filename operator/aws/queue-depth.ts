import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Stack } from '../stack/stack.ts';
import { sqsOptions } from './client-options.ts';

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
