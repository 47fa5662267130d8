import { describe, expect, it } from 'vitest';
import { adoptedResources, everySetting } from './every-setting.ts';
import { account, readPolicies, region } from './iam/stack-policies.ts';
import { synthesise } from './synthesis.ts';

/** Actions by construct path, with the part of the resource and the condition, if there are any. */
type Needs = Readonly<Record<string, readonly string[]>>;

const projecting = ['dynamodb:BatchGetItem', 'dynamodb:ConditionCheckItem', 'dynamodb:UpdateItem'];
const readSecret = ['secretsmanager:GetSecretValue'];
const readOrder: Needs = { 'OrderQuery/Endpoint/Api/*/GET/orders/*': ['execute-api:Invoke'] };
const rotateSecret = [
  'secretsmanager:DescribeSecret',
  'secretsmanager:GetSecretValue',
  'secretsmanager:PutSecretValue',
  'secretsmanager:UpdateSecretVersionStage',
];

const own = (service: string, resource: string): string =>
  `arn:aws:${service}:${service === 'iam' ? '' : region}:${account}:${resource}`;
const describeTable = [
  'DescribeContinuousBackups',
  'DescribeTable',
  'DescribeTimeToLive',
  'GetResourcePolicy',
].map((action) => `dynamodb:${action}`);
/** It compares settings and policies with the template, and reads no data. */
const selfCheck: Needs = {
  ...Object.fromEntries(
    ['operationsendpointapi6231df1c', 'orderqueryendpointapi66b86e72', 'verifierendpointapif833ab10'].map(
      (api) => [`arn:aws:apigateway:${region}::/apis/${api}/*`, ['apigateway:GET']],
    ),
  ),
  [own('cloudformation', 'stack/payhooks-production/*')]: [
    ...['cloudformation:DescribeStacks', 'cloudformation:GetTemplate', 'cloudformation:ListStackResources'],
  ],
  '*': ['cloudwatch:DescribeAlarms'],
  'Tables/Events': describeTable,
  'Tables/Orders': describeTable,
  'OrderFeed/Archive/Archive': ['events:DescribeArchive'],
  'OrderFeed/Bus': ['events:DescribeEventBus'],
  [own('iam', 'role/payhooks-production-*')]: [
    ...['iam:GetRole', 'iam:GetRolePolicy', 'iam:ListAttachedRolePolicies', 'iam:ListRolePolicies'],
  ],
  [own('lambda', 'event-source-mapping:*')]: ['lambda:GetEventSourceMapping'],
  [own('lambda', 'function:payhooks-production-*')]: ['lambda:GetFunctionConfiguration', 'lambda:GetPolicy'],
  [own('logs', 'log-group:*')]: ['logs:DescribeLogGroups'],
  [own('logs', 'log-group:payhooks-production-*')]: ['logs:DescribeMetricFilters'],
  [own('scheduler', 'schedule/default/payhooks-production-*')]: ['scheduler:GetSchedule'],
  [own('sqs', 'payhooks-production-*')]: ['sqs:GetQueueAttributes'],
};

/** What each role may do, besides writing to the log of its function; a policy with anything else fails. */
const always: Readonly<Record<string, Needs>> = {
  'Verifier/Function/Role': {
    'Verifier/KeySecret': readSecret,
    'Heartbeat/KeySecret': readSecret,
    'Seal/Secret': readSecret,
    'EventQueue/Queue': ['sqs:SendMessage'],
  },
  'EventQueue/DeadLetterSource/ScheduleRole': { 'EventQueue/DeadLetters': ['sqs:SetQueueAttributes'] },
  'Seal/Function/Role': { 'Seal/Secret': rotateSecret },
  'Consumer/Function/Role': {
    'Seal/Secret': readSecret,
    'EventQueue/Queue': [
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:ReceiveMessage',
    ],
    'Tables/Events': [...projecting, 'dynamodb:PutItem', 'dynamodb:Query'],
    'Tables/Orders': projecting,
  },
  'WaitingCount/Function/Role': { 'Tables/Events/index/waiting': ['dynamodb:Query'] },
  'WaitingCount/ScheduleRole': { 'WaitingCount/Function/Lambda': ['lambda:InvokeFunction'] },
  'OrderQuery/Function/Role': {
    'Tables/Events': ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'],
    'Tables/Events/index/waiting': ['dynamodb:Query'],
    'Tables/Orders': ['dynamodb:BatchGetItem', 'dynamodb:GetItem'],
    'Tables/Orders/index/changes': ['dynamodb:Query'],
  },
  'Operations/Function/Role': {
    'Tables/Events': [
      ...projecting,
      ...['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:Scan'],
    ],
    'Tables/Events/index/waiting': ['dynamodb:Query'],
    'Tables/Events/index/receipts': ['dynamodb:Query'],
    'Tables/Orders': [...projecting, 'dynamodb:GetItem', 'dynamodb:Scan'],
    'Heartbeat/KeySecret': readSecret,
  },
  'OrderFeed/Function/Role': {
    'Tables/Orders': ['dynamodb:BatchGetItem'],
    'Tables/Orders/stream/2026-11-01T00:00:00.000': [
      'dynamodb:DescribeStream',
      'dynamodb:GetRecords',
      'dynamodb:GetShardIterator',
      'dynamodb:ListStreams',
    ],
    'OrderFeed/Bus if events:source is payhooks, payhooks.sandbox and events:detail-type is OrderStatusChanged':
      ['events:PutEvents'],
    'OrderFeed/Bus if events:source is payhooks.heartbeat and events:detail-type is Heartbeat': [
      'events:PutEvents',
    ],
    'OrderFeed/Failures': ['sqs:SendMessage'],
    'Tables/Events if dynamodb:LeadingKeys is live:attention:*, sandbox:attention:*': ['dynamodb:UpdateItem'],
  },
  'Heartbeat/Function/Role': { 'Heartbeat/KeySecret': readSecret },
  'HeartbeatReturn/Function/Role': readOrder,
  'SelfCheck/Function/Role': selfCheck,
  'SelfCheck/ScheduleRole': { 'SelfCheck/Function/Lambda': ['lambda:InvokeFunction'] },
  'Heartbeat/ScheduleRole': { 'Heartbeat/Function/Lambda': ['lambda:InvokeFunction'] },
};

const backingUp = ['CreateBackup', 'DescribeTable', 'ListTagsOfResource', 'StartAwsBackupJob'].map(
  (action) => `dynamodb:${action}`,
);

/** What was delivered is compared with what is stored. */
const lookUps: Needs = {
  'Tables/Events': ['dynamodb:BatchGetItem', 'dynamodb:Query'],
  'Tables/Orders': ['dynamodb:BatchGetItem'],
  'Tables/Orders/index/changes': ['dynamodb:Query'],
};
/** Of the log that proves the acts of operators: no role of the stack takes lines away from it. */
const denied = [
  ...['DeleteLogGroup', 'DeleteLogStream', 'PutLogGroupDeletionProtection'],
  ...['PutRetentionPolicy', 'DeleteRetentionPolicy', 'AssociateKmsKey', 'DisassociateKmsKey'],
].map((action) => `logs:${action} on Operations/Function/Logs:* is denied`);
const writeLog = ['logs:CreateLogStream', 'logs:PutLogEvents'];
const logOf = (role: string): Needs =>
  role.endsWith('/Function/Role') ? { [role.replace(/Role$/, 'Logs:*')]: writeLog } : {};

/** With `paymentServiceBaseUrl` the audit calls the payment service with the private key … */
const withAudit: Readonly<Record<string, Needs>> = {
  ...always,
  'WebhookAudit/Function/Role': {
    ...lookUps,
    'Verifier/KeySecret': readSecret,
  },
  'WebhookAudit/ScheduleRole': { 'WebhookAudit/Function/Lambda': ['lambda:InvokeFunction'] },
  // These environments have a trust store and backups as well.
  'Backups/Role': Object.fromEntries(['Tables/Events', 'Tables/Orders'].map((table) => [table, backingUp])),
  'Heartbeat/Function/Role': {
    'Heartbeat/KeySecret': readSecret,
    'Heartbeat/ClientCertificate': readSecret,
  },
  'HeartbeatReturn/Function/Role': { ...readOrder, 'Alarms/Topic': ['sns:GetTopicAttributes'] },
};

/** … or with an OAuth token, and then it may not read the private key. */
const withOauth: Readonly<Record<string, Needs>> = {
  ...withAudit,
  'WebhookAudit/Function/Role': {
    ...lookUps,
    'TokenRefresh/TokenSecret': ['secretsmanager:GetSecretValue', 'secretsmanager:RotateSecret'],
    // RotateSecret also needs permission to invoke the rotation function.
    'TokenRefresh/Function/Lambda': ['lambda:InvokeFunction'],
  },
  'TokenRefresh/Function/Role': {
    'TokenRefresh/TokenSecret': rotateSecret,
  },
};

/** With `encryptionKeyArn`: what a service may do with the key in the name of a role, and nothing directly. */
const keyFor = (...services: readonly string[]): Needs =>
  Object.fromEntries(
    services.map((name) => [
      `Encryption/Key if kms:ViaService is ${name}.${region}.amazonaws.com`,
      ['kms:Decrypt'],
    ]),
  );
const keyToWriteFor = (service: string): Needs =>
  Object.fromEntries(
    Object.keys(keyFor(service)).map((key) => [key, ['kms:Decrypt', 'kms:GenerateDataKey']]),
  );
const withKey: Readonly<Record<string, Needs>> = {
  'Verifier/Function/Role': { ...keyFor('secretsmanager'), ...keyToWriteFor('sqs') },
  'Consumer/Function/Role': keyFor('dynamodb', 'secretsmanager', 'sqs'),
  'Seal/Function/Role': keyToWriteFor('secretsmanager'),
  'WaitingCount/Function/Role': keyFor('dynamodb'),
  'OrderQuery/Function/Role': keyFor('dynamodb'),
  'Operations/Function/Role': keyFor('dynamodb', 'secretsmanager'),
  // The stream belongs to the table, and EventBridge encrypts events with its own permission.
  'OrderFeed/Function/Role': keyFor('dynamodb'),
  'WebhookAudit/Function/Role': keyFor('dynamodb', 'secretsmanager'),
  'TokenRefresh/Function/Role': keyToWriteFor('secretsmanager'),
  'Heartbeat/Function/Role': keyFor('secretsmanager'),
  'Backups/Role': keyToWriteFor('dynamodb'),
};
const keyed = (needs: Readonly<Record<string, Needs>>): typeof needs =>
  Object.fromEntries(Object.entries(needs).map(([role, own]) => [role, { ...own, ...withKey[role] }]));

const { encryptionKeyArn: _, ...withoutKey } = everySetting;
const byKey = { ...withoutKey, paymentServiceAuthentication: 'private-key' };
const table = `arn:aws:dynamodb:${region}:${account}:table/payhooks-production`;
const adoptedArns = {
  'Tables/Events': `${table}-events-20261122T081500Z`,
  'Tables/Orders': `${table}-orders-20261122T081500Z`,
  'Verifier/KeySecret': adoptedResources.keySecretArn,
  'TokenRefresh/TokenSecret': adoptedResources.tokenSecretArn,
  'Seal/Secret': adoptedResources.sealSecretArn,
};

type Environment = [
  title: string,
  settings: Readonly<Record<string, unknown>>,
  needs: typeof always,
  adopted: Readonly<Record<string, string>>,
];
const adopting = { ...everySetting, ...adoptedResources };
const environments: Environment[] = [
  ['with the default settings', {}, always, {}],
  ['with an audit by private key', byKey, withAudit, {}],
  ['with an audit by OAuth token', withoutKey, withOauth, {}],
  ['with a KMS key', everySetting, keyed(withOauth), {}],
  ['with a KMS key and an audit by private key', { ...byKey, encryptionKeyArn: 'own' }, keyed(withAudit), {}],
  ['with adopted tables and secrets', adopting, keyed(withOauth), adoptedArns],
];

describe.each(environments)('%s', (_, settings, needs, adopted) => {
  const synthesis = synthesise(settings);
  const { roles, grantsOf, policiesOf } = readPolicies(synthesis, adopted);

  it('the roles are those that are listed here, each with one policy of its own', () => {
    expect([...roles.keys()].sort()).toEqual(Object.keys(needs).sort());
    for (const { Tags: _, ...properties } of synthesis.propertiesOf('AWS::IAM::Role')) {
      expect(Object.keys(properties)).toEqual(['AssumeRolePolicyDocument']);
    }
    expect(synthesis.ofType('AWS::IAM::ManagedPolicy')).toEqual([]);
    for (const { Roles } of synthesis.propertiesOf('AWS::IAM::Policy')) expect(Roles).toHaveLength(1);
  });

  it.each([...roles])('%s is assumable by one service only', (place, { arn }) => {
    const service = place.endsWith('/ScheduleRole')
      ? 'scheduler'
      : place === 'Backups/Role'
        ? 'backup'
        : 'lambda';
    const Service = `${service}.amazonaws.com`;
    const trust = { Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' };
    const Condition = { StringEquals: { 'aws:SourceAccount': account } };
    expect(policiesOf(arn).map(({ Statement }) => Statement)).toEqual([
      [service === 'lambda' ? trust : { ...trust, Condition }],
    ]);
  });

  it.each([...roles.keys()])(
    'the policy of %s permits what it needs on resources of the stack, and nothing else',
    (role) => {
      const expected = Object.entries({ ...needs[role], ...logOf(role) }).flatMap(([target, needed]) =>
        needed.map((action) => `${action} on ${target}`),
      );
      expect(grantsOf(role)).toEqual([...expected, ...denied].sort());
    },
  );
});
