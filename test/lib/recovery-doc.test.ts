import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluate } from './iam/evaluate.ts';
import type { Policy } from './iam/policy.ts';
import { account, region } from './iam/stack-policies.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/recovery.md'), 'utf8');
const [, documented = ''] = /```json\n([\s\S]+?)```/.exec(page) ?? [];
const policy = JSON.parse(documented.replaceAll('REGION:ACCOUNT', `${region}:${account}`)) as Policy;

const table = `arn:aws:dynamodb:${region}:${account}:table/payhooks-production`;
const own = `${table}-TablesEventsE8DD42EA-1ABC2DEF3`;
const restored = `${table}-events-20261122T081500Z`;

/** The actions of these names that the policy permits on a table. */
const allowedOn = (resource: string, actions: string): readonly string[] =>
  actions.split(' ').filter((name) => {
    const principal = { kind: 'identity', arn: `arn:aws:iam::${account}:user/operator` } as const;
    const request = { principal, action: `dynamodb:${name}`, resource };
    return evaluate(request, { identity: [policy], resource: [] }) === 'allowed';
  });

describe('the documented permissions of payhooks restore', () => {
  const onNew =
    'RestoreTableToPointInTime RestoreTableFromBackup BatchWriteItem PutResourcePolicy TagResource UpdateTable ' +
    'UpdateContinuousBackups UpdateTimeToLive';
  it.each([
    ['the restored table', own, 'ListBackups DescribeTable GetResourcePolicy RestoreTableToPointInTime'],
    ['its backup', `${own}/backup/01795338332558-abcdef12`, 'RestoreTableFromBackup'],
    ['the new table', restored, onNew],
  ])('permit what the command does with %s', (_, resource, actions) => {
    expect(allowedOn(resource, actions)).toEqual(actions.split(' '));
  });

  it('do not permit to change a table that the stack made, or to delete any', () => {
    const changing =
      'PutItem UpdateItem DeleteItem BatchWriteItem UpdateTable PutResourcePolicy Scan DeleteTable';
    expect(allowedOn(own, changing)).toEqual([]);
    expect(allowedOn(restored, 'DeleteTable')).toEqual([]);
  });

  it('name every operation that the command calls', () => {
    const adapter = readFileSync(join(import.meta.dirname, '../../operator/aws/tables.ts'), 'utf8');
    const calls = [...adapter.matchAll(/client\s*\.(\w)(\w+)\(/g)].map(
      ([, first = '', rest = '']) => `dynamodb:${first.toUpperCase()}${rest}`,
    );
    expect(new Set(calls).size).toBeGreaterThan(12);
    expect(calls.filter((action) => !documented.includes(`"${action}"`))).toEqual([]);
  });
});
