import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

const paymentServiceBaseUrl = 'https://pay.example.com';
const stack = synthesise({ paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' });
const secret = 'TokenRefresh/TokenSecret';
const lambda = 'TokenRefresh/Function/Lambda';

describe('the rotation of the OAuth token', () => {
  const { Properties, DependsOn = [] } = stack.only('AWS::SecretsManager::RotationSchedule');

  it('runs every day, but not before a token is stored', () => {
    expect(stack.pathOf(Properties['SecretId'])).toBe(secret);
    expect(stack.pathOf(Properties['RotationLambdaARN'])).toBe(lambda);
    expect(Properties).toMatchObject({
      RotationRules: { ScheduleExpression: 'rate(24 hours)' },
      RotateImmediatelyOnUpdate: false,
    });
  });

  it('has two minutes per step', () => {
    expect(stack.at(lambda).Properties['Timeout']).toBe(120);
  });

  it('is scheduled after the function may be invoked and may do its work', () => {
    expect(DependsOn.map((id) => stack.pathOf(id))).toEqual(
      expect.arrayContaining([`${lambda}/Rotation`, lambda, 'TokenRefresh/Function/Role/DefaultPolicy']),
    );
  });

  it('is not deployed when the service is called with the private key', () => {
    const withPrivateKey = synthesise({ paymentServiceBaseUrl });
    const paths = [...withPrivateKey.resources.keys()].map((id) => withPrivateKey.pathOf(id));
    expect(paths).toContain('WebhookAudit/Function/Lambda');
    expect(paths.filter((path) => path.startsWith('TokenRefresh'))).toEqual([]);
  });
});
