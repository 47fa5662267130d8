import { describe, expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { actions } from './iam/actions.ts';
import { type Decision, evaluate } from './iam/evaluate.ts';
import type { Policy, Principal, RequestContext } from './iam/policy.ts';
import { account, readPolicies, region } from './iam/stack-policies.ts';
import { synthesise } from './synthesis.ts';

const everything: Policy = { Statement: { Effect: 'Allow', Action: '*', Resource: '*' } };
const otherAccount = '444455556666';
const synthesis = synthesise(everySetting);
const stack = readPolicies(synthesis);
const withoutOperator = readPolicies(synthesise());

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
const verifier = identity(stack.roles.get('Verifier/Function/Role')?.arn ?? '');
const consumer = identity(stack.roles.get('Consumer/Function/Role')?.arn ?? '');

const queue = 'EventQueue/Queue';
const queues = ['EventQueue/DeadLetters', 'EventQueue/Queue', 'OrderFeed/Failures'];

describe('the event queue', () => {
  it('accepts messages only from the verifier and the operator when operatorRoleArn is set', () => {
    expect(decide(verifier, 'sqs:SendMessage', queue)).toBe('allowed');
    // A redrive sends with the operator's identity.
    expect(decide(operator, 'sqs:SendMessage', queue)).toBe('allowed');
    expect(decide(consumer, 'sqs:SendMessage', queue)).toBe('explicit deny');
    expect(decide(administrator, 'sqs:SendMessage', queue)).toBe('explicit deny');
  });

  it('leaves sending to the policies of the account when operatorRoleArn is not set', () => {
    expect(decide(verifier, 'sqs:SendMessage', queue, { of: withoutOperator })).toBe('allowed');
    expect(decide(administrator, 'sqs:SendMessage', queue, { of: withoutOperator })).toBe('allowed');
  });

  it.each(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:PurgeQueue'])(
    'permits %s only to the consumer',
    (action) => {
      for (const of of [stack, withoutOperator]) {
        expect(decide(consumer, action, queue, { of })).toBe('allowed');
        for (const other of [administrator, verifier, operator]) {
          expect(decide(other, action, queue, { of })).toBe('explicit deny');
        }
      }
    },
  );
});

describe('the dead-letter queue', () => {
  const deadLetters = 'EventQueue/DeadLetters';

  it('accepts a message from no identity, with or without operatorRoleArn', () => {
    for (const of of [stack, withoutOperator]) {
      for (const who of [administrator, operator, verifier, consumer]) {
        expect(decide(who, 'sqs:SendMessage', deadLetters, { of })).toBe('explicit deny');
      }
    }
  });

  it('denies SQS itself nothing, and permits no service to send to it', () => {
    expect(decide(service('sqs'), 'sqs:SendMessage', deadLetters)).toBe('implicit deny');
    expect(decide(service('sns'), 'sqs:SendMessage', deadLetters)).toBe('implicit deny');
  });

  it.each([
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:ChangeMessageVisibility',
    'sqs:PurgeQueue',
    'sqs:StartMessageMoveTask',
  ])('permits %s only to the operator when operatorRoleArn is set', (action) => {
    expect(decide(operator, action, deadLetters)).toBe('allowed');
    for (const other of [administrator, verifier, consumer]) {
      expect(decide(other, action, deadLetters)).toBe('explicit deny');
    }
    expect(decide(administrator, action, deadLetters, { of: withoutOperator })).toBe('allowed');
  });

  it('lets the operator redrive: receive and delete there, send to the event queue', () => {
    const needed = ['StartMessageMoveTask', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];
    for (const name of needed) expect(decide(operator, `sqs:${name}`, deadLetters)).toBe('allowed');
    expect(decide(operator, 'sqs:SendMessage', queue)).toBe('allowed');
  });
});

describe('without TLS', () => {
  const context = { 'aws:SecureTransport': 'false' };

  it.each(queues)('%s denies every action', (place) => {
    const decisions = actions
      .filter((action) => action.startsWith('sqs:'))
      .flatMap((action) => [administrator, consumer].map((who) => decide(who, action, place, { context })));
    expect(new Set(decisions)).toEqual(new Set(['explicit deny']));
  });

  it('the alarm topic denies publishing', () => {
    expect(decide(administrator, 'sns:Publish', 'Alarms/Topic', { context })).toBe('explicit deny');
  });

  it('no queue of the stack is left out of these tests', () => {
    const found = [...stack.arns].filter(([, arn]) => arn.includes(':sqs:')).map(([place]) => place);
    expect(found.sort()).toEqual(queues);
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

  it('do not let CloudWatch delete the key', () => {
    const context = { 'aws:SourceAccount': account };
    expect(decide(service('cloudwatch'), 'kms:ScheduleKeyDeletion', 'Alarms/Key', { context })).toBe(
      'implicit deny',
    );
  });
});

describe('the key of what is stored', () => {
  const key = 'Encryption/Key';
  const logs = (group: string): RequestContext => ({
    'kms:EncryptionContext:aws:logs:arn': `arn:aws:logs:${region}:${account}:log-group:${group}`,
  });
  const bus = (name: string, of = account): RequestContext => ({
    'kms:EncryptionContext:aws:events:event-bus:arn': `arn:aws:events:${region}:${of}:event-bus/${name}`,
  });

  it.each(['kms:Encrypt', 'kms:Decrypt', 'kms:GenerateDataKey'])(
    'permits %s to CloudWatch Logs only for the log groups of the stack',
    (action) => {
      const cloudWatchLogs = service(`logs.${region}`);
      const group = 'payhooks-production-VerifierFunctionLogs1A2B3C4D-a1b2c3d4e5f6';
      expect(decide(cloudWatchLogs, action, key, { context: logs(group) })).toBe('allowed');
      expect(decide(cloudWatchLogs, action, key, { context: logs('/aws/lambda/other') })).toBe(
        'implicit deny',
      );
      expect(decide(service('logs.eu-west-1'), action, key, { context: logs(group) })).toBe('implicit deny');
    },
  );

  it.each(['kms:Decrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'])(
    'permits %s to EventBridge only for the bus of the stack',
    (action) => {
      const context = bus('payhooks-production');
      expect(decide(service('events'), action, key, { context })).toBe('allowed');
      expect(decide(service('events'), action, key, { context: bus('other') })).toBe('implicit deny');
      const foreign = bus('payhooks-production', otherAccount);
      expect(decide(service('events'), action, key, { context: foreign })).toBe('implicit deny');
      expect(decide(service('events'), action, key)).toBe('implicit deny');
    },
  );

  it('permits nothing to a service that acts for a caller', () => {
    const others = ['dynamodb', 'lambda', 'secretsmanager', 'sqs', 'cloudwatch', 'sns'];
    const permitted = others.flatMap((name) =>
      actions.filter((action) => decide(service(name), action, key) === 'allowed'),
    );
    expect(permitted).toEqual([]);
  });

  it('leaves its administration and its use to the identity policies of the account', () => {
    const policies = { identity: [], resource: stack.policiesOf(stack.arnAt(key)) };
    for (const action of ['kms:Decrypt', 'kms:DisableKey', 'kms:PutKeyPolicy']) {
      expect(decide(administrator, action, key)).toBe('allowed');
      const request = { principal: administrator, action, resource: stack.arnAt(key) };
      expect(evaluate(request, policies)).toBe('implicit deny');
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

  it('verify webhooks for API Gateway only from the webhook route of the webhook API', () => {
    const api = stack.arnAt('Verifier/Endpoint/Api').split(':').at(-1);
    const verify = (source: string, of = account): Decision =>
      invoke('apigateway', 'Verifier', { 'aws:SourceArn': `arn:aws:execute-api:${region}:${of}:${source}` });
    expect(verify(`${api}/$default/POST/webhooks/payments`)).toBe('allowed');
    expect(verify(`${api}/$default/POST/other`)).toBe('implicit deny');
    expect(verify('other/$default/POST/webhooks/payments')).toBe('implicit deny');
    expect(verify(`${api}/$default/POST/webhooks/payments`, otherAccount)).toBe('implicit deny');
  });

  it('are invoked by API Gateway only for the API and the path of a route', () => {
    const permissions = synthesis
      .propertiesOf('AWS::Lambda::Permission')
      .filter(({ Principal }) => Principal === 'apigateway.amazonaws.com');
    expect(permissions).toHaveLength(synthesis.ofType('AWS::ApiGatewayV2::Route').length);
    for (const { SourceArn } of permissions) {
      expect(JSON.stringify(SourceArn)).toMatch(/EndpointApi.*"\/\*\/\*\/\w/);
    }
  });
});
