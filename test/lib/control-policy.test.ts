import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { everySetting } from './every-setting.ts';
import { evaluate } from './iam/evaluate.ts';
import type { Policy } from './iam/policy.ts';
import { account, region } from './iam/stack-policies.ts';
import { synthesise } from './synthesis.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/threat-model.md'), 'utf8');
const [, json = ''] = /```json\n([\s\S]+?)```/.exec(page) ?? [];
const documented = JSON.parse(json) as Policy;
const everything: Policy = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };
const synthesis = synthesise(everySetting);

/** The ARNs that CloudFormation gives to resources of a type: stack, logical id and random characters. */
const arnsOf = (type: string, start: string): string[] =>
  synthesis
    .ofType(type)
    .map(([id]) => `${start}payhooks-production-${id}-Ab1Cd2Ef3Gh4`.slice(0, start.length + 64));
const functions = arnsOf('AWS::Lambda::Function', `arn:aws:lambda:${region}:${account}:function:`);
const roles = arnsOf('AWS::IAM::Role', `arn:aws:iam::${account}:role/`);

/** What of these an administrator may do, or the role that CDK deploys with. */
function permitted(action: string, resources: readonly string[], name = 'user/administrator'): string[] {
  const principal = { kind: 'identity', arn: `arn:aws:iam::${account}:${name}` } as const;
  const policies = { identity: [everything, documented], resource: [] };
  const context = { 'aws:PrincipalArn': principal.arn };
  return resources.filter(
    (resource) => evaluate({ principal, action, resource, context }, policies) === 'allowed',
  );
}

it('the control policy of docs/threat-model.md leaves the functions that only AWS invokes to AWS', () => {
  const stages = permitted('lambda:InvokeFunction', functions).map(
    (arn) => /-production-([A-Z][a-z]+(?:[A-Z][a-z]+)*?)Function/.exec(arn)?.[1],
  );
  // Operators and schedules invoke the others; the verifier believes a signature only.
  expect(stages.toSorted()).toEqual([
    'Heartbeat',
    'Seal',
    'SelfCheck',
    'TokenRefresh',
    'Verifier',
    'WaitingCount',
    'WebhookAudit',
  ]);
});

it('the control policy of docs/threat-model.md leaves code and roles of the functions to deployments', () => {
  const deployer = 'role/cdk-hnb659fds-cfn-exec-role-111122223333-eu-central-1';
  expect([functions.length, roles.length]).toEqual([12, 18]);
  for (const action of [
    'lambda:UpdateFunctionCode',
    'lambda:UpdateFunctionConfiguration',
    'lambda:AddPermission',
  ]) {
    expect(permitted(action, functions), action).toEqual([]);
    expect(permitted(action, functions, deployer), action).toEqual(functions);
  }
  expect(permitted('iam:PassRole', roles)).toEqual([]);
  expect(permitted('iam:PassRole', roles, deployer)).toEqual(roles);
});
