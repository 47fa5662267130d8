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

function isAllowed(action: string, resource: string): boolean {
  const principal = { kind: 'identity', arn: `arn:aws:iam::${account}:user/operator` } as const;
  const request = { principal, action: `dynamodb:${action}`, resource };
  return evaluate(request, { identity: [policy], resource: [] }) === 'allowed';
}

describe('the documented permissions of payhooks restore', () => {
  it.each([
    ['ListTables', own],
    ['ListBackups', own],
    ['DescribeTable', own],
    ['DescribeContinuousBackups', own],
    ['GetResourcePolicy', own],
    ['ListTagsOfResource', own],
    ['RestoreTableToPointInTime', own],
    ['RestoreTableToPointInTime', restored],
    ['RestoreTableFromBackup', `${own}/backup/01795338332558-abcdef12`],
    ['RestoreTableFromBackup', restored],
    ['BatchWriteItem', restored],
    ['DescribeTimeToLive', restored],
    ['PutResourcePolicy', restored],
    ['TagResource', restored],
    ['UpdateContinuousBackups', restored],
    ['UpdateTable', restored],
    ['UpdateTimeToLive', restored],
  ])('permit %s on %s', (action, resource) => {
    expect(isAllowed(action, resource)).toBe(true);
  });

  it.each([
    'PutItem',
    'UpdateItem',
    'DeleteItem',
    'BatchWriteItem',
    'UpdateTable',
    'PutResourcePolicy',
    'Scan',
  ])('do not permit %s on a table that the stack made', (action) => {
    expect(isAllowed(action, own)).toBe(false);
  });

  it.each([own, restored])('do not permit the deletion of the table %s', (resource) => {
    expect(isAllowed('DeleteTable', resource)).toBe(false);
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
