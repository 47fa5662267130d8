import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

const paymentServiceBaseUrl = 'https://pay.example.com';
const stack = synthesise({ paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' });

describe.each([
  ['WaitingCount', 3, 50],
  ['WebhookAudit', 15, 120],
  ['Heartbeat', 5, 30],
  ['SelfCheck', 60, 120],
])('the schedule of %s', (stage, minutes, timeout) => {
  const { Properties: schedule, DependsOn = [] } = stack.at(`${stage}/Schedule`);
  const lambda = `${stage}/Function/Lambda`;

  it('starts it again only after a run has ended; a start that failed is retried until the next one', () => {
    expect(timeout).toBeLessThan(minutes * 60);
    expect(stack.at(lambda).Properties['Timeout']).toBe(timeout);
    expect(stack.at(`${lambda}/EventInvokeConfig`).Properties).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: minutes * 60,
    });
    expect(schedule).toMatchObject({
      ScheduleExpression: `rate(${minutes} minute${minutes === 1 ? '' : 's'})`,
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: { 'Fn::GetAtt': [stack.idAt(lambda), 'Arn'] },
        RoleArn: { 'Fn::GetAtt': [stack.idAt(`${stage}/ScheduleRole`), 'Arn'] },
        RetryPolicy: { MaximumEventAgeInSeconds: minutes * 60, MaximumRetryAttempts: 2 },
      },
    });
  });

  it('begins after its role may start the function, because it starts at once', () => {
    expect(DependsOn.map((id) => stack.pathOf(id))).toEqual(
      expect.arrayContaining([`${stage}/ScheduleRole`, `${stage}/ScheduleRole/DefaultPolicy`]),
    );
  });
});

it('the OAuth token is rotated every day, but not before one is stored, and the function may do its work', () => {
  const { Properties, DependsOn = [] } = stack.at('TokenRefresh/Schedule');
  const lambda = 'TokenRefresh/Function/Lambda';
  expect(stack.pathOf(Properties['SecretId'])).toBe('TokenRefresh/TokenSecret');
  expect(stack.pathOf(Properties['RotationLambdaARN'])).toBe(lambda);
  expect(Properties).toMatchObject({
    RotationRules: { ScheduleExpression: 'rate(24 hours)' },
    RotateImmediatelyOnUpdate: false,
  });
  expect(DependsOn.map((id) => stack.pathOf(id))).toEqual(
    expect.arrayContaining([`${lambda}/Rotation`, lambda, 'TokenRefresh/Function/Role/DefaultPolicy']),
  );
});

it('the seal secret is made by CloudFormation and rotated every 30 days, as three keys of 64 digits', () => {
  expect(stack.at('Seal/Secret').Properties['GenerateSecretString']).toMatchObject({ PasswordLength: 192 });
  expect(stack.at('Seal/Schedule').Properties).toMatchObject({
    RotationRules: { ScheduleExpression: 'rate(30 days)' },
    RotateImmediatelyOnUpdate: false,
  });
});
