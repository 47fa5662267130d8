import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { AnyPrincipal, Effect, Grant, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  deadLetterRetentionDays,
  queueReceivesMax,
  queueRetentionDays,
  queueVisibilitySeconds,
} from '../lambdas/contract/limits.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import type { NodeFunction } from './node-function.ts';

export interface EventQueueProps {
  readonly configuration: Configuration;
  readonly alarms: Alarms;
}

/**
 * The queue of acknowledged events, and the dead-letter queue for those that cannot be recorded.
 *
 * Both are encrypted with the key that SQS manages. A KMS key would cost a request for each data key, and its
 * throttling or a mistake in its policy would turn a webhook's 2xx into a 503.
 */
export class EventQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly #operatorRoleArn: string | undefined;

  constructor(scope: Construct, id: string, props: EventQueueProps) {
    super(scope, id);
    this.#operatorRoleArn = props.configuration.operatorRoleArn;
    const removalPolicy = props.configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

    // No redrive allow policy: it would need the source queue's ARN, which needs this queue's ARN. Only fixed
    // names could break the cycle, and a retained queue must not block the name of its successor.
    this.deadLetters = new Queue(this, 'DeadLetters', {
      retentionPeriod: Duration.days(deadLetterRetentionDays),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy,
    });
    this.queue = new Queue(this, 'Queue', {
      retentionPeriod: Duration.days(queueRetentionDays),
      visibilityTimeout: Duration.seconds(queueVisibilitySeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: queueReceivesMax },
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy,
    });
    this.#watch(props.alarms);
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
    if (this.#operatorRoleArn === undefined) return;
    this.#deny('OnlyVerifierSends', ['sqs:SendMessage'], [verifier.role.roleArn, this.#operatorRoleArn]);
  }

  /**
   * Lets the consumer receive and denies it to all others, whatever their identity policies permit: an
   * acknowledged event that anyone else receives and deletes, or purges, is lost. A redrive needs none of
   * these actions here.
   */
  grantConsume(consumer: NodeFunction): void {
    // What Lambda needs to poll on the function's behalf.
    const receiving = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'];
    Grant.addToPrincipal({
      grantee: consumer,
      actions: [...receiving, 'sqs:GetQueueAttributes'],
      resourceArns: [this.queue.queueArn],
    });
    this.#deny('OnlyConsumerReceives', [...receiving, 'sqs:PurgeQueue'], [consumer.role.roleArn]);
  }

  #deny(sid: string, actions: string[], exceptArns: string[]): void {
    this.queue.addToResourcePolicy(
      new PolicyStatement({
        sid,
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions,
        resources: [this.queue.queueArn],
        conditions: { ArnNotLike: { 'aws:PrincipalArn': exceptArns } },
      }),
    );
  }

  #watch(alarms: Alarms): void {
    alarms.add('DeadLettersPresent', {
      meaning: 'Acknowledged events could not be recorded; they wait in the dead-letter queue.',
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
    });
  }
}
