import { CloudWatchClient, GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';
import { metricNames } from '../../lambdas/contract/metrics.ts';
import { heartbeatLookBackMilliseconds } from '../limits.ts';
import { awsClientOptions } from './client-options.ts';

/** The minute in which a heartbeat last returned; `undefined` if none did within the last hours. */
export async function lastHeartbeat(Namespace: string): Promise<Date | undefined> {
  const EndTime = new Date();
  const { Datapoints = [] } = await new CloudWatchClient(awsClientOptions).send(
    new GetMetricStatisticsCommand({
      Namespace,
      MetricName: metricNames.heartbeatReturned,
      Dimensions: [{ Name: 'service', Value: 'heartbeat' }],
      StartTime: new Date(EndTime.getTime() - heartbeatLookBackMilliseconds),
      EndTime,
      Period: 60,
      Statistics: ['SampleCount'],
    }),
  );
  const times = Datapoints.flatMap(({ Timestamp }) => (Timestamp === undefined ? [] : [Timestamp.getTime()]));
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}
