import { describe, expect, it } from 'vitest';
import { type Decision, evaluate } from './evaluate.ts';
import type { Policy, Principal, Request, Statement } from './policy.ts';

const alice: Principal = { kind: 'identity', arn: 'arn:aws:iam::111122223333:role/alice' };
const stranger: Principal = { kind: 'identity', arn: 'arn:aws:iam::444455556666:role/stranger' };
const queue = 'arn:aws:sqs:eu-central-1:111122223333:orders';
const request: Request = { principal: alice, action: 'sqs:SendMessage', resource: queue };

const policy = (...Statement: readonly Statement[]): Policy => ({ Statement });
const allow = (rest: Omit<Statement, 'Effect'> = {}): Statement => ({
  Effect: 'Allow',
  Action: 'sqs:SendMessage',
  Resource: queue,
  ...rest,
});
const deny = (rest: Omit<Statement, 'Effect'> = {}): Statement => ({ ...allow(rest), Effect: 'Deny' });

/** The decision on `asked` with these statements in the identity's policy and in the resource's. */
function decide(
  identity: readonly Statement[],
  resource: readonly Statement[] = [],
  asked = request,
): Decision {
  return evaluate(asked, { identity: [policy(...identity)], resource: [policy(...resource)] });
}

/** Whether a condition lets a request through. */
const passes = (Condition: NonNullable<Statement['Condition']>, context: Request['context'] = {}): boolean =>
  decide([allow({ Condition })], [], { ...request, context }) === 'allowed';

// As the IAM User Guide tells it in "Policy evaluation logic".
describe('a request within one account', () => {
  it('is denied when no statement applies', () => {
    expect(decide([])).toBe('implicit deny');
  });

  it("is allowed by the identity's policy alone", () => {
    expect(decide([allow()])).toBe('allowed');
  });

  it("is allowed by the resource's policy alone, when that names the identity", () => {
    expect(decide([], [allow({ Principal: { AWS: alice.arn } })])).toBe('allowed');
  });

  it("is not allowed by the resource's policy when that names the account: its policies must allow it too", () => {
    const account = allow({ Principal: { AWS: 'arn:aws:iam::111122223333:root' } });
    expect(decide([], [account])).toBe('implicit deny');
    expect(decide([allow()], [account])).toBe('allowed');
  });

  it('is denied by one explicit deny, wherever it is, whatever else allows', () => {
    expect(decide([allow(), deny()])).toBe('explicit deny');
    expect(decide([allow()], [deny({ Principal: '*' })])).toBe('explicit deny');
    expect(decide([allow()], [deny({ Principal: { AWS: '*' } })])).toBe('explicit deny');
    expect(decide([deny()], [allow({ Principal: '*' })])).toBe('explicit deny');
  });

  it('is not denied by a deny for somebody else, something else or another resource', () => {
    const others = [deny({ Action: 'sqs:DeleteMessage' }), deny({ Resource: `${queue}-2` })];
    expect(decide([allow(), ...others], [deny({ Principal: { AWS: stranger.arn } })])).toBe('allowed');
  });
});

describe('a request from another account', () => {
  const asked = { ...request, principal: stranger };

  it('needs both policies', () => {
    const byName = allow({ Principal: { AWS: stranger.arn } });
    expect(decide([allow()], [], asked)).toBe('implicit deny');
    expect(decide([], [byName], asked)).toBe('implicit deny');
    expect(decide([allow()], [byName], asked)).toBe('allowed');
    expect(decide([allow()], [allow({ Principal: { AWS: '444455556666' } })], asked)).toBe('allowed');
  });
});

describe('a request of nobody, or of a service', () => {
  it('is allowed by a policy for everybody, and by no other', () => {
    const asked: Request = { ...request, principal: { kind: 'anonymous' } };
    expect(decide([], [allow({ Principal: '*' })], asked)).toBe('allowed');
    expect(decide([], [allow({ Principal: { AWS: '111122223333' } })], asked)).toBe('implicit deny');
  });

  it('is allowed by a policy that names the service', () => {
    const asked: Request = { ...request, principal: { kind: 'service', service: 'events.amazonaws.com' } };
    expect(decide([], [allow({ Principal: { Service: 'events.amazonaws.com' } })], asked)).toBe('allowed');
    expect(decide([], [allow({ Principal: { Service: 'sns.amazonaws.com' } })], asked)).toBe('implicit deny');
  });
});

describe('keys and roles', () => {
  const key = 'arn:aws:kms:eu-central-1:111122223333:key/1';
  const asked: Request = { principal: alice, action: 'kms:Decrypt', resource: key };
  const identity = [allow({ Action: 'kms:*', Resource: '*' })];

  it("are ruled by their own policy: an identity's policy alone allows nothing", () => {
    expect(decide(identity, [], asked)).toBe('implicit deny');
    const account = { Principal: { AWS: 'arn:aws:iam::111122223333:root' }, Action: 'kms:*', Resource: '*' };
    expect(decide(identity, [allow(account)], asked)).toBe('allowed');
    expect(decide([], [allow(account)], asked)).toBe('implicit deny');
  });

  it('let nobody take a role whose trust policy names a service only', () => {
    const assume: Request = {
      ...asked,
      action: 'sts:AssumeRole',
      resource: 'arn:aws:iam::111122223333:role/r',
    };
    const trust: Statement = {
      Effect: 'Allow',
      Principal: { Service: 'lambda.amazonaws.com' },
      Action: 'sts:AssumeRole',
    };
    expect(decide([allow({ Action: '*', Resource: '*' })], [trust], assume)).toBe('implicit deny');
    const lambda: Principal = { kind: 'service', service: 'lambda.amazonaws.com' };
    expect(decide([], [trust], { ...assume, principal: lambda })).toBe('allowed');
  });
});

describe('actions and resources', () => {
  it('compare actions without regard to case, with wildcards', () => {
    for (const Action of ['SQS:sendmessage', 'sqs:*', 'sqs:Send*', 's?s:SendMessage', '*']) {
      expect(decide([allow({ Action })])).toBe('allowed');
    }
    expect(decide([allow({ Action: 'sqs:Send' })])).toBe('implicit deny');
    expect(decide([allow({ Action: ['sqs:ReceiveMessage', 'sqs:SendMessage'] })])).toBe('allowed');
  });

  it('compare resources with regard to case, with wildcards', () => {
    for (const Resource of [
      '*',
      'arn:aws:sqs:*:*:orders',
      'arn:aws:sqs:*',
      queue.replace('orders', 'ord?rs'),
    ]) {
      expect(decide([allow({ Resource })])).toBe('allowed');
    }
    expect(decide([allow({ Resource: queue.replace('orders', 'Orders') })])).toBe('implicit deny');
    expect(decide([allow({ Resource: 'arn:aws:sqs:eu-*-1:1*3:o*s' })])).toBe('allowed');
    expect(decide([allow({ Resource: 'arn:aws:s*s:orders' })])).toBe('implicit deny');
  });

  it('take everything but what NotAction and NotResource name', () => {
    const notDelete: Statement = { Effect: 'Allow', NotAction: 'sqs:Delete*', Resource: queue };
    expect(decide([notDelete])).toBe('allowed');
    expect(decide([notDelete], [], { ...request, action: 'sqs:DeleteQueue' })).toBe('implicit deny');
    const elsewhere: Statement = { Effect: 'Allow', Action: 'sqs:*', NotResource: queue };
    expect(decide([elsewhere])).toBe('implicit deny');
    expect(decide([elsewhere], [], { ...request, resource: `${queue}-2` })).toBe('allowed');
  });
});

// As the IAM User Guide tells it in "IAM JSON policy elements: Condition operators".
describe('conditions', () => {
  it('hold when each of them holds, and one value of each', () => {
    const condition = { StringEquals: { 'a:one': ['x', 'y'], 'a:two': 'z' } };
    expect(passes(condition, { 'a:one': 'y', 'a:two': 'z' })).toBe(true);
    expect(passes(condition, { 'a:one': 'y', 'a:two': 'other' })).toBe(false);
    expect(passes(condition, { 'a:one': 'y' })).toBe(false);
  });

  it('compare keys without regard to case, and values with it', () => {
    expect(passes({ StringEquals: { 'A:Key': 'x' } }, { 'a:key': 'x' })).toBe(true);
    expect(passes({ StringEquals: { 'a:key': 'X' } }, { 'a:key': 'x' })).toBe(false);
    expect(passes({ StringEquals: { 'a:key': 'x*' } }, { 'a:key': 'x*' })).toBe(true);
    expect(passes({ StringLike: { 'a:key': 'x*' } }, { 'a:key': 'xyz' })).toBe(true);
  });

  it('hold without the key for negated operators and IfExists, and for no other', () => {
    for (const operator of ['StringEquals', 'StringLike', 'ArnLike', 'ArnEquals', 'Bool']) {
      expect(passes({ [operator]: { 'a:key': 'x' } })).toBe(false);
      expect(passes({ [`${operator}IfExists`]: { 'a:key': 'x' } })).toBe(true);
      expect(passes({ [`${operator}IfExists`]: { 'a:key': 'x' } }, { 'a:key': 'y' })).toBe(false);
    }
    for (const operator of ['StringNotEquals', 'StringNotLike', 'ArnNotLike', 'ArnNotEquals']) {
      expect(passes({ [operator]: { 'a:key': 'x' } })).toBe(true);
    }
  });

  it('are negated for all their values together', () => {
    const condition = { StringNotEquals: { 'a:key': ['x', 'y'] } };
    expect(passes(condition, { 'a:key': 'y' })).toBe(false);
    expect(passes(condition, { 'a:key': 'z' })).toBe(true);
  });

  it('compare ARNs part by part', () => {
    const condition = { ArnLike: { 'aws:SourceArn': 'arn:aws:sqs:*:111122223333:*' } };
    expect(passes(condition, { 'aws:SourceArn': queue })).toBe(true);
    expect(passes(condition, { 'aws:SourceArn': queue.replace('111122223333', '444455556666') })).toBe(false);
    expect(passes({ ArnLike: { 'aws:SourceArn': 'arn:aws:*' } }, { 'aws:SourceArn': queue })).toBe(false);
  });

  it('know the transport and the identity of every request', () => {
    expect(passes({ Bool: { 'aws:SecureTransport': 'true' } })).toBe(true);
    expect(passes({ Bool: { 'aws:SecureTransport': true } }, { 'aws:SecureTransport': 'false' })).toBe(false);
    expect(passes({ ArnEquals: { 'aws:PrincipalArn': 'arn:aws:iam::111122223333:role/alice' } })).toBe(true);
  });

  it('ask of several values whether one matches, or all', () => {
    const values = { 'a:key': ['x', 'y'] };
    expect(passes({ 'ForAnyValue:StringEquals': { 'a:key': 'x' } }, values)).toBe(true);
    expect(passes({ 'ForAllValues:StringEquals': { 'a:key': 'x' } }, values)).toBe(false);
    expect(passes({ 'ForAllValues:StringEquals': { 'a:key': ['x', 'y', 'z'] } }, values)).toBe(true);
    expect(passes({ 'ForAllValues:StringEquals': { 'a:key': 'x' } })).toBe(true);
    expect(passes({ 'ForAnyValue:StringEquals': { 'a:key': 'x' } })).toBe(false);
  });

  it('ask whether a key is there', () => {
    expect(passes({ Null: { 'a:key': 'true' } })).toBe(true);
    expect(passes({ Null: { 'a:key': 'false' } })).toBe(false);
    expect(passes({ Null: { 'a:key': 'false' } }, { 'a:key': 'x' })).toBe(true);
  });

  it('are never guessed: an unknown operator or a policy variable is an error', () => {
    expect(() => passes({ IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } })).toThrow(
      /IpAddress is not evaluated/,
    );
    expect(() => decide([allow({ Resource: `${queue}-\${aws:username}` })])).toThrow(/policy variable/);
  });
});
