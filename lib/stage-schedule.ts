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
export function addSchedule(scope: Construct, props: StageScheduleProps): void {
  const { intervalMinutes, description } = props;
  const { lambda } = props.target;
  const role = new Role(scope, 'ScheduleRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  });
  Grant.addToPrincipal({
    grantee: role,
    actions: ['lambda:InvokeFunction'],
    resourceArns: [lambda.functionArn],
  });
  // The schedule starts when it is created, so that the first run follows a deployment at once; it needs the
  // permission.
  const schedule = new CfnSchedule(scope, 'Schedule', {
    description,
    scheduleExpression: `rate(${intervalMinutes} minute${intervalMinutes === 1 ? '' : 's'})`,
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      arn: lambda.functionArn,
      roleArn: role.roleArn,
      retryPolicy: {
        maximumEventAgeInSeconds: intervalMinutes * 60,
        maximumRetryAttempts: scheduledStartRetriesMax,
      },
    },
  });
  schedule.node.addDependency(role);
  lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(intervalMinutes) });
}
