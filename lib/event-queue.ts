import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  deadLetterRetentionDays,
  eventAgeAlarmSeconds,
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
 * Where an acknowledged event waits until it is recorded, and where it ends when it cannot be.
 *
 * Both queues are encrypted with the key that SQS manages: a KMS key would cost a request for each data key,
 * and its throttling or a mistake in its policy would stand between a webhook and its 2xx. Nothing here needs
 * a key that could be withdrawn on its own.
 */
export class EventQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly #operatorRoleArn: string | undefined;

  constructor(scope: Construct, id: string, props: EventQueueProps) {
    super(scope, id);
    this.#operatorRoleArn = props.configuration.operatorRoleArn;
    const removalPolicy = props.configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

    // Not restricted to one source queue: each of the two would need the other's ARN first, which only a
    // fixed name could break, and a queue that is kept must not block its successor's name.
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
   * Lets the verifier send. Whoever else can send can claim that a payment was verified, so the queue refuses
   * all others, but only once it knows the operator: `StartMessageMoveTask` sends with the operator's own
   * identity, and a refusal without that exception would make a redrive impossible just when it is needed.
   * Without `operatorRoleArn` the account's identity policies decide who sends.
   */
  sendOnlyFrom(verifier: NodeFunction): void {
    verifier.allow(['sqs:SendMessage'], this.queue.queueArn);
    if (this.#operatorRoleArn === undefined) return;
    this.#refuse('OnlyVerifierSends', ['sqs:SendMessage'], [verifier.role.roleArn, this.#operatorRoleArn]);
  }

  /**
   * Lets the consumer receive, and refuses all others, whatever their identity policies say: an event that
   * somebody else receives and deletes, or purges, was acknowledged and is lost. A redrive needs none of
   * these actions here.
   */
  deliverOnlyTo(consumer: NodeFunction): void {
    // What Lambda needs to poll on the function's behalf.
    const receiving = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'];
    consumer.allow([...receiving, 'sqs:GetQueueAttributes'], this.queue.queueArn);
    this.#refuse('OnlyConsumerReceives', [...receiving, 'sqs:PurgeQueue'], [consumer.role.roleArn]);
  }

  #refuse(sid: string, actions: string[], exceptArns: string[]): void {
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
      meaning: 'Acknowledged events could not be recorded and wait in the dead-letter queue.',
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
    });
    alarms.add('EventsDelayed', {
      meaning: `An acknowledged event has waited ${eventAgeAlarmSeconds / 60} minutes to be recorded.`,
      metric: this.queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM }),
      threshold: eventAgeAlarmSeconds,
    });
  }
}
