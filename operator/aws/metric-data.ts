import { basename } from 'node:path/posix';
import { CloudWatchClient, type MetricDataQuery, paginateGetMetricData } from '@aws-sdk/client-cloudwatch';
import type { AlarmName } from '../../lambdas/contract/alarm-guide.ts';
import { heartbeatLookBackMilliseconds, queueAgeLookBackMilliseconds } from '../limits.ts';
import { deploymentNameOf, outputOf, type Stack } from '../stack/stack.ts';
import { describeAlarms } from './alarm-states.ts';
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

/** Minutes until now, in milliseconds since the epoch. */
function latestSpan(lookBackMilliseconds: number): Span {
  const end = Math.ceil(Date.now() / minuteMilliseconds) * minuteMilliseconds;
  return { begin: end - lookBackMilliseconds, end };
}

/** The minute in which a heartbeat last returned; `undefined` if none did within the last hours. */
export async function lastHeartbeat(stack: Stack): Promise<Date | undefined> {
  const missing: AlarmName = 'HeartbeatMissing';
  const [alarm] = await describeAlarms([`${deploymentNameOf(stack)}-${missing}`]);
  if (alarm === undefined) return undefined;
  const span = latestSpan(heartbeatLookBackMilliseconds);
  // The alarm goes by minutes without a return.
  const index = (await readAlarmMinutes(stack, alarm.queries, span)).lastIndexOf(0);
  return index < 0 ? undefined : new Date(span.begin + index * minuteMilliseconds);
}

/** The age of the oldest event in the queue in seconds, some minutes ago: SQS itself does not return it. */
export async function oldestMessageSeconds(stack: Stack): Promise<number | null> {
  const age = {
    ...{ id: 'age', namespace: 'AWS/SQS', name: 'ApproximateAgeOfOldestMessage', statistic: 'Maximum' },
    dimensions: { QueueName: basename(outputOf(stack, 'EventQueueUrl')) },
  };
  const ages = (await readMetricData(stack, [age], latestSpan(queueAgeLookBackMilliseconds))).get('age');
  return ages?.findLast((value) => value !== undefined) ?? null;
}
