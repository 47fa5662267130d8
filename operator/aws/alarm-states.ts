import {
  CloudWatchClient,
  type MetricAlarm,
  type MetricDataQuery,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { describeAlarmsNamesMax } from '../limits.ts';
import type { AlarmRule } from '../sentences/alarm-occurrences.ts';
import { awsClientOptions } from './client-options.ts';

export interface AlarmState {
  readonly name: string;
  /** `OK`, `ALARM` or `INSUFFICIENT_DATA`. */
  readonly state: string;
  readonly actionsEnabled: boolean;
  /** ARNs of what is notified when it fires. */
  readonly actions: readonly string[];
  readonly description: string;
  /** When it entered its state; `undefined` if CloudWatch does not show. */
  readonly since: Date | undefined;
  readonly rule: AlarmRule;
  readonly periods: number;
  /** The metric of its rule. */
  readonly queries: readonly MetricDataQuery[];
}

/** The alarms of these names; CloudWatch leaves out those that it does not have. */
export async function describeAlarms(names: readonly string[]): Promise<readonly AlarmState[]> {
  const client = new CloudWatchClient(awsClientOptions);
  const found: AlarmState[] = [];
  for (let start = 0; start < names.length; start += describeAlarmsNamesMax) {
    const AlarmNames = names.slice(start, start + describeAlarmsNamesMax);
    for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client }, { AlarmNames })) {
      for (const { AlarmName = '', StateValue = 'unknown', ...alarm } of MetricAlarms) {
        found.push({
          name: AlarmName,
          state: StateValue,
          actionsEnabled: alarm.ActionsEnabled ?? true,
          actions: alarm.AlarmActions ?? [],
          description: alarm.AlarmDescription ?? '',
          since: alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp,
          periods: alarm.EvaluationPeriods ?? 1,
          ...ruleOf(alarm),
        });
      }
    }
  }
  return found;
}

function ruleOf({ Namespace, MetricName, Dimensions, ...alarm }: MetricAlarm) {
  const {
    Period = 60,
    Statistic = '',
    Threshold = 0,
    ComparisonOperator = '',
    TreatMissingData = '',
  } = alarm;
  const only = { Metric: { Namespace, MetricName, Dimensions }, Period, Stat: Statistic };
  const queries: readonly MetricDataQuery[] = alarm.Metrics ?? [{ Id: 'value', MetricStat: only }];
  const stats = queries.flatMap(({ MetricStat }) => MetricStat ?? []);
  const rule = {
    expression: queries.find(({ Expression }) => Expression !== undefined)?.Expression,
    statistics: stats.map(({ Stat = '' }) => Stat),
    periodSeconds: stats[0]?.Period ?? Period,
    threshold: Threshold,
    comparison: ComparisonOperator,
    missing: TreatMissingData,
  };
  return { rule, queries };
}

/**
 * The subscriptions to a topic, without their addresses, which are personal data: the protocol of each that
 * is confirmed, and how many are not.
 */
export async function listSubscriptions(TopicArn: string) {
  const client = new SNSClient(awsClientOptions);
  const confirmed: string[] = [];
  let pending = 0;
  for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn })) {
    for (const { Protocol = '', SubscriptionArn = '' } of Subscriptions) {
      // A value in place of the ARN: `PendingConfirmation`, or `Deleted` for a while after the deletion.
      if (SubscriptionArn.startsWith('arn:')) confirmed.push(Protocol);
      else if (SubscriptionArn !== 'Deleted') pending += 1;
    }
  }
  return { confirmed, pending };
}
