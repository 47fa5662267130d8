import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operationRoutes } from '../../lambdas/operations/routes.ts';
import { orderQueryRoutes } from '../../lambdas/order-query/routes.ts';
import { synthesise } from './synthesis.ts';

const stack = synthesise({ logRetentionDays: 30, accessLogRetentionDays: 731 });
const retentionOf = (path: string): unknown => stack.at(path).Properties['RetentionInDays'];
const formatOf = (api: string): string => {
  const { AccessLogSettings } = stack.at(`${api}/Endpoint/Stage`).Properties;
  return (AccessLogSettings as { readonly Format: string }).Format;
};

describe('the access logs of the order query and the operations API', () => {
  it('are kept for accessLogRetentionDays, acts for evidenceRetentionDays, others for logRetentionDays', () => {
    const records = ['OrderQuery/Endpoint/AccessLogs', 'Operations/Endpoint/AccessLogs'];
    expect(records.map(retentionOf)).toEqual([731, 731]);
    expect(retentionOf('Operations/Function/Logs')).toBe(3_653);
    records.push('Operations/Function/Logs');
    const others = stack.ofType('AWS::Logs::LogGroup').map(([id]) => stack.pathOf(id));
    for (const path of others.filter((one) => !records.includes(one))) expect(retentionOf(path)).toBe(30);
  });
});

it('the access log of the webhook API has neither caller nor path: every webhook pays for it', () => {
  const fields = ['requestId', 'ip', 'status', 'integrationError'];
  expect(Object.keys(JSON.parse(formatOf('Verifier')))).toEqual(fields);
});

describe('the query of the runbook for who read customer data', () => {
  const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
  const query = /^fields @timestamp, (?<fields>.+)\n\| filter routeKey in (?<routes>\[.+\])$/m;
  const { fields = '', routes = '' } = query.exec(runbook)?.groups ?? {};

  it.each(['OrderQuery', 'Operations'])(
    'shows caller, address and result, which the log of %s has',
    (api) => {
      const line = JSON.parse(formatOf(api));
      expect(fields.split(', ').map((field) => `${field} ${line[field]}`)).toEqual([
        'caller $context.identity.userArn',
        'callerAccount $context.identity.accountId',
        'ip $context.identity.sourceIp',
        'status $context.status',
        'routeKey $context.routeKey',
        'path $context.path',
      ]);
    },
  );

  it('finds the routes that return a body', () => {
    const served = Object.keys({ ...orderQueryRoutes, ...operationRoutes });
    // A new one that returns a body belongs into the query.
    expect(served).toHaveLength(21);
    expect(served.filter((route) => routes.includes(`"${route}"`)).toSorted()).toEqual([
      'GET /events/{event_id}',
      'GET /operations/bodies/events/{event_id}',
      'GET /operations/bodies/{body_sha256}',
    ]);
    expect(JSON.parse(routes)).toHaveLength(3);
  });
});
