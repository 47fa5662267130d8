import { basename } from 'node:path/posix';
import {
  CloudWatchClient,
  type Datapoint,
  GetMetricStatisticsCommand,
  type GetMetricStatisticsCommandInput,
} from '@aws-sdk/client-cloudwatch';
import { metricNames } from '../../lambdas/contract/metrics.ts';
import { heartbeatLookBackMilliseconds, queueAgeLookBackMilliseconds } from '../limits.ts';
import { awsClientOptions } from './client-options.ts';

/** The minute in which a heartbeat last returned; `undefined` if none did within the last hours. */
export async function lastHeartbeat(Namespace: string): Promise<Date | undefined> {
  const latest = await latestDatapoint(heartbeatLookBackMilliseconds, {
    Namespace,
    MetricName: metricNames.heartbeatReturned,
    Dimensions: [{ Name: 'service', Value: 'heartbeat' }],
    Statistics: ['SampleCount'],
  });
  return latest?.Timestamp;
}

/** The age of a queue's oldest message in seconds, some minutes ago: SQS itself does not return it. */
export async function oldestMessageSeconds(queueUrl: string): Promise<number | null> {
  const latest = await latestDatapoint(queueAgeLookBackMilliseconds, {
    Namespace: 'AWS/SQS',
    MetricName: 'ApproximateAgeOfOldestMessage',
    Dimensions: [{ Name: 'QueueName', Value: basename(queueUrl) }],
    Statistics: ['Maximum'],
  });
  return latest?.Maximum ?? null;
}

/** Of the latest minute that has one. */
async function latestDatapoint(
  lookBackMilliseconds: number,
  metric: Omit<GetMetricStatisticsCommandInput, 'StartTime' | 'EndTime' | 'Period'>,
): Promise<Datapoint | undefined> {
  const EndTime = new Date();
  const StartTime = new Date(EndTime.getTime() - lookBackMilliseconds);
  const request = new GetMetricStatisticsCommand({ ...metric, StartTime, EndTime, Period: 60 });
  const { Datapoints = [] } = await new CloudWatchClient(awsClientOptions).send(request);
  const timeOf = ({ Timestamp }: Datapoint) => Timestamp?.getTime() ?? 0;
  return Datapoints.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1);
}
