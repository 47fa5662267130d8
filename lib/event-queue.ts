import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { AnyPrincipal, Effect, Grant, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { Queue, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterAgeAlarmDays } from '../lambdas/contract/alarm-thresholds.ts';
import {
  deadLetterRetentionDays,
  queueReceivesMax,
  queueRetentionDays,
  queueVisibilitySeconds,
} from '../lambdas/contract/limits.ts';
import { DeadLetterSource } from './dead-letter-source.ts';
import type { Encryption } from './encryption.ts';
import type { NodeFunction, StageProps } from './node-function.ts';

/**
 * The queue of acknowledged events, and the dead-letter queue for those that cannot be recorded.
 *
 * By default both are encrypted with the key that SQS manages. A KMS key costs a request for each data key,
 * and its throttling or a mistake in its policy turns a webhook's 2xx into a 503.
 */
export class EventQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly #operatorRoleArn: string | undefined;
  readonly #encryption: Encryption;

  constructor(scope: Construct, id: string, props: StageProps) {
    super(scope, id);
    this.#operatorRoleArn = props.configuration.operatorRoleArn;
    this.#encryption = props.encryption;
    const removalPolicy = props.configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

    this.deadLetters = new Queue(this, 'DeadLetters', {
      retentionPeriod: Duration.days(deadLetterRetentionDays),
      ...props.encryption.ofQueue,
      enforceSSL: true,
      removalPolicy,
    });
    this.queue = new Queue(this, 'Queue', {
      retentionPeriod: Duration.days(queueRetentionDays),
      visibilityTimeout: Duration.seconds(queueVisibilitySeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: queueReceivesMax },
      // As the dead-letter queue of any other queue it would take messages that nobody was permitted to send.
      redriveAllowPolicy: { redrivePermission: RedrivePermission.DENY_ALL },
      ...props.encryption.ofQueue,
      enforceSSL: true,
      removalPolicy,
    });
    new DeadLetterSource(this, 'DeadLetterSource', { deadLetters: this.deadLetters, source: this.queue });
    this.#guardDeadLetters();
    this.#watch(props);
  }

  /**
   * Lets the verifier send. Any other sender could claim that a payment was verified, so the queue denies all
   * others, but only when it knows the operator: `StartMessageMoveTask` sends with the operator's identity,
   * and without that exception a redrive would be impossible just when it is needed. Without
   * `operatorRoleArn` the account's identity policies decide.
   */
  grantSend(verifier: NodeFunction): void {
    Grant.addToPrincipal({
      grantee: verifier,
      actions: ['sqs:SendMessage'],
      resourceArns: [this.queue.queueArn],
    });
    this.#encryption.grantEncrypt(verifier, 'sqs');
    if (this.#operatorRoleArn === undefined) return;
    const senders = exceptFor([verifier.role.roleArn, this.#operatorRoleArn]);
    deny(this.queue, { sid: 'OnlyVerifierSends', actions: ['sqs:SendMessage'], conditions: senders });
  }

  /**
   * Lets the consumer receive and denies it to all others, whatever their identity policies permit: an
   * acknowledged event that anyone else receives and deletes, or purges, is lost. A redrive needs none of
   * these actions here.
   */
  grantConsume(consumer: NodeFunction): void {
    Grant.addToPrincipal({
      grantee: consumer,
      actions: [...receiving, 'sqs:GetQueueAttributes'],
      resourceArns: [this.queue.queueArn],
    });
    this.#encryption.grantDecrypt(consumer, 'sqs');
    const conditions = exceptFor([consumer.role.roleArn]);
    deny(this.queue, { sid: 'OnlyConsumerReceives', actions: [...receiving, 'sqs:PurgeQueue'], conditions });
  }

  /**
   * SQS itself moves dead letters, so nobody may send any: what lies there may be redriven and must be
   * genuine. Only the operator takes them out; without `operatorRoleArn` the account's identity policies
   * decide who may.
   */
  #guardDeadLetters(): void {
    deny(this.deadLetters, {
      sid: 'OnlySqsSends',
      actions: ['sqs:SendMessage'],
      conditions: { BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' } },
    });
    if (this.#operatorRoleArn === undefined) return;
    deny(this.deadLetters, {
      sid: 'OnlyOperatorReceives',
      actions: [...receiving, 'sqs:PurgeQueue', 'sqs:StartMessageMoveTask'],
      conditions: exceptFor([this.#operatorRoleArn]),
    });
  }

  #watch({ alarms }: StageProps): void {
    alarms.add('DeadLettersPresent', {
      meaning: 'Acknowledged events could not be recorded; they wait in the dead-letter queue.',
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
    });
    const days = deadLetterAgeAlarmDays;
    alarms.add('DeadLettersExpiring', {
      meaning:
        `A dead letter is ${days} days old: SQS deletes it ${deadLetterRetentionDays} days after its ` +
        'webhook, and the event is lost.',
      metric: this.deadLetters.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM }),
      threshold: Duration.days(days).toSeconds(),
    });
  }
}

/** What Lambda needs to poll on a function's behalf, and an operator to look at a message. */
const receiving = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'];

const exceptFor = (arns: readonly string[]) => ({ ArnNotLike: { 'aws:PrincipalArn': arns } });

function deny(queue: Queue, statement: Pick<PolicyStatementProps, 'sid' | 'actions' | 'conditions'>): void {
  const resources = [queue.queueArn];
  const principals = [new AnyPrincipal()];
  queue.addToResourcePolicy(
    new PolicyStatement({ ...statement, effect: Effect.DENY, principals, resources }),
  );
}
