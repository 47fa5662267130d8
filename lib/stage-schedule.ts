import { Duration, Stack } from 'aws-cdk-lib';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import { scheduledStartRetriesMax } from '../lambdas/contract/limits.ts';
import type { NodeFunction } from './node-function.ts';

export interface StageScheduleProps {
  readonly target: NodeFunction;
  readonly intervalMinutes: number;
  readonly description: string;
}

/** Invokes a function at a fixed rate. One that fails is not repeated, because the next one follows soon. */
export function addSchedule(scope: Construct, { target, ...props }: StageScheduleProps): CfnSchedule {
  const { functionArn } = target.lambda;
  const maxEventAge = Duration.minutes(props.intervalMinutes);
  target.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge });
  return addScheduledCall(scope, {
    ...props,
    target: { arn: functionArn },
    permission: { action: 'lambda:InvokeFunction', resourceArn: functionArn },
  });
}

export interface ScheduledCallProps {
  readonly intervalMinutes: number;
  readonly description: string;
  /** The ARN of a function, or of an API of AWS and its parameters. */
  readonly target: { readonly arn: string; readonly input?: string };
  /** All that the schedule may do. */
  readonly permission: { readonly action: string; readonly resourceArn: string };
}

/** Calls at a fixed rate. A call that cannot be made is tried again until the next one. */
export function addScheduledCall(scope: Construct, props: ScheduledCallProps): CfnSchedule {
  const { intervalMinutes, description, permission } = props;
  const role = new Role(scope, 'ScheduleRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  });
  Grant.addToPrincipal({
    grantee: role,
    actions: [permission.action],
    resourceArns: [permission.resourceArn],
  });
  // The schedule starts when it is created, so that the first run follows a deployment at once; it needs the
  // permission.
  const schedule = new CfnSchedule(scope, 'Schedule', {
    description,
    scheduleExpression: `rate(${intervalMinutes} minute${intervalMinutes === 1 ? '' : 's'})`,
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      ...props.target,
      roleArn: role.roleArn,
      retryPolicy: {
        maximumEventAgeInSeconds: intervalMinutes * 60,
        maximumRetryAttempts: scheduledStartRetriesMax,
      },
    },
  });
  schedule.node.addDependency(role);
  return schedule;
}
