import { basename } from 'node:path/posix';
import { CloudWatchClient, GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';
import { queueAgeLookBackMilliseconds } from '../limits.ts';
import { awsClientOptions } from './client-options.ts';

/** The age of a queue's oldest message in seconds, some minutes ago: SQS itself does not return it. */
export async function oldestMessageSeconds(queueUrl: string): Promise<number | null> {
  const EndTime = new Date();
  const { Datapoints = [] } = await new CloudWatchClient(awsClientOptions).send(
    new GetMetricStatisticsCommand({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateAgeOfOldestMessage',
      Dimensions: [{ Name: 'QueueName', Value: basename(queueUrl) }],
      StartTime: new Date(EndTime.getTime() - queueAgeLookBackMilliseconds),
      EndTime,
      Period: 60,
      Statistics: ['Maximum'],
    }),
  );
  const timeOf = ({ Timestamp }: { readonly Timestamp?: Date | undefined }) => Timestamp?.getTime() ?? 0;
  return Datapoints.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1)?.Maximum ?? null;
}
