import { describe, expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { type Decision, evaluate } from './iam/evaluate.ts';
import { list, type Policy, type Principal, type RequestContext } from './iam/policy.ts';
import { account, readPolicies, region } from './iam/stack-policies.ts';
import { synthesise } from './synthesis.ts';

const everything: Policy = { Statement: { Effect: 'Allow', Action: '*', Resource: '*' } };
const otherAccount = '444455556666';
const stack = readPolicies(synthesise(everySetting));
const withoutOperator = readPolicies(synthesise());

/** Every action that the policy of a resource names, and in place of a wildcard one that none names. */
const named = [...stack.arns.values()]
  .flatMap(stack.policiesOf)
  .flatMap(({ Statement }) => list(Statement).flatMap(({ Action }) => list(Action)));
const actions = [...new Set(named.map((action) => action.replace('*', 'AnythingElse')))];

/** What the policies of a resource make of a request whose identity may do everything. */
function decide(
  principal: Principal,
  action: string,
  place: string,
  options: { readonly context?: RequestContext; readonly of?: typeof stack } = {},
): Decision {
  const { context = {}, of = stack } = options;
  const resource = of.arnAt(place);
  const policies = { identity: [everything], resource: of.policiesOf(resource) };
  return evaluate({ principal, action, resource, context }, policies);
}

const identity = (arn: string): Principal => ({ kind: 'identity', arn });
const service = (name: string): Principal => ({ kind: 'service', service: `${name}.amazonaws.com` });
const administrator = identity(`arn:aws:iam::${account}:role/administrator`);
const operator = identity(everySetting.operatorRoleArn);
const admin = identity(everySetting.tableAdminRoleArn);
const cloudFormation = identity(
  `arn:aws:iam::${account}:role/cdk-payments-cfn-exec-role-${account}-${region}`,
);
const stage = (name: string): Principal => identity(stack.roles.get(`${name}/Function/Role`)?.arn ?? '');
const verifier = stage('Verifier');
const consumer = stage('Consumer');
const operations = stage('Operations');

const queue = 'EventQueue/Queue';

type Guarded = readonly [action: string, permitted: readonly Principal[], refused: readonly Principal[]];

/** With `operatorRoleArn`, everyone else is refused, whatever an identity's policy permits. */
function expectGuarded(place: string, [action, permitted, refused]: Guarded, of = stack): void {
  for (const who of permitted) expect(decide(who, action, place, { of }), action).toBe('allowed');
  for (const who of refused) expect(decide(who, action, place, { of }), action).toBe('explicit deny');
}

describe('the event queue', () => {
  it('accepts messages only from the verifier and the operator, whose identity a redrive sends with', () => {
    expectGuarded(queue, ['sqs:SendMessage', [verifier, operator], [consumer, administrator]]);
    // Without operatorRoleArn the policies of the account decide.
    expectGuarded(queue, ['sqs:SendMessage', [verifier, administrator], []], withoutOperator);
  });

  it.each(['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'PurgeQueue'])(
    'permits %s only to the consumer, with or without operatorRoleArn',
    (action) => {
      for (const of of [stack, withoutOperator])
        expectGuarded(queue, [`sqs:${action}`, [consumer], [administrator, verifier, operator]], of);
    },
  );
});

describe('the dead-letter queue', () => {
  const deadLetters = 'EventQueue/DeadLetters';

  it('accepts a message from no identity, and denies SQS itself nothing', () => {
    const everyone = [administrator, operator, verifier, consumer];
    for (const of of [stack, withoutOperator])
      expectGuarded(deadLetters, ['sqs:SendMessage', [], everyone], of);
    expect(decide(service('sqs'), 'sqs:SendMessage', deadLetters)).toBe('implicit deny');
  });

  it.each([
    ...['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'PurgeQueue', 'StartMessageMoveTask'],
  ])('permits %s only to the operator when operatorRoleArn is set', (action) => {
    expectGuarded(deadLetters, [`sqs:${action}`, [operator], [administrator, verifier, consumer]]);
    expectGuarded(deadLetters, [`sqs:${action}`, [administrator], []], withoutOperator);
  });
});

describe('the bus of the order feed', () => {
  const bus = 'OrderFeed/Bus';
  const feed = stage('OrderFeed');
  const root = identity(`arn:aws:iam::${account}:root`);
  const others = [administrator, operator, root, verifier, consumer, operations];

  /** What becomes of entries with these sources and types, from an identity that may do all. */
  const publish = (who: Principal, source: string | readonly string[], type: string | readonly string[]) =>
    decide(who, 'events:PutEvents', bus, {
      context: { 'events:source': source, 'events:detail-type': type },
    });

  it.each(['payhooks', 'payhooks.sandbox', 'payhooks.heartbeat', 'payhooks-copy'])(
    'takes events with the source %s from the feed alone, and its type from nobody else',
    (source) => {
      expect(publish(feed, source, 'OrderStatusChanged')).toBe('allowed');
      for (const who of others) {
        expect(publish(who, source, 'Heartbeat')).toBe('explicit deny');
        expect(publish(who, 'shop.checkout', 'OrderStatusChanged')).toBe('explicit deny');
      }
    },
  );

  it('refuses a request that has one such entry among others', () => {
    expect(publish(administrator, ['shop', 'payhooks'], 'CartAbandoned')).toBe('explicit deny');
    expect(publish(administrator, 'shop', ['CartAbandoned', 'OrderStatusChanged'])).toBe('explicit deny');
  });

  it('leaves other events, rules and replays to the policies of the account, but not of another account', () => {
    expect(publish(administrator, 'shop.checkout', 'CartAbandoned')).toBe('allowed');
    for (const action of ['PutRule', 'PutTargets', 'DeleteRule', 'StartReplay'])
      expect(decide(operator, `events:${action}`, bus)).toBe('allowed');
    const stranger = identity(`arn:aws:iam::${otherAccount}:role/administrator`);
    for (const who of [stranger, { kind: 'anonymous' } as const])
      expect(publish(who, 'shop.checkout', 'CartAbandoned')).not.toBe('allowed');
    // Archived events come from EventBridge itself.
    expect(publish(service('events'), 'payhooks', 'OrderStatusChanged')).toBe('implicit deny');
  });
});

describe.each(['Tables/Events', 'Tables/Orders'])('%s, when tableAdminRoleArn is set,', (table) => {
  const readers = ['Verifier', 'OrderQuery', 'WaitingCount', 'WebhookAudit'].map(stage);
  const feedRole = stage('OrderFeed');
  const others = [administrator, operator, feedRole, ...readers];
  const writing = ['PutItem', 'PartiQLInsert', 'PartiQLUpdate'];
  const deleting = ['BatchWriteItem', 'PartiQLDelete', 'DeleteTable'];

  it('is written by the consumer, the operations API and the admin of the tables alone', () => {
    for (const action of writing)
      expectGuarded(table, [`dynamodb:${action}`, [consumer, operations, admin], others]);
    // The order feed marks orders with attention among the events.
    const marks = table === 'Tables/Events';
    const refused = others.filter((who) => !(marks && who === feedRole));
    const permitted = [consumer, operations, admin, ...(marks ? [feedRole] : [])];
    expectGuarded(table, ['dynamodb:UpdateItem', permitted, refused]);
  });

  it('loses rows by the admin of the tables alone, and rows of bodies by the operations API, which erases them', () => {
    for (const action of deleting)
      expectGuarded(table, [`dynamodb:${action}`, [admin], [...others, consumer, operations]]);
    const erases = table === 'Tables/Events';
    const permitted = erases ? [admin, operations] : [admin];
    const refused = erases ? [...others, consumer] : [...others, consumer, operations];
    expectGuarded(table, ['dynamodb:DeleteItem', permitted, refused]);
  });

  it.each([
    ['production', 'payhooks-production'],
    // CloudFormation shortens the names of roles.
    ['a-rather-long-environment-name', 'payhooks-a-rather-long-en'],
  ])('is written by the same stages of a later stack of %s, and by no other', (environmentName, name) => {
    const of = readPolicies(synthesise({ ...everySetting, environmentName }));
    const role = (stage: string): Principal =>
      identity(`arn:aws:iam::${account}:role/${name}-${stage}FunctionRole1A2B-abcDEF123456`);
    const writers = [role('Consumer'), role('Operations')];
    expectGuarded(table, ['dynamodb:UpdateItem', writers, [role('OrderQuery')]], of);
    expectGuarded(table, ['dynamodb:BatchWriteItem', [], writers], of);
  });

  it.each(['UpdateTable', 'UpdateTimeToLive', 'UpdateContinuousBackups'])(
    'permits %s, which can switch off a protection, only to CloudFormation and the admin of the tables',
    (action) => {
      const refused = [...others, consumer, operations];
      expectGuarded(table, [`dynamodb:${action}`, [cloudFormation, admin], refused]);
    },
  );

  it('denies nothing else: restores, backups, reads, and the policy itself', () => {
    const rest = ['RestoreTableToPointInTime', 'CreateBackup', 'GetItem', 'Query', 'Scan'];
    for (const action of [...rest, 'AnythingElse', 'PutResourcePolicy', 'DeleteResourcePolicy'])
      expectGuarded(table, [`dynamodb:${action}`, [administrator], []]);
  });

  it('denies DynamoDB itself nothing: expiry, and the role that copies rows to a replica', () => {
    expect(decide(service('dynamodb'), 'dynamodb:DeleteItem', table)).toBe('implicit deny');
    const replication = 'replication.dynamodb.amazonaws.com/AWSServiceRoleForDynamoDBReplication';
    const linked = identity(`arn:aws:iam::${account}:role/aws-service-role/${replication}`);
    for (const action of ['PutItem', 'DeleteItem'])
      expectGuarded(table, [`dynamodb:${action}`, [linked], []]);
  });
});

describe('the tables', () => {
  it('of a throw-away stack can be deleted with it, by the role of CloudFormation', () => {
    const throwAway = readPolicies(
      synthesise({ ...everySetting, keepData: false, backupRetentionDays: undefined }),
    );
    expectGuarded('Tables/Events', ['dynamodb:DeleteTable', [administrator], []], throwAway);
    expectGuarded('Tables/Events', ['dynamodb:DeleteItem', [], [administrator]], throwAway);
  });

  it('have no policy without tableAdminRoleArn', () => {
    for (const table of ['Tables/Events', 'Tables/Orders'])
      expect(withoutOperator.policiesOf(withoutOperator.arnAt(table))).toEqual([]);
  });
});

describe('every resource', () => {
  it.each<[string, Principal]>([
    ['an administrator of another account', identity(`arn:aws:iam::${otherAccount}:role/administrator`)],
    ['an anonymous caller', { kind: 'anonymous' }],
  ])('denies every action to %s', (_, principal) => {
    const allowed = [...stack.arns.keys()].flatMap((place) =>
      actions
        .filter((action) => decide(principal, action, place) === 'allowed')
        .map((action) => `${action} on ${place}`),
    );
    expect(allowed).toEqual([]);
  });

  it('permits nothing to a role by its own policy: test/lib/least-privilege.test.ts has all that roles may do', () => {
    const byResource = [...stack.arns.keys()].flatMap((place) => {
      const resource = stack.arnAt(place);
      const policies = { identity: [], resource: stack.policiesOf(resource) };
      return [...stack.roles.values()].flatMap(({ arn }) =>
        actions.filter(
          (action) => evaluate({ principal: identity(arn), action, resource }, policies) === 'allowed',
        ),
      );
    });
    expect(byResource).toEqual([]);
  });
});

describe('the alarm topic and its key', () => {
  it.each([
    ['sns:Publish', 'Alarms/Topic'],
    ['kms:Decrypt', 'Alarms/Key'],
    ['kms:GenerateDataKey', 'Alarms/Key'],
  ])('permit %s only to CloudWatch for this account', (action, place) => {
    const from = (name: string, source: string): Decision =>
      decide(service(name), action, place, { context: { 'aws:SourceAccount': source } });
    expect(from('cloudwatch', account)).toBe('allowed');
    expect(from('cloudwatch', otherAccount)).toBe('implicit deny');
    expect(from('events', account)).toBe('implicit deny');
  });
});

describe('the key of what is stored', () => {
  const key = 'Encryption/Key';
  const logs = (group: string): RequestContext => ({
    'kms:EncryptionContext:aws:logs:arn': `arn:aws:logs:${region}:${account}:log-group:${group}`,
  });
  const bus = (name: string): RequestContext => ({
    'kms:EncryptionContext:aws:events:event-bus:arn': `arn:aws:events:${region}:${account}:event-bus/${name}`,
  });

  const group = 'payhooks-production-VerifierFunctionLogs1A2B3C4D-a1b2c3d4e5f6';
  it.each<[name: string, context: RequestContext, decision: Decision]>([
    [`logs.${region}`, logs(group), 'allowed'],
    [`logs.${region}`, logs('/aws/lambda/other'), 'implicit deny'],
    ['events', bus('payhooks-production'), 'allowed'],
    ['events', bus('other'), 'implicit deny'],
    ['events', {}, 'implicit deny'],
    // These act for a caller, who needs the permission.
    ...['dynamodb', 'lambda', 'secretsmanager', 'sqs', 'cloudwatch', 'sns'].map(
      (name): [string, RequestContext, Decision] => [name, {}, 'implicit deny'],
    ),
  ])('decides on its use by %s with %j: %s', (name, context, decision) => {
    for (const action of ['kms:Decrypt', 'kms:GenerateDataKey'])
      expect(decide(service(name), action, key, { context })).toBe(decision);
  });

  it('leaves its administration and its use to the identity policies of the account', () => {
    const resource = stack.arnAt(key);
    for (const action of ['kms:Decrypt', 'kms:DisableKey', 'kms:PutKeyPolicy']) {
      expect(decide(administrator, action, key)).toBe('allowed');
      const policies = { identity: [], resource: stack.policiesOf(resource) };
      expect(evaluate({ principal: administrator, action, resource }, policies)).toBe('implicit deny');
    }
  });

  it('takes grants only from services that encrypt at rest', () => {
    const context = { 'kms:GrantIsForAWSResource': 'true' };
    expect(decide(administrator, 'kms:CreateGrant', key, { context })).toBe('allowed');
    expect(decide(administrator, 'kms:CreateGrant', key)).toBe('explicit deny');
  });
});

describe('the functions', () => {
  const invoke = (name: string, construct: string, context: RequestContext): Decision =>
    decide(service(name), 'lambda:InvokeFunction', `${construct}/Function/Lambda`, { context });

  it('rotate the token for Secrets Manager only for its secret in this account', () => {
    const rotate = (of: string, secret: string): Decision => {
      const context = { 'aws:SourceAccount': of, 'aws:SourceArn': stack.arnAt(secret) };
      return invoke('secretsmanager', 'TokenRefresh', context);
    };
    expect(rotate(account, 'TokenRefresh/TokenSecret')).toBe('allowed');
    expect(rotate(account, 'Verifier/KeySecret')).toBe('implicit deny');
    expect(rotate(otherAccount, 'TokenRefresh/TokenSecret')).toBe('implicit deny');
  });

  it.each([
    ['Verifier', 'POST/webhooks/payments'],
    ['OrderQuery', 'GET/orders/{order_id}'],
    ['Operations', 'POST/operations/admit'],
  ])('%s is invoked by API Gateway only for its API and the path of a route', (construct, route) => {
    const api = stack.arnAt(`${construct}/Endpoint/Api`).split(':').at(-1);
    const from = (source: string, of = account): Decision =>
      invoke('apigateway', construct, { 'aws:SourceArn': `arn:aws:execute-api:${region}:${of}:${source}` });
    expect(from(`${api}/$default/${route}`)).toBe('allowed');
    expect(from(`${api}/$default/POST/other`)).toBe('implicit deny');
    expect(from(`other/$default/${route}`)).toBe('implicit deny');
    expect(from(`${api}/$default/${route}`, otherAccount)).toBe('implicit deny');
  });
});
