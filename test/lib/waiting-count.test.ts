import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

const stack = synthesise();
const { Properties: schedule, DependsOn = [] } = stack.at('WaitingCount/Schedule');

describe('the count of what waits', () => {
  it('starts every minute; a start that failed is retried until the next one', () => {
    expect(schedule).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: { 'Fn::GetAtt': [stack.idAt('WaitingCount/Function/Lambda'), 'Arn'] },
        RoleArn: { 'Fn::GetAtt': [stack.idAt('WaitingCount/ScheduleRole'), 'Arn'] },
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 2 },
      },
    });
  });

  it('ends before the next one starts, and is not retried when it fails', () => {
    expect(stack.at('WaitingCount/Function/Lambda').Properties['Timeout']).toBe(50);
    expect(stack.at('WaitingCount/Function/Lambda/EventInvokeConfig').Properties).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });

  it('is scheduled after the role of the schedule may start it, because it starts at once', () => {
    expect(DependsOn.map((id) => stack.pathOf(id)).sort()).toEqual([
      'WaitingCount/ScheduleRole',
      'WaitingCount/ScheduleRole/DefaultPolicy',
    ]);
  });
});
