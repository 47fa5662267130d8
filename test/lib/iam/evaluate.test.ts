import { describe, expect, it } from 'vitest';
import { type Decision, evaluate } from './evaluate.ts';
import type { Principal, Request, Statement } from './policy.ts';

const alice: Principal = { kind: 'identity', arn: 'arn:aws:iam::111122223333:role/alice' };
const bob: Principal = { kind: 'identity', arn: 'arn:aws:iam::444455556666:role/bob' };
const queue = 'arn:aws:sqs:eu-central-1:111122223333:orders';

const allow = (rest: Partial<Statement> = {}): Statement => ({
  Effect: 'Allow',
  Action: 'sqs:SendMessage',
  Resource: queue,
  ...rest,
});
const deny = (rest: Partial<Statement> = {}): Statement => ({ ...allow(rest), Effect: 'Deny' });
const to = (principal: string) => ({ Principal: { AWS: principal } });
const root = to('arn:aws:iam::111122223333:root');

/** The decision on a request with these statements in the identity's and in the resource's policy. */
function decide(
  identity: readonly Statement[],
  resource: readonly Statement[],
  request: Partial<Request> = {},
): Decision {
  const sent: Request = { principal: alice, action: 'sqs:SendMessage', resource: queue, ...request };
  return evaluate(sent, { identity: [{ Statement: identity }], resource: [{ Statement: resource }] });
}

// "Policy evaluation logic" in the IAM User Guide. Tests of policies of the stack have its other cases.
describe('a request within an account', () => {
  it.each<[title: string, identity: Statement[], resource: Statement[], decision: Decision]>([
    ['denied without a statement about it', [], [], 'implicit deny'],
    ["allowed by the resource's policy that names the identity", [], [allow(to(alice.arn))], 'allowed'],
    ["denied by the resource's policy that only names the account", [], [allow(root)], 'implicit deny'],
    ["denied by the identity's policy", [allow(), deny()], [], 'explicit deny'],
    ['allowed despite a deny of another action', [allow(), deny({ Action: 'sqs:Purge' })], [], 'allowed'],
    ['allowed despite a deny of another principal', [allow()], [deny(to(bob.arn))], 'allowed'],
  ])('is %s', (_, identity, resource, decision) => {
    expect(decide(identity, resource)).toBe(decision);
  });
});

// "IAM JSON policy elements: Condition operators" in the IAM User Guide.
describe('a statement on a request with the keys a:one=x, a:two=y and a:many=m,n', () => {
  const context = { 'a:one': 'x', 'a:two': 'y', 'a:many': ['m', 'n'] };
  it.each<[Partial<Statement>, Decision]>([
    [{ Action: ['sqs:ReceiveMessage', 'SQS:sendmessage'], Resource: 'arn:aws:sqs:*:*:ord?rs' }, 'allowed'],
    [{ Action: 'sqs:Send' }, 'implicit deny'],
    [{ Resource: `${queue}-2` }, 'implicit deny'],
    [{ Condition: { StringEquals: { 'a:one': ['w', 'x'], 'a:two': 'y' } } }, 'allowed'],
    [{ Condition: { StringEquals: { 'a:one': ['w', 'x'], 'a:two': 'z' } } }, 'implicit deny'],
    [{ Condition: { StringEquals: { 'a:missing': 'x' } } }, 'implicit deny'],
    [{ Condition: { StringEqualsIfExists: { 'a:missing': 'x' } } }, 'allowed'],
    [{ Condition: { Bool: { 'aws:PrincipalIsAWSService': 'true' } } }, 'implicit deny'],
    [{ Condition: { ArnLike: { 'aws:PrincipalArn': 'arn:aws:iam::111122223333:role/a*' } } }, 'allowed'],
    [{ Condition: { ArnNotLike: { 'a:missing': '*' } } }, 'allowed'],
    [{ Condition: { ArnNotLike: { 'aws:PrincipalArn': ['arn:x', alice.arn] } } }, 'implicit deny'],
    [{ Condition: { 'ForAnyValue:StringLike': { 'a:many': 'n*' } } }, 'allowed'],
    [{ Condition: { 'ForAnyValue:StringLike': { 'a:missing': '*' } } }, 'implicit deny'],
    [{ Condition: { 'ForAllValues:StringLike': { 'a:many': 'n*' } } }, 'implicit deny'],
    [{ Condition: { 'ForAllValues:StringLike': { 'a:many': '*' } } }, 'allowed'],
    [{ Condition: { 'ForAllValues:StringLike': { 'a:missing': 'x' } } }, 'allowed'],
  ])('%j: %s', (rest, decision) => {
    expect(decide([allow(rest)], [], { context })).toBe(decision);
  });

  it.each([
    { Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } },
    { Resource: `${queue}-\${aws:username}` },
    { NotAction: 'sqs:DeleteMessage' },
  ])('is an error with %j, which is not evaluated', (rest) => {
    expect(() => decide([allow(rest as Partial<Statement>)], [])).toThrow(/not evaluated/);
  });
});
