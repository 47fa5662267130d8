import { beforeAll, describe, expect, it } from 'vitest';
import { referenced, type Synthesis, synthesiseAll } from './synthesis.ts';

const oauth = {
  paymentServiceBaseUrl: 'https://api.payment-service.example',
  paymentServiceAuthentication: 'oauth',
};

let stack: Synthesis;
let thrownAway: Synthesis;
let withPrivateKey: Synthesis;
beforeAll(() => {
  [stack, thrownAway, withPrivateKey] = synthesiseAll(
    oauth,
    { ...oauth, environmentName: 'development', keepData: false },
    { paymentServiceBaseUrl: oauth.paymentServiceBaseUrl, environmentName: 'plain' },
  );
});

const secretPath = 'TokenRefresh/TokenSecret';
const functionPath = 'TokenRefresh/Function/Lambda';
const idAt = (path: string): string => {
  const found = [...stack.resources.keys()].find((id) => stack.pathOf(id) === path);
  if (found === undefined) throw new Error(`nothing at ${path}`);
  return found;
};

/** What a role is allowed, as "action on logical id". */
function allowed(rolePath: string): string[] {
  const role = idAt(rolePath);
  return stack
    .ofType('AWS::IAM::Policy')
    .filter(([, { Properties }]) => (Properties['Roles'] as unknown[]).map(referenced).includes(role))
    .flatMap(
      ([, { Properties }]) =>
        (Properties['PolicyDocument'] as { Statement: { Action: string | string[]; Resource: unknown }[] })
          .Statement,
    )
    .flatMap(({ Action, Resource }) =>
      [Action].flat().map((action) => `${action} on ${stack.pathOf(referenced(Resource))}`),
    )
    .sort();
}

describe('the token secret', () => {
  it('has no value that CloudFormation could put over the one that a person puts in', () => {
    const { Properties } = stack.at(secretPath);
    expect(Object.keys(Properties)).toEqual(['Description']);
  });

  it('outlives its stack where data does', () => {
    const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
    expect(stack.at(secretPath)).toMatchObject(kept);
    const gone = { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' };
    expect(thrownAway.at(secretPath)).toMatchObject(gone);
  });

  it('is named in an output', () => {
    expect(referenced(stack.outputs['TokenSecretArn']?.Value)).toBe(idAt(secretPath));
    expect(referenced(stack.outputs['TokenRefreshLogGroup']?.Value)).toBe(idAt('TokenRefresh/Function/Logs'));
  });
});

describe('the rotation', () => {
  it('runs the function every day, but not before there is a token', () => {
    const { Properties } = stack.only('AWS::SecretsManager::RotationSchedule');
    expect(referenced(Properties['SecretId'])).toBe(idAt(secretPath));
    expect(referenced(Properties['RotationLambdaARN'])).toBe(idAt(functionPath));
    expect(Properties).toMatchObject({
      RotationRules: { ScheduleExpression: 'rate(24 hours)' },
      RotateImmediatelyOnUpdate: false,
    });
  });

  it('is started by Secrets Manager for this secret of this account, and by nobody else', () => {
    const permissions = stack
      .ofType('AWS::Lambda::Permission')
      .filter(([, { Properties }]) => referenced(Properties['FunctionName']) === idAt(functionPath));
    expect(permissions).toHaveLength(1);
    expect(permissions[0]?.[1].Properties).toMatchObject({
      Action: 'lambda:InvokeFunction',
      Principal: 'secretsmanager.amazonaws.com',
      SourceAccount: { Ref: 'AWS::AccountId' },
      SourceArn: { Ref: idAt(secretPath) },
    });
  });

  it('is scheduled when the function may be started and may do its work', () => {
    const [[, schedule] = []] = stack.ofType('AWS::SecretsManager::RotationSchedule');
    const { DependsOn } = schedule as unknown as { readonly DependsOn: string[] };
    const paths = DependsOn.map((id) => stack.pathOf(id));
    expect(paths).toEqual(
      expect.arrayContaining([
        `${functionPath}/Rotation`,
        functionPath,
        'TokenRefresh/Function/Role/DefaultPolicy',
      ]),
    );
  });

  it('knows the secret and the payment service', () => {
    const { Properties } = stack.at(functionPath);
    expect(Properties).toMatchObject({
      Timeout: 120,
      Environment: {
        Variables: {
          TOKEN_SECRET_ARN: { Ref: idAt(secretPath) },
          PAYMENT_SERVICE_BASE_URL: 'https://api.payment-service.example',
        },
      },
    });
  });
});

describe('permissions', () => {
  it('let the rotation work on the versions of its secret, and nothing else', () => {
    expect(allowed('TokenRefresh/Function/Role')).toEqual([
      'logs:CreateLogStream on TokenRefresh/Function/Logs',
      'logs:PutLogEvents on TokenRefresh/Function/Logs',
      'secretsmanager:DescribeSecret on TokenRefresh/TokenSecret',
      'secretsmanager:GetSecretValue on TokenRefresh/TokenSecret',
      'secretsmanager:PutSecretValue on TokenRefresh/TokenSecret',
      'secretsmanager:UpdateSecretVersionStage on TokenRefresh/TokenSecret',
    ]);
  });

  it('let the audit read the token and ask for a rotation, which takes two of them', () => {
    expect(allowed('WebhookAudit/Function/Role')).toEqual(
      expect.arrayContaining([
        'lambda:InvokeFunction on TokenRefresh/Function/Lambda',
        'secretsmanager:GetSecretValue on TokenRefresh/TokenSecret',
        'secretsmanager:RotateSecret on TokenRefresh/TokenSecret',
      ]),
    );
  });
});

describe('without OAuth', () => {
  it('there is no token to keep and none to refresh', () => {
    const paths = [...withPrivateKey.resources.keys()].map((id) => withPrivateKey.pathOf(id));
    expect(paths.filter((path) => path.startsWith('WebhookAudit')).length).toBeGreaterThan(0);
    expect(paths.filter((path) => path.startsWith('TokenRefresh'))).toEqual([]);
    expect(Object.keys(withPrivateKey.outputs)).not.toContain('TokenSecretArn');
  });
});
