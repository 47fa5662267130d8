import { Stack } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterSourceIntervalMinutes } from '../lambdas/contract/limits.ts';
import { deploymentNameOf } from './deployment-name.ts';
import { addScheduledCall } from './stage-schedule.ts';

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
    const policy = { redrivePermission: 'byQueue', sourceQueueArns: [source.queueArn] };
    addScheduledCall(this, {
      intervalMinutes: deadLetterSourceIntervalMinutes,
      description: `Keeps other queues from moving messages to the dead letters of ${deploymentNameOf(this)}.`,
      target: {
        arn: `arn:${stack.partition}:scheduler:::aws-sdk:sqs:setQueueAttributes`,
        input: stack.toJsonString({
          QueueUrl: deadLetters.queueUrl,
          Attributes: { RedriveAllowPolicy: stack.toJsonString(policy) },
        }),
      },
      permission: { action: 'sqs:SetQueueAttributes', resourceArn: deadLetters.queueArn },
    });
  }
}
