import { basename } from 'node:path/posix';
import {
  CloudWatchClient,
  type Datapoint,
  GetMetricStatisticsCommand,
  type GetMetricStatisticsCommandInput,
  type MetricDataQuery,
  paginateGetMetricData,
} from '@aws-sdk/client-cloudwatch';
import { metricNames } from '../../lambdas/contract/metrics.ts';
import { heartbeatLookBackMilliseconds, queueAgeLookBackMilliseconds } from '../limits.ts';
import type { Stack } from '../stack/stack.ts';
import { awsClientOptions } from './client-options.ts';

interface MetricQuery {
  /** Letters, digits and underscores; a lower-case letter first. */
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
}

/** Whole minutes, in milliseconds since the epoch. */
interface Span {
  readonly begin: number;
  readonly end: number;
}

type Values = readonly (number | undefined)[];

/** The value of each minute of the span by the ids of the queries; `undefined` where there is none. */
export const readMetricData = (stack: Stack, queries: readonly MetricQuery[], span: Span) =>
  readMinutes(stack, queries.map(dataQuery), span);

/** The value of each minute of what an alarm goes by; `undefined` where there is none. */
export async function readAlarmMinutes(
  stack: Stack,
  queries: readonly MetricDataQuery[],
  span: Span,
): Promise<Values> {
  const ofMinutes = queries.map(({ MetricStat, ...query }) =>
    MetricStat === undefined ? query : { ...query, MetricStat: { ...MetricStat, Period: 60 } },
  );
  // Of an expression and its metrics, only one returns data.
  const { Id = '' } = queries.find(({ ReturnData = true }) => ReturnData) ?? {};
  return (await readMinutes(stack, ofMinutes, span)).get(Id) ?? [];
}

async function readMinutes(
  { region }: Stack,
  queries: readonly MetricDataQuery[],
  { begin, end }: Span,
): Promise<ReadonlyMap<string, Values>> {
  const client = new CloudWatchClient({ ...awsClientOptions, region });
  const minutes = (end - begin) / minuteMilliseconds;
  const values = new Map(
    queries.map(({ Id = '' }) => [Id, Array.from({ length: minutes }, (): number | undefined => undefined)]),
  );
  const request = {
    MetricDataQueries: [...queries],
    ...{ StartTime: new Date(begin), EndTime: new Date(end) },
  };
  for await (const { MetricDataResults = [] } of paginateGetMetricData({ client }, request)) {
    for (const { Id = '', Timestamps = [], Values = [] } of MetricDataResults) {
      for (const [index, at] of Timestamps.entries()) {
        const minute = Math.floor((at.getTime() - begin) / minuteMilliseconds);
        if (minute >= 0 && minute < minutes) values.get(Id)?.splice(minute, 1, Values[index]);
      }
    }
  }
  return values;
}

const minuteMilliseconds = 60_000;

const dataQuery = ({ id, namespace, name, dimensions, statistic }: MetricQuery): MetricDataQuery => ({
  Id: id,
  MetricStat: {
    Metric: {
      Namespace: namespace,
      MetricName: name,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
    },
    Period: 60,
    Stat: statistic,
  },
});

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
