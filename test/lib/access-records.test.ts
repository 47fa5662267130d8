import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operationRoutes } from '../../lambdas/operations/routes.ts';
import { orderQueryRoutes } from '../../lambdas/order-query/routes.ts';
import { runLogQuery } from '../doubles/log-query.ts';
import { synthesise } from './synthesis.ts';

const stack = synthesise({ logRetentionDays: 30, accessLogRetentionDays: 731 });
const retentionOf = (path: string): unknown => stack.at(path).Properties['RetentionInDays'];
const formatOf = (api: string): string => {
  const { AccessLogSettings } = stack.at(`${api}/Endpoint/Stage`).Properties;
  return (AccessLogSettings as { readonly Format: string }).Format;
};

const caller = 'arn:aws:sts::111122223333:assumed-role/support/ada';
const apis = { OrderQuery: orderQueryRoutes, Operations: operationRoutes };

/** The line that API Gateway writes with these variables; it throws for another one. */
const accessLogLine = (format: string, variables: Readonly<Record<string, string>>): string =>
  format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => {
    if (!(name in variables)) throw new Error(`An HTTP API has no variable ${name}, or the test lacks it.`);
    return variables[name] ?? '-';
  });

/** A line for a request of every route. */
const timestamp = '2026-11-21 10:00:00.000';
const lines = Object.entries(apis).flatMap(([api, routes]) =>
  Object.keys(routes).map((routeKey) => {
    const path = `${routeKey.split(' ')[1]}`.replaceAll(/\{\w+\}/g, 'id-1');
    const variables = {
      ...{ requestId: 'c6f0bf', requestTime: timestamp, routeKey, path, status: '200' },
      ...{ responseLength: '812', responseLatency: '31', 'identity.sourceIp': '203.0.113.7' },
      ...{ 'identity.userArn': caller, 'identity.accountId': '111122223333' },
      ...{ integrationErrorMessage: '-', 'error.message': '-' },
    };
    return { timestamp, message: accessLogLine(formatOf(api), variables) };
  }),
);

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
  const section = runbook.split(/^## /m).find((part) => part.startsWith('Who read what\n'));
  const query = /^```\n(fields [^`]+)\n```$/m.exec(section ?? '')?.[1] ?? '';

  it('finds the routes that return a body, with caller, address and result', () => {
    const found = runLogQuery(query, lines);
    // A new one that returns a body belongs into the query.
    expect(lines).toHaveLength(21);
    expect(found.map(({ routeKey }) => routeKey).toSorted()).toEqual([
      'GET /events/{event_id}',
      'GET /operations/bodies/events/{event_id}',
      'GET /operations/bodies/{body_sha256}',
    ]);
    expect(found.at(-1)).toEqual({
      '@timestamp': timestamp,
      caller,
      callerAccount: '111122223333',
      ip: '203.0.113.7',
      status: '200',
      routeKey: expect.any(String),
      path: expect.stringMatching(/id-1$/),
    });
  });
});
