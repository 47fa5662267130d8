import { beforeAll, describe, expect, it } from 'vitest';
import { referenced, type Synthesis, synthesiseAll } from './synthesis.ts';

interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

const list = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

const statementsOf = (policy: unknown): readonly Statement[] =>
  (policy as { readonly Statement: readonly Statement[] }).Statement;

let stack: Synthesis;
let askingByKey: Synthesis;
let askingByToken: Synthesis;
beforeAll(() => {
  const paymentServiceBaseUrl = 'https://pay.example.com';
  [stack, askingByKey, askingByToken] = synthesiseAll(
    {},
    { environmentName: 'key', paymentServiceBaseUrl },
    { environmentName: 'token', paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' },
  );
});

function roleOf(stage: string, from: Synthesis): string {
  const found = from.ofType('AWS::Lambda::Function').find(([, { Properties }]) => {
    const { Variables } = Properties['Environment'] as { readonly Variables: Record<string, unknown> };
    return Variables['POWERTOOLS_SERVICE_NAME'] === stage;
  });
  if (found === undefined) throw new Error(`no function for the stage ${stage}`);
  return referenced(found[1].Properties['Role']);
}

/** A resource as the path of its construct, with what is joined to its ARN. */
function target(resource: unknown, from: Synthesis): string {
  if (typeof resource === 'string') return resource;
  const join = (resource as { readonly 'Fn::Join'?: readonly [string, readonly unknown[]] })['Fn::Join'];
  if (join !== undefined) return join[1].map((part) => target(part, from)).join(join[0]);
  const id = referenced(resource);
  return from.resources.has(id) ? from.pathOf(id) : id;
}

/** Everything that a stage's role is allowed, as "action on construct". */
function allowed(stage: string, from = stack): string[] {
  const role = roleOf(stage, from);
  const policies = from
    .ofType('AWS::IAM::Policy')
    .filter(([, { Properties }]) => (Properties['Roles'] as unknown[]).map(referenced).includes(role));
  return policies
    .flatMap(([, { Properties }]) => statementsOf(Properties['PolicyDocument']))
    .flatMap((statement) => {
      expect(statement.Effect).toBe('Allow');
      const targets = list(statement.Resource).map((resource) => target(resource, from));
      return list(statement.Action).flatMap((action) => targets.map((target) => `${action} on ${target}`));
    })
    .sort();
}

describe('permissions', () => {
  it('lets the verifier send to the queue and read its secret, and nothing else', () => {
    expect(allowed('verifier')).toEqual([
      'logs:CreateLogStream on Verifier/Function/Logs',
      'logs:PutLogEvents on Verifier/Function/Logs',
      'secretsmanager:GetSecretValue on Verifier/KeySecret',
      'sqs:SendMessage on EventQueue/Queue',
    ]);
  });

  it('lets the consumer take from the queue and write both tables, and nothing else', () => {
    expect(allowed('consumer')).toEqual([
      'dynamodb:GetItem on Tables/Events',
      'dynamodb:GetItem on Tables/Orders',
      'dynamodb:PutItem on Tables/Events',
      'dynamodb:UpdateItem on Tables/Orders',
      'logs:CreateLogStream on Consumer/Function/Logs',
      'logs:PutLogEvents on Consumer/Function/Logs',
      'sqs:ChangeMessageVisibility on EventQueue/Queue',
      'sqs:DeleteMessage on EventQueue/Queue',
      'sqs:GetQueueAttributes on EventQueue/Queue',
      'sqs:ReceiveMessage on EventQueue/Queue',
    ]);
  });

  it('lets the order query read, and nothing else', () => {
    expect(allowed('order-query')).toEqual([
      'dynamodb:BatchGetItem on Tables/Events',
      'dynamodb:BatchGetItem on Tables/Orders',
      'dynamodb:GetItem on Tables/Orders',
      'dynamodb:Query on Tables/Events',
      'dynamodb:Query on Tables/Orders/index/changes',
      'logs:CreateLogStream on OrderQuery/Function/Logs',
      'logs:PutLogEvents on OrderQuery/Function/Logs',
    ]);
  });

  it('lets the order feed follow its stream, publish, and name what failed, and nothing else', () => {
    expect(allowed('order-feed')).toEqual([
      'dynamodb:DescribeStream on Tables/Orders',
      'dynamodb:GetRecords on Tables/Orders',
      'dynamodb:GetShardIterator on Tables/Orders',
      'dynamodb:ListStreams on Tables/Orders',
      'events:PutEvents on OrderFeed/Bus',
      'logs:CreateLogStream on OrderFeed/Function/Logs',
      'logs:PutLogEvents on OrderFeed/Function/Logs',
      'sqs:SendMessage on OrderFeed/Failures',
    ]);
  });

  it('lets the webhook audit read the private keys where it asks with them, and nothing else', () => {
    expect(allowed('webhook-audit', askingByKey)).toEqual([
      'logs:CreateLogStream on WebhookAudit/Function/Logs',
      'logs:PutLogEvents on WebhookAudit/Function/Logs',
      'secretsmanager:GetSecretValue on Verifier/KeySecret',
    ]);
  });

  it('lets the webhook audit read the token, and have it rotated, where it asks with that, and no key', () => {
    expect(allowed('webhook-audit', askingByToken)).toEqual([
      'lambda:InvokeFunction on TokenRefresh/Function/Lambda',
      'logs:CreateLogStream on WebhookAudit/Function/Logs',
      'logs:PutLogEvents on WebhookAudit/Function/Logs',
      'secretsmanager:GetSecretValue on TokenRefresh/TokenSecret',
      'secretsmanager:RotateSecret on TokenRefresh/TokenSecret',
    ]);
  });

  it('gives no role a policy by another way', () => {
    const roles = stack.ofType('AWS::IAM::Role');
    expect(roles).toHaveLength(4);
    for (const [, { Properties }] of roles) {
      expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
    }
    expect(stack.ofType('AWS::IAM::ManagedPolicy')).toEqual([]);
  });

  it('lets only Lambda take the roles', () => {
    for (const [, { Properties }] of stack.ofType('AWS::IAM::Role')) {
      expect(statementsOf(Properties['AssumeRolePolicyDocument'])).toEqual([
        { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
      ]);
    }
  });

  it('lets only API Gateway invoke a function, and only from a route', () => {
    const permissions = stack.ofType('AWS::Lambda::Permission');
    expect(permissions).toHaveLength(5);
    for (const [, { Properties }] of permissions) {
      expect(Properties['Principal']).toBe('apigateway.amazonaws.com');
      expect(JSON.stringify(Properties['SourceArn'])).toMatch(/EndpointApi.*"\/\*\/\*\/\w/);
    }
  });
});
