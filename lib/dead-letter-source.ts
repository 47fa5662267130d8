import { Stack } from 'aws-cdk-lib';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterSourceIntervalMinutes } from '../lambdas/contract/limits.ts';

export interface DeadLetterSourceProps {
  readonly deadLetters: Queue;
  /** The only queue whose messages may move there. */
  readonly source: Queue;
}

/**
 * Sets the redrive allow policy of a dead-letter queue: without one, SQS moves messages there from any queue
 * of the account, past the queue's own policy.
 *
 * The property of the queue cannot do it, because each queue would need the ARN of the other. So EventBridge
 * Scheduler calls SQS itself, for the first time when the schedule is created (ADR 13).
 */
export class DeadLetterSource extends Construct {
  constructor(scope: Construct, id: string, { deadLetters, source }: DeadLetterSourceProps) {
    super(scope, id);
    const stack = Stack.of(this);
    const role = new Role(this, 'ScheduleRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
      }),
    });
    Grant.addToPrincipal({
      grantee: role,
      actions: ['sqs:SetQueueAttributes'],
      resourceArns: [deadLetters.queueArn],
    });
    const policy = { redrivePermission: 'byQueue', sourceQueueArns: [source.queueArn] };
    const schedule = new CfnSchedule(this, 'Schedule', {
      description: `Keeps other queues from moving messages to the dead letters of ${stack.stackName}.`,
      scheduleExpression: `rate(${deadLetterSourceIntervalMinutes} minutes)`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: `arn:${stack.partition}:scheduler:::aws-sdk:sqs:setQueueAttributes`,
        roleArn: role.roleArn,
        input: stack.toJsonString({
          QueueUrl: deadLetters.queueUrl,
          Attributes: { RedriveAllowPolicy: stack.toJsonString(policy) },
        }),
        retryPolicy: { maximumEventAgeInSeconds: 3_600, maximumRetryAttempts: 10 },
      },
    });
    schedule.node.addDependency(role);
  }
}
