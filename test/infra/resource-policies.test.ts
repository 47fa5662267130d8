import { beforeAll, describe, expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { actions } from './iam/actions.ts';
import { type Decision, evaluate } from './iam/evaluate.ts';
import type { Policy, Principal, Request } from './iam/policy.ts';
import { account, readPolicies, region, type StackPolicies } from './iam/stack-policies.ts';
import { synthesiseAll } from './synthesis.ts';

const everything: Policy = { Statement: { Effect: 'Allow', Action: '*', Resource: '*' } };
const identity = (role: string): Principal => ({
  kind: 'identity',
  arn: `arn:aws:iam::${account}:role/${role}`,
});
const service = (name: string): Principal => ({ kind: 'service', service: `${name}.amazonaws.com` });
const administrator = identity('administrator');
const operator: Principal = { kind: 'identity', arn: everySetting.operatorRoleArn };

let stack: StackPolicies;
let withoutOperator: StackPolicies;
beforeAll(() => {
  const [first, second] = synthesiseAll(everySetting, { environmentName: 'standard' });
  [stack, withoutOperator] = [readPolicies(first), readPolicies(second)];
});

/** What the resource's own policies leave of a request, when the identity's policies allow everything. */
function ask(
  principal: Principal,
  action: string,
  place: string,
  options: { readonly context?: Request['context']; readonly of?: StackPolicies } = {},
): Decision {
  const { context = {}, of = stack } = options;
  const resource = of.arnAt(place);
  return evaluate(
    { principal, action, resource, context },
    { identity: [everything], resource: of.policiesOf(resource) },
  );
}

const role = (place: string, of: StackPolicies = stack): Principal => {
  const found = of.roles.get(place);
  if (found === undefined) throw new Error(`no role at ${place}`);
  return { kind: 'identity', arn: found.arn };
};

describe('the event queue', () => {
  const queue = 'EventQueue/Queue';

  it('takes messages from the verifier and the operator only, not even from an administrator', () => {
    expect(ask(role('Verifier/Function/Role'), 'sqs:SendMessage', queue)).toBe('allowed');
    expect(ask(administrator, 'sqs:SendMessage', queue)).toBe('explicit deny');
    expect(ask(role('Consumer/Function/Role'), 'sqs:SendMessage', queue)).toBe('explicit deny');
    // A redrive sends with the operator's own identity.
    expect(ask(operator, 'sqs:SendMessage', queue)).toBe('allowed');
  });

  it('leaves sending to the policies of the account as long as no operator is named', () => {
    const of = withoutOperator;
    expect(ask(role('Verifier/Function/Role', of), 'sqs:SendMessage', queue, { of })).toBe('allowed');
    expect(ask(administrator, 'sqs:SendMessage', queue, { of })).toBe('allowed');
  });

  it.each(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'])(
    'lets only the consumer %s',
    (action) => {
      for (const of of [stack, withoutOperator]) {
        expect(ask(role('Consumer/Function/Role', of), action, queue, { of })).toBe('allowed');
        expect(ask(administrator, action, queue, { of })).toBe('explicit deny');
        expect(ask(role('Verifier/Function/Role', of), action, queue, { of })).toBe('explicit deny');
        expect(ask(operator, action, queue, { of })).toBe('explicit deny');
      }
    },
  );

  it('is purged by nobody who has not become the consumer', () => {
    expect(ask(administrator, 'sqs:PurgeQueue', queue)).toBe('explicit deny');
    expect(ask(operator, 'sqs:PurgeQueue', queue)).toBe('explicit deny');
  });
});

describe('every queue and the alarm topic', () => {
  const queues = ['EventQueue/Queue', 'EventQueue/DeadLetters', 'OrderFeed/Failures'];
  const plain = { context: { 'aws:SecureTransport': 'false' } };

  it('are all of those that the stack has', () => {
    const all = [...stack.arns].filter(([, arn]) => arn.includes(':sqs:')).map(([place]) => place);
    expect(all.sort()).toEqual([...queues].sort());
  });

  it.each(queues)('refuse whatever does not come over TLS: %s', (place) => {
    const answers = actions
      .filter((action) => action.startsWith('sqs:'))
      .map((action) => ask(administrator, action, place, plain));
    expect(new Set(answers)).toEqual(new Set(['explicit deny']));
    expect(ask(role('Consumer/Function/Role'), 'sqs:ReceiveMessage', place, plain)).toBe('explicit deny');
  });

  it('refuse an alarm that does not come over TLS', () => {
    expect(ask(administrator, 'sns:Publish', 'Alarms/Topic', plain)).toBe('explicit deny');
  });
});

describe('another account', () => {
  const strangers: Principal[] = [
    { kind: 'identity', arn: 'arn:aws:iam::444455556666:role/administrator' },
    { kind: 'anonymous' },
  ];

  it('can do nothing to anything here, whatever its own policies allow', () => {
    const open = [...stack.arns.keys()].flatMap((place) =>
      actions.flatMap((action) =>
        strangers
          .filter((stranger) => ask(stranger, action, place) === 'allowed')
          .map((stranger) => `${stranger.kind}: ${action} on ${place}`),
      ),
    );
    expect(open).toEqual([]);
  });
});

describe('services', () => {
  const ours = { context: { 'aws:SourceAccount': account } };
  const theirs = { context: { 'aws:SourceAccount': '444455556666' } };

  it('may publish an alarm and use its key when CloudWatch does it for this account', () => {
    for (const [action, place] of [
      ['sns:Publish', 'Alarms/Topic'],
      ['kms:Decrypt', 'Alarms/Key'],
      ['kms:GenerateDataKey', 'Alarms/Key'],
    ] as const) {
      expect(ask(service('cloudwatch'), action, place, ours)).toBe('allowed');
      expect(ask(service('cloudwatch'), action, place, theirs)).toBe('implicit deny');
      expect(ask(service('events'), action, place, ours)).toBe('implicit deny');
    }
    expect(ask(service('cloudwatch'), 'kms:ScheduleKeyDeletion', 'Alarms/Key', ours)).toBe('implicit deny');
  });

  it('may rotate the token when Secrets Manager does it for this very secret', () => {
    const secret = stack.arnAt('TokenRefresh/TokenSecret');
    const rotate = (context: Request['context']): Decision =>
      ask(service('secretsmanager'), 'lambda:InvokeFunction', 'TokenRefresh/Function/Lambda', { context });
    expect(rotate({ 'aws:SourceAccount': account, 'aws:SourceArn': secret })).toBe('allowed');
    const other = stack.arnAt('Verifier/KeySecret');
    expect(rotate({ 'aws:SourceAccount': account, 'aws:SourceArn': other })).toBe('implicit deny');
    expect(rotate({ 'aws:SourceAccount': '444455556666', 'aws:SourceArn': secret })).toBe('implicit deny');
  });

  it('may invoke a function from its own route and from no other API', () => {
    const api = stack.arnAt('Verifier/Endpoint/Api').split(':').at(-1);
    const from = (path: string, of = account) => ({
      context: { 'aws:SourceArn': `arn:aws:execute-api:${region}:${of}:${path}` },
    });
    const invoke = (options: ReturnType<typeof from>): Decision =>
      ask(service('apigateway'), 'lambda:InvokeFunction', 'Verifier/Function/Lambda', options);
    expect(invoke(from(`${api}/$default/POST/webhooks/payments`))).toBe('allowed');
    expect(invoke(from(`${api}/$default/POST/other`))).toBe('implicit deny');
    expect(invoke(from('someoneelse/$default/POST/webhooks/payments'))).toBe('implicit deny');
    expect(invoke(from(`${api}/$default/POST/webhooks/payments`, '444455556666'))).toBe('implicit deny');
  });
});
