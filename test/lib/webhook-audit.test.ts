import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

const stack = synthesise({ paymentServiceBaseUrl: 'https://pay.example.com' });
const { Properties: schedule, DependsOn = [] } = stack.at('WebhookAudit/Schedule');

describe('the webhook audit', () => {
  it('is not deployed when the payment service is unknown', () => {
    const standard = synthesise();
    const paths = [...standard.resources.keys()].map((id) => standard.pathOf(id));
    expect(paths.filter((path) => path.startsWith('WebhookAudit'))).toEqual([]);
  });

  it('starts every 15 minutes; a start that failed is retried until the next one', () => {
    expect(schedule).toMatchObject({
      ScheduleExpression: 'rate(15 minutes)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: { 'Fn::GetAtt': [stack.idAt('WebhookAudit/Function/Lambda'), 'Arn'] },
        RoleArn: { 'Fn::GetAtt': [stack.idAt('WebhookAudit/ScheduleRole'), 'Arn'] },
        RetryPolicy: { MaximumEventAgeInSeconds: 900, MaximumRetryAttempts: 2 },
      },
    });
  });

  it('has two minutes, so that two audits never overlap', () => {
    expect(stack.at('WebhookAudit/Function/Lambda').Properties['Timeout']).toBe(120);
  });

  it('is not retried when it fails, because the next one follows soon', () => {
    expect(stack.at('WebhookAudit/Function/Lambda/EventInvokeConfig').Properties).toMatchObject({
      FunctionName: { Ref: stack.idAt('WebhookAudit/Function/Lambda') },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 900,
    });
  });

  it('is scheduled after the role of the schedule may start it, because it starts at once', () => {
    expect(DependsOn.map((id) => stack.pathOf(id)).sort()).toEqual([
      'WebhookAudit/ScheduleRole',
      'WebhookAudit/ScheduleRole/DefaultPolicy',
    ]);
  });
});
