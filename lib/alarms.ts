import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

export interface AlarmsProps {
  readonly email: string | undefined;
}

export interface AlarmProps {
  /** One sentence: what has happened when the alarm rings. */
  readonly meaning: string;
  readonly metric: IMetric;
  /** Rings when the metric reaches this; 1 unless told otherwise. */
  readonly threshold?: number;
  /** Rings while the metric stays below the threshold instead, and when nothing is counted at all. */
  readonly ringsBelow?: true;
  /** Rings only after this many periods in a row; 1 unless told otherwise. */
  readonly periods?: number;
}

/** Nothing counted is the normal state of most metrics here. */
const whenReached = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
};
const whenMissed = {
  comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.BREACHING,
};

/** Where every alarm of a deployment goes, and how one is made. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.topic = this.#createTopic();
    if (props.email !== undefined) this.topic.addSubscription(new EmailSubscription(props.email));
  }

  /**
   * Adds an alarm; `docs/runbook.md` has a heading of the same name. The name is set, against the rule that
   * constructs name nothing, because it is the subject of the message that wakes somebody up; the stack's
   * name keeps it unique.
   */
  add(name: string, props: AlarmProps): void {
    const alarm = new Alarm(this, name, {
      alarmName: `${Stack.of(this).stackName}-${name}`,
      alarmDescription: `${props.meaning} What to do: docs/runbook.md#${name.toLowerCase()}`,
      metric: props.metric,
      threshold: props.threshold ?? 1,
      evaluationPeriods: props.periods ?? 1,
      ...(props.ringsBelow === undefined ? whenReached : whenMissed),
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
  }

  #createTopic(): Topic {
    const { account } = Stack.of(this);
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    });
    // The key that AWS manages for SNS lets no alarm publish, hence one of our own.
    const key = new Key(this, 'Key', {
      description: `Alarm messages of ${Stack.of(this).stackName}`,
      enableKeyRotation: true,
      // Kept nowhere: it encrypts messages in flight, and an orphan would cost a dollar a month for ever.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
      }),
    );
    // A grant is a permission that outlives the policy; nothing here needs one, and of AWS's services only
    // those that encrypt at rest would make one.
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'NoGrants',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['kms:CreateGrant'],
        resources: ['*'],
        conditions: {
          BoolIfExists: { 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' },
        },
      }),
    );
    const topic = new Topic(this, 'Topic', { masterKey: key, enforceSSL: true });
    // A topic policy replaces the default one, which let the account's own alarms publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
      }),
    );
    return topic;
  }
}
