import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { awsClientOptions } from './client-options.ts';

/** The JSON that names the queues whose messages may move to this one; `undefined` when any queue's may. */
export async function readRedriveAllowPolicy(QueueUrl: string): Promise<string | undefined> {
  const client = new SQSClient(awsClientOptions);
  const AttributeNames = ['RedriveAllowPolicy' as const];
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return Attributes?.['RedriveAllowPolicy'];
}
