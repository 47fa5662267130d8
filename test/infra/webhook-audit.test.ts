import { beforeAll, describe, expect, it } from 'vitest';
import { referenced, type Synthesis, synthesiseAll } from './synthesis.ts';

const paymentServiceBaseUrl = 'https://pay.example.com';
const webhookUrl = 'https://hooks.example.com/webhooks/payments';

let plain: Synthesis;
let stack: Synthesis;
let custom: Synthesis;
let withToken: Synthesis;
beforeAll(() => {
  const oauth = { paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' };
  [plain, stack, custom, withToken] = synthesiseAll(
    { environmentName: 'plain' },
    { paymentServiceBaseUrl },
    { environmentName: 'custom', paymentServiceBaseUrl, webhookUrl, requiredEvents: 'payout.made' },
    { environmentName: 'token', ...oauth },
  );
});

function variablesOf(synthesis: Synthesis): Readonly<Record<string, unknown>> {
  const audit = synthesis.at('WebhookAudit/Function/Lambda').Properties;
  return (audit['Environment'] as { Variables: Readonly<Record<string, unknown>> }).Variables;
}

describe('the webhook audit', () => {
  it('is not there where no payment service is known', () => {
    const paths = [...plain.resources.keys()].map((id) => plain.resources.get(id)?.Metadata['aws:cdk:path']);
    expect(paths.filter((path) => String(path).includes('WebhookAudit'))).toEqual([]);
    expect(Object.keys(plain.outputs)).not.toContain('WebhookAuditLogGroup');
  });

  it('is told what to look for, whom to ask, and which stack its commands are for', () => {
    const { WEBHOOK_URL, ...variables } = variablesOf(stack);
    expect(JSON.stringify(WEBHOOK_URL)).toMatch(/VerifierEndpointApi.*ApiEndpoint.*"\/webhooks\/payments"/);
    expect(variables).toEqual({
      PAYMENT_SERVICE_BASE_URL: 'https://pay.example.com',
      REQUIRED_EVENTS: 'transaction.paid,transaction.refunded',
      STACK_NAME: 'payhooks-production',
      KEY_SECRET_ARN: { Ref: expect.stringMatching(/^VerifierKeySecret/) },
      POWERTOOLS_SERVICE_NAME: 'webhook-audit',
      POWERTOOLS_METRICS_NAMESPACE: 'payhooks/production',
    });
  });

  it('looks for the URL of a custom domain, and for the events that are required here', () => {
    expect(variablesOf(custom)).toMatchObject({
      WEBHOOK_URL: 'https://hooks.example.com/webhooks/payments',
      REQUIRED_EVENTS: 'payout.made',
      STACK_NAME: 'payhooks-custom',
    });
  });

  it('asks with the token where there is one, and is then not told of the keys', () => {
    const variables = variablesOf(withToken);
    expect(withToken.pathOf(referenced(variables['TOKEN_SECRET_ARN']))).toBe('TokenRefresh/TokenSecret');
    expect(variables).not.toHaveProperty('KEY_SECRET_ARN');
  });

  it('has no more than two minutes, so that two audits never meet', () => {
    const audit = stack.at('WebhookAudit/Function/Lambda').Properties;
    expect(audit['Timeout']).toBe(120);
  });
});

interface Schedule {
  readonly ScheduleExpression: string;
  readonly FlexibleTimeWindow: unknown;
  readonly Target: {
    readonly Arn: unknown;
    readonly RoleArn: unknown;
    readonly RetryPolicy: unknown;
  };
}

describe('the schedule', () => {
  const schedule = () => stack.only('AWS::Scheduler::Schedule').Properties as unknown as Schedule;

  it('starts an audit every fifteen minutes, and gives up on a start before the next one', () => {
    expect(schedule()).toMatchObject({
      ScheduleExpression: 'rate(15 minutes)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { RetryPolicy: { MaximumEventAgeInSeconds: 900, MaximumRetryAttempts: 2 } },
    });
    expect(stack.pathOf(referenced(schedule().Target.Arn))).toBe('WebhookAudit/Function/Lambda');
  });

  it('never runs an audit a second time, as the next one follows soon', () => {
    expect(stack.only('AWS::Lambda::EventInvokeConfig').Properties).toMatchObject({
      FunctionName: { Ref: expect.stringMatching(/^WebhookAuditFunction/) },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 900,
    });
  });

  it('has a role of its own that may start the audit and nothing else, for this account alone', () => {
    const roleId = referenced(schedule().Target.RoleArn);
    expect(stack.resources.get(roleId)?.Properties).toEqual({
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: 'sts:AssumeRole',
            Principal: { Service: 'scheduler.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
      },
    });
    const policies = stack
      .ofType('AWS::IAM::Policy')
      .filter(([, { Properties }]) => (Properties['Roles'] as unknown[]).map(referenced).includes(roleId));
    expect(policies.map(([, { Properties }]) => Properties['PolicyDocument'])).toEqual([
      {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: schedule().Target.Arn }],
      },
    ]);
  });

  it('is made when its role may start the audit, so that the first one runs at once', () => {
    const { DependsOn } = stack.only('AWS::Scheduler::Schedule') as unknown as { DependsOn: string[] };
    expect(DependsOn.map((id) => `${stack.resources.get(id)?.Type} ${stack.pathOf(id)}`).sort()).toEqual([
      'AWS::IAM::Policy WebhookAudit/ScheduleRole/DefaultPolicy',
      'AWS::IAM::Role WebhookAudit/ScheduleRole',
    ]);
  });
});

describe('the outputs', () => {
  const outputOf = (synthesis: Synthesis, name: string) => synthesis.outputs[name]?.Value;

  it('name what the command of the operator reads', () => {
    expect(outputOf(stack, 'PaymentServiceBaseUrl')).toBe('https://pay.example.com');
    expect(outputOf(stack, 'SignatureHeader')).toBe('x-service-signature');
    expect(outputOf(stack, 'RequiredEvents')).toBe('transaction.paid,transaction.refunded');
    expect(stack.pathOf(referenced(outputOf(stack, 'WebhookAuditLogGroup')))).toBe(
      'WebhookAudit/Function/Logs',
    );
    expect(outputOf(plain, 'PaymentServiceBaseUrl')).toBeUndefined();
    expect(outputOf(plain, 'RequiredEvents')).toBe('transaction.paid,transaction.refunded');
  });

  it('name the URL that is registered, also where a custom domain stands before the API', () => {
    expect(outputOf(custom, 'WebhookUrl')).toBe('https://hooks.example.com/webhooks/payments');
    expect(JSON.stringify(outputOf(stack, 'WebhookUrl'))).toContain('ApiEndpoint');
  });

  it('name the secret of the token where there is one', () => {
    expect(withToken.pathOf(referenced(outputOf(withToken, 'TokenSecretArn')))).toBe(
      'TokenRefresh/TokenSecret',
    );
    expect(outputOf(stack, 'TokenSecretArn')).toBeUndefined();
  });
});
