import {
  Alarm,
  ComparisonOperator,
  type IAlarm,
  type MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type AlarmName, alarmGuide } from '../lambdas/contract/alarm-guide.ts';
import { createAlarmTopic } from './alarm-topic.ts';
import type { Configuration } from './configuration.ts';
import { deploymentAddressOf, deploymentNameOf } from './deployment-name.ts';

export interface AlarmProps {
  /** One sentence: what has happened when the alarm fires. */
  readonly meaning: string;
  readonly metric: Metric | MathExpression;
  /** The alarm fires when the metric reaches this; 1 by default. */
  readonly threshold?: number;
  /** Fires while the metric is below the threshold instead, or has no data. */
  readonly firesBelow?: true;
  /** Without data it fires as well; the expression fills periods without data, so this is a second net. */
  readonly firesWithoutData?: true;
  /** When it ends, unless that follows from the metric. */
  readonly ends?: string;
  /** Fires only after this many consecutive periods; 1 by default. */
  readonly periods?: number;
}

function conditionOf({ firesBelow, firesWithoutData }: AlarmProps) {
  return {
    comparisonOperator: firesBelow
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    // Most metrics have no data in normal operation.
    treatMissingData:
      firesBelow || firesWithoutData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  };
}

/** When an alarm ends by itself, for the reader of its mail. */
function endOf({ metric, threshold = 1, firesBelow, firesWithoutData, ends }: AlarmProps): string {
  if (ends !== undefined) return ends;
  if (firesBelow || firesWithoutData) return 'by itself, once it works again';
  const minutes = metric.period.toMinutes();
  const calm = threshold === 1 ? 'had none' : `stayed below ${threshold}`;
  return `by itself, once ${minutes} minutes in a row ${calm}`;
}

/** The topics of the alarms of a deployment, and the way to add an alarm. */
export class Alarms extends Construct {
  /** Of the alarms of the severity `now`. */
  readonly topic: ITopic;
  /** The same, when it is of the stack. */
  readonly ownTopic: Topic | undefined;
  /** Of all others. */
  readonly ticketTopic: ITopic;
  readonly byName: Partial<Record<AlarmName, IAlarm>> = {};
  readonly #runbookUrl: string;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    const { alarmTopicArn, ticketTopicArn, alarmEmail, runbookUrl } = configuration;
    this.#runbookUrl = runbookUrl ?? 'docs/runbook.md';
    if (alarmTopicArn === undefined) {
      const topic = createAlarmTopic(this, { hasKey: configuration.encryptionKeyArn !== undefined });
      if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
      this.topic = topic;
      this.ownTopic = topic;
    } else {
      this.topic = Topic.fromTopicArn(this, 'ExistingTopic', alarmTopicArn);
    }
    this.ticketTopic =
      ticketTopicArn === undefined
        ? this.topic
        : Topic.fromTopicArn(this, 'ExistingTicketTopic', ticketTopicArn);
  }

  /**
   * Adds an alarm; `docs/runbook.md` has a heading of the same name. Unlike other resources it has a physical
   * name, because that name is the subject of the message to the on-call; the deployment's makes it unique.
   */
  add(name: AlarmName, props: AlarmProps): void {
    const alarm = new Alarm(this, name, {
      alarmName: `${deploymentNameOf(this)}-${name}`,
      alarmDescription: this.#describe(name, props),
      metric: props.metric,
      threshold: props.threshold ?? 1,
      evaluationPeriods: props.periods ?? 1,
      ...conditionOf(props),
    });
    const action = new SnsAction(alarmGuide[name].severity === 'now' ? this.topic : this.ticketTopic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    this.byName[name] = alarm;
  }

  /** The text of the mail. Its first line is the meaning, which local mode shows alone. */
  #describe(name: AlarmName, props: AlarmProps): string {
    const { severity, command } = alarmGuide[name];
    return [
      props.meaning,
      `Severity: ${severity}`,
      `Ends: ${endOf(props)}`,
      `Next: npx ${command} --stack ${deploymentAddressOf(this)}`,
      `Runbook: ${this.#runbookUrl}#${name.toLowerCase()}`,
    ].join('\n');
  }
}
