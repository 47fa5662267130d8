import { describe, expect, it } from 'vitest';
import { adoptedResources, everySetting } from './every-setting.ts';
import { actions } from './iam/actions.ts';
import { evaluate } from './iam/evaluate.ts';
import { list, type Policy, type Principal, type Request, type RequestContext } from './iam/policy.ts';
import { account, type Role, readPolicies, region, type StackPolicies } from './iam/stack-policies.ts';
import { synthesise } from './synthesis.ts';

/** Actions by construct path; a colon or slash leads to a part of the resource. */
type Needs = Readonly<Record<string, readonly string[]>>;

const projecting = ['dynamodb:BatchGetItem', 'dynamodb:ConditionCheckItem', 'dynamodb:UpdateItem'];
const writeLog = ['logs:CreateLogStream', 'logs:PutLogEvents'];

/** What each role may do. A new role needs an entry; every action without an entry must be denied. */
const always: Readonly<Record<string, Needs>> = {
  'Verifier/Function/Role': {
    'Verifier/KeySecret': ['secretsmanager:GetSecretValue'],
    'Heartbeat/KeySecret': ['secretsmanager:GetSecretValue'],
    'EventQueue/Queue': ['sqs:SendMessage'],
    'Verifier/Function/Logs:stream': writeLog,
  },
  'EventQueue/DeadLetterSource/ScheduleRole': { 'EventQueue/DeadLetters': ['sqs:SetQueueAttributes'] },
  'Consumer/Function/Role': {
    'EventQueue/Queue': [
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:ReceiveMessage',
    ],
    'Tables/Events': [...projecting, 'dynamodb:PutItem', 'dynamodb:Query'],
    'Tables/Orders': projecting,
    'Consumer/Function/Logs:stream': writeLog,
  },
  'WaitingCount/Function/Role': {
    'Tables/Events/index/waiting': ['dynamodb:Query'],
    'WaitingCount/Function/Logs:stream': writeLog,
  },
  'WaitingCount/ScheduleRole': { 'WaitingCount/Function/Lambda': ['lambda:InvokeFunction'] },
  'OrderQuery/Function/Role': {
    'Tables/Events': ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'],
    'Tables/Events/index/waiting': ['dynamodb:Query'],
    'Tables/Orders': ['dynamodb:BatchGetItem', 'dynamodb:GetItem'],
    'Tables/Orders/index/changes': ['dynamodb:Query'],
    'OrderQuery/Function/Logs:stream': writeLog,
  },
  'Operations/Function/Role': {
    'Tables/Events': [
      ...projecting,
      ...['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:Scan'],
    ],
    'Tables/Events/index/waiting': ['dynamodb:Query'],
    'Tables/Orders': [...projecting, 'dynamodb:GetItem', 'dynamodb:Scan'],
    'Operations/Function/Logs:stream': writeLog,
  },
  'OrderFeed/Function/Role': {
    'Tables/Orders/stream/2026-11-01T00:00:00.000': [
      'dynamodb:DescribeStream',
      'dynamodb:GetRecords',
      'dynamodb:GetShardIterator',
      'dynamodb:ListStreams',
    ],
    'OrderFeed/Bus': ['events:PutEvents'],
    'OrderFeed/Failures': ['sqs:SendMessage'],
    'OrderFeed/Function/Logs:stream': writeLog,
  },
  'Heartbeat/Function/Role': {
    'Heartbeat/KeySecret': ['secretsmanager:GetSecretValue'],
    'Heartbeat/Function/Logs:stream': writeLog,
  },
  'Heartbeat/ScheduleRole': { 'Heartbeat/Function/Lambda': ['lambda:InvokeFunction'] },
};

/** What was delivered is compared with what is stored. */
const lookUps: Needs = {
  'Tables/Events': ['dynamodb:Query'],
  'EventQueue/DeadLetters': ['sqs:GetQueueAttributes'],
};

/** With `paymentServiceBaseUrl` the audit calls the payment service with the private key … */
const withAudit: Readonly<Record<string, Needs>> = {
  ...always,
  'WebhookAudit/Function/Role': {
    ...lookUps,
    'Verifier/KeySecret': ['secretsmanager:GetSecretValue'],
    'WebhookAudit/Function/Logs:stream': writeLog,
  },
  'WebhookAudit/ScheduleRole': { 'WebhookAudit/Function/Lambda': ['lambda:InvokeFunction'] },
  // These environments have a trust store as well.
  'Heartbeat/Function/Role': {
    'Heartbeat/KeySecret': ['secretsmanager:GetSecretValue'],
    'Heartbeat/ClientCertificate': ['secretsmanager:GetSecretValue'],
    'Heartbeat/Function/Logs:stream': writeLog,
  },
};

/** … or with an OAuth token, and then it may not read the private key. */
const withOauth: Readonly<Record<string, Needs>> = {
  ...withAudit,
  'WebhookAudit/Function/Role': {
    ...lookUps,
    'TokenRefresh/TokenSecret': ['secretsmanager:GetSecretValue', 'secretsmanager:RotateSecret'],
    // RotateSecret also needs permission to invoke the rotation function.
    'TokenRefresh/Function/Lambda': ['lambda:InvokeFunction'],
    'WebhookAudit/Function/Logs:stream': writeLog,
  },
  'TokenRefresh/Function/Role': {
    'TokenRefresh/TokenSecret': [
      'secretsmanager:DescribeSecret',
      'secretsmanager:GetSecretValue',
      'secretsmanager:PutSecretValue',
      'secretsmanager:UpdateSecretVersionStage',
    ],
    'TokenRefresh/Function/Logs:stream': writeLog,
  },
};

/** With `encryptionKeyArn`: what a service may do with the key in the name of a role, and nothing directly. */
const read = ['kms:Decrypt'];
const write = ['kms:Decrypt', 'kms:GenerateDataKey'];
const withKey: Readonly<Record<string, Needs>> = {
  'Verifier/Function/Role': { 'secretsmanager with Encryption/Key': read, 'sqs with Encryption/Key': write },
  'Consumer/Function/Role': { 'dynamodb with Encryption/Key': read, 'sqs with Encryption/Key': read },
  'WaitingCount/Function/Role': { 'dynamodb with Encryption/Key': read },
  'OrderQuery/Function/Role': { 'dynamodb with Encryption/Key': read },
  'Operations/Function/Role': { 'dynamodb with Encryption/Key': read },
  // The stream belongs to the table, and EventBridge encrypts events with its own permission.
  'OrderFeed/Function/Role': { 'dynamodb with Encryption/Key': read },
  'WebhookAudit/Function/Role': {
    'dynamodb with Encryption/Key': read,
    'secretsmanager with Encryption/Key': read,
  },
  'TokenRefresh/Function/Role': { 'secretsmanager with Encryption/Key': write },
  'Heartbeat/Function/Role': { 'secretsmanager with Encryption/Key': read },
};
const keyed = (needs: Readonly<Record<string, Needs>>): typeof needs =>
  Object.fromEntries(Object.entries(needs).map(([role, own]) => [role, { ...own, ...withKey[role] }]));

const publishing = { 'events:source': 'payhooks', 'events:detail-type': 'OrderStatusChanged' };

/** The resource policy of a careless owner. */
const openToAll: Policy = { Statement: { Effect: 'Allow', Principal: '*', Action: '*', Resource: '*' } };

type Target = readonly [place: string, arn: string, context?: RequestContext];

/** The parts of a resource that an action can name. */
function partsOf(place: string, arn: string): Target[] {
  if (arn.includes(':log-group:')) return [[`${place}:stream`, `${arn}:log-stream:one`]];
  if (arn.includes(':execute-api:')) return [[`${place}/route`, `${arn}/$default/GET/orders`]];
  if (arn.includes(':kms:')) {
    return ['dynamodb', 'lambda', 'logs', 'secretsmanager', 'sns', 'sqs'].map((name) => [
      `${name} with ${place}`,
      arn,
      { 'kms:ViaService': `${name}.${region}.amazonaws.com` },
    ]);
  }
  if (!arn.includes(':dynamodb:')) return [];
  const parts = ['/index/changes', '/index/waiting', '/stream/2026-11-01T00:00:00.000'];
  return parts.map((part) => [place + part, arn + part]);
}

/** What a role may do to the targets, as "action on place". */
function allowedActions(
  role: Role,
  targets: readonly Target[],
  policiesOf: StackPolicies['policiesOf'],
): string[] {
  const principal: Principal = { kind: 'identity', arn: role.arn };
  return targets
    .flatMap(([place, resource, given = {}]) => {
      const policies = { identity: role.policies, resource: policiesOf(resource) };
      return actions
        .filter((action) => {
          const context = action === 'events:PutEvents' ? publishing : given;
          return evaluate({ principal, action, resource, context }, policies) === 'allowed';
        })
        .map((action) => `${action} on ${place}`);
    })
    .sort();
}

const { encryptionKeyArn: _, ...withoutKey } = everySetting;
const byKey = { ...withoutKey, paymentServiceAuthentication: 'private-key' };
const table = `arn:aws:dynamodb:${region}:${account}:table/payhooks-production`;
const adoptedArns = {
  'Tables/Events': `${table}-events-20261122T081500Z`,
  'Tables/Orders': `${table}-orders-20261122T081500Z`,
  'Verifier/KeySecret': adoptedResources.keySecretArn,
  'TokenRefresh/TokenSecret': adoptedResources.tokenSecretArn,
};

type Environment = [
  title: string,
  settings: Readonly<Record<string, unknown>>,
  needs: typeof always,
  adopted: Readonly<Record<string, string>>,
];
const environments: Environment[] = [
  ['with the default settings', {}, always, {}],
  ['with an audit by private key', byKey, withAudit, {}],
  ['with an audit by OAuth token', withoutKey, withOauth, {}],
  ['with a KMS key', everySetting, keyed(withOauth), {}],
  ['with a KMS key and an audit by private key', { ...byKey, encryptionKeyArn: 'own' }, keyed(withAudit), {}],
  [
    'with adopted tables and secrets',
    { ...everySetting, ...adoptedResources },
    keyed(withOauth),
    adoptedArns,
  ],
];

describe.each(environments)('%s', (_, settings, needs, adopted) => {
  const synthesis = synthesise(settings);
  const stack = readPolicies(synthesis, adopted);
  const resources = [...stack.arns];
  const roles = [...stack.roles];

  it('the roles are those that are listed here', () => {
    expect([...stack.roles.keys()].sort()).toEqual(Object.keys(needs).sort());
  });

  it('no role has a managed, an inline or a shared policy', () => {
    for (const { Tags: _, ...properties } of synthesis.propertiesOf('AWS::IAM::Role')) {
      expect(Object.keys(properties)).toEqual(['AssumeRolePolicyDocument']);
    }
    expect(synthesis.ofType('AWS::IAM::ManagedPolicy')).toEqual([]);
    for (const { Roles } of synthesis.propertiesOf('AWS::IAM::Policy')) expect(Roles).toHaveLength(1);
  });

  it.each(roles)('%s may do what it needs on resources of the stack, and nothing else', (place, role) => {
    const own = resources.flatMap(([name, arn]): Target[] => [[name, arn], ...partsOf(name, arn)]);
    const expected = Object.entries(needs[place] ?? {}).flatMap(([target, needed]) =>
      needed.map((action) => `${action} on ${target}`),
    );
    expect(allowedActions(role, own, stack.policiesOf)).toEqual(expected.sort());
  });

  it.each(roles)('%s may do nothing to a resource of another stack in the account', (_, role) => {
    // A wildcard at the end of a name would match these.
    const neighbours = resources.flatMap(([name, arn]): Target[] => [
      [name, `${arn}-2`],
      ...partsOf(name, `${arn}-2`),
    ]);
    expect(allowedActions(role, neighbours, () => [])).toEqual([]);
  });

  it.each(roles)('%s may do nothing in another account, even where all is permitted', (_, role) => {
    const foreign = resources.map(([name, arn]): Target => [name, arn.replace(account, '444455556666')]);
    expect(allowedActions(role, foreign, () => [openToAll])).toEqual([]);
  });

  it.each(roles)('%s is assumable by one service only, not by an administrator', (place, role) => {
    const assumes = (principal: Principal, from = account): boolean => {
      const context = { 'aws:SourceAccount': from };
      const request: Request = { principal, action: 'sts:AssumeRole', resource: role.arn, context };
      const policies = { identity: [openToAll], resource: stack.policiesOf(role.arn) };
      return evaluate(request, policies) === 'allowed';
    };
    const services = ['lambda', 'scheduler', 'ec2'].map((name) => `${name}.amazonaws.com`);
    const identities = [`arn:aws:iam::${account}:role/administrator`, ...roles.map(([, role]) => role.arn)];
    const byScheduler = place.endsWith('/ScheduleRole');
    expect(services.filter((service) => assumes({ kind: 'service', service }))).toEqual([
      byScheduler ? 'scheduler.amazonaws.com' : 'lambda.amazonaws.com',
    ]);
    expect(identities.filter((arn) => assumes({ kind: 'identity', arn }))).toEqual([]);
    const scheduler: Principal = { kind: 'service', service: 'scheduler.amazonaws.com' };
    expect(assumes(scheduler, '444455556666')).toBe(false);
  });

  it('no policy permits an action with a wildcard, or one that is not evaluated here', () => {
    const permitted = roles.flatMap(([, role]) =>
      role.policies.flatMap(({ Statement }) => list(Statement).flatMap(({ Action }) => list(Action))),
    );
    expect(permitted.filter((action) => !actions.includes(action))).toEqual([]);
    expect(actions.length).toBeGreaterThan(150);
  });
});

describe('the order feed', () => {
  const stack = readPolicies(synthesise());
  const role = stack.roles.get('OrderFeed/Function/Role');

  it.each([
    ['may publish', 'payhooks', 'OrderStatusChanged', 'allowed'],
    ['may publish', 'payhooks.sandbox', 'OrderStatusChanged', 'allowed'],
    ['may publish', 'payhooks.heartbeat', 'Heartbeat', 'allowed'],
    ['may not publish', 'payhooks', 'Heartbeat', 'implicit deny'],
    ['may not publish', 'payhooks.heartbeat', 'OrderStatusChanged', 'implicit deny'],
    ['may not publish', 'aws.health', 'OrderStatusChanged', 'implicit deny'],
    ['may not publish', 'payhooks', 'SomethingElse', 'implicit deny'],
  ])('%s as %s the event %s', (_, source, type, decision) => {
    const request: Request = {
      principal: { kind: 'identity', arn: role?.arn ?? '' },
      action: 'events:PutEvents',
      resource: stack.arnAt('OrderFeed/Bus'),
      context: { 'events:source': source, 'events:detail-type': type },
    };
    expect(evaluate(request, { identity: role?.policies ?? [], resource: [] })).toBe(decision);
  });
});
