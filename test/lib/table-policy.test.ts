import { describe, expect, it } from 'vitest';
import { adoptedResources, everySetting } from './every-setting.ts';
import { actions } from './iam/actions.ts';
import { type Decision, evaluate } from './iam/evaluate.ts';
import type { Policy, Principal } from './iam/policy.ts';
import { account, readPolicies } from './iam/stack-policies.ts';
import { synthesise } from './synthesis.ts';

const synthesis = synthesise(everySetting);
const stack = readPolicies(synthesis);
const withoutOperator = readPolicies(synthesise());
const everything: Policy = { Statement: { Effect: 'Allow', Action: '*', Resource: '*' } };
const identity = (arn: string): Principal => ({ kind: 'identity', arn });
const stage = (name: string): Principal => identity(stack.roles.get(`${name}/Function/Role`)?.arn ?? '');
const administrator = identity(`arn:aws:iam::${account}:role/administrator`);
const operator = identity(everySetting.operatorRoleArn);
const writers = [stage('Consumer'), stage('Operations')];
const readers = ['Verifier', 'OrderQuery', 'OrderFeed', 'WaitingCount', 'WebhookAudit'].map(stage);

const writing = ['PutItem', 'UpdateItem', 'PartiQLInsert', 'PartiQLUpdate'];
const deletingMany = ['BatchWriteItem', 'PartiQLDelete', 'DeleteTable'];

/** What the policy of a table makes of a request whose identity may do everything. */
function decide(principal: Principal, action: string, table: string, of = stack): Decision {
  const resource = of.arnAt(table);
  const policies = { identity: [everything], resource: of.policiesOf(resource) };
  return evaluate({ principal, action: `dynamodb:${action}`, resource }, policies);
}

describe.each(['Tables/Events', 'Tables/Orders'])('%s, when operatorRoleArn is set,', (table) => {
  it.each(writing)('permits %s only to the consumer, the operations API and the operator', (action) => {
    for (const who of [...writers, operator]) expect(decide(who, action, table)).toBe('allowed');
    for (const who of [administrator, ...readers]) expect(decide(who, action, table)).toBe('explicit deny');
  });

  it.each(deletingMany)('permits %s only to the operator', (action) => {
    expect(decide(operator, action, table)).toBe('allowed');
    for (const who of [administrator, ...writers, ...readers]) {
      expect(decide(who, action, table)).toBe('explicit deny');
    }
  });

  it('permits DeleteItem to the operator, for events also to the operations API, which erases bodies', () => {
    const erasing = table === 'Tables/Events' ? [stage('Operations')] : [];
    for (const who of [operator, ...erasing]) expect(decide(who, 'DeleteItem', table)).toBe('allowed');
    for (const who of [administrator, stage('Consumer'), ...readers])
      expect(decide(who, 'DeleteItem', table)).toBe('explicit deny');
    if (erasing.length === 0) expect(decide(stage('Operations'), 'DeleteItem', table)).toBe('explicit deny');
  });

  it('lets the same stages of a stack write that adopts the table under the same name, and no other', () => {
    const role = (name: string): Principal =>
      identity(`arn:aws:iam::${account}:role/payhooks-production-${name}-abcDEF123456`);
    for (const name of ['ConsumerFunctionRole1A2B3C4D', 'OperationsFunctionRole1A2B3C4D']) {
      expect(decide(role(name), 'UpdateItem', table)).toBe('allowed');
      expect(decide(role(name), 'BatchWriteItem', table)).toBe('explicit deny');
    }
    expect(decide(role('OrderQueryFunctionRole1A2B3C4D'), 'UpdateItem', table)).toBe('explicit deny');
  });

  it('also lets them write when CloudFormation shortens their names, because that of the environment is long', () => {
    const long = readPolicies(
      synthesise({ ...everySetting, environmentName: 'a-rather-long-environment-name' }),
    );
    const role = (name: string): Principal =>
      identity(`arn:aws:iam::${account}:role/payhooks-a-rather-long-en-${name}1A2B-abcDEF123456`);
    expect(decide(role('ConsumerFunctionRole'), 'UpdateItem', table, long)).toBe('allowed');
    expect(decide(role('OrderQueryFunctionRole'), 'UpdateItem', table, long)).toBe('explicit deny');
  });

  it('denies nothing else: restores, backups, reads and the settings of the table', () => {
    const denied = [...writing, 'DeleteItem', ...deletingMany].map((action) => `dynamodb:${action}`);
    const others = actions.filter((action) => action.startsWith('dynamodb:') && !denied.includes(action));
    expect(others).toContain('dynamodb:RestoreTableToPointInTime');
    for (const action of others) {
      expect(decide(administrator, action.replace('dynamodb:', ''), table), action).toBe('allowed');
    }
  });

  it('does not bind a restored table, to which a restore writes with its caller', () => {
    const restored = `${stack.arnAt(table)}-restored`;
    expect(stack.policiesOf(restored)).toEqual([]);
  });

  it('denies DynamoDB itself nothing: expiry, and the role that copies rows to a replica', () => {
    const service: Principal = { kind: 'service', service: 'dynamodb.amazonaws.com' };
    expect(decide(service, 'DeleteItem', table)).toBe('implicit deny');
    const replication = identity(
      `arn:aws:iam::${account}:role/aws-service-role/replication.dynamodb.amazonaws.com/` +
        'AWSServiceRoleForDynamoDBReplication',
    );
    for (const action of ['PutItem', 'DeleteItem'])
      expect(decide(replication, action, table)).toBe('allowed');
  });

  it('lets the owner change or remove the policy, so that nobody is locked out', () => {
    for (const action of ['PutResourcePolicy', 'DeleteResourcePolicy']) {
      expect(decide(administrator, action, table)).toBe('allowed');
    }
  });
});

describe('the tables', () => {
  it('of a throw-away stack can be deleted with it, by the role of CloudFormation', () => {
    const throwAway = readPolicies(synthesise({ ...everySetting, keepData: false }));
    expect(decide(administrator, 'DeleteTable', 'Tables/Events', throwAway)).toBe('allowed');
    expect(decide(administrator, 'DeleteItem', 'Tables/Events', throwAway)).toBe('explicit deny');
  });

  it('have no policy without operatorRoleArn, because a repair must stay possible', () => {
    for (const table of ['Tables/Events', 'Tables/Orders']) {
      expect(withoutOperator.policiesOf(withoutOperator.arnAt(table))).toEqual([]);
    }
  });

  it('keep the policies that they have when they are adopted', () => {
    const adopted = synthesise({ ...everySetting, ...adoptedResources });
    expect(adopted.ofType('AWS::DynamoDB::Table')).toEqual([]);
  });

  it('have policies far below the 20 KB that DynamoDB takes', () => {
    const size = JSON.stringify(stack.policiesOf(stack.arnAt('Tables/Events'))).length;
    expect(size).toBeGreaterThan(500);
    expect(size).toBeLessThan(5_000);
  });
});
