import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runLogQuery } from '../doubles/log-query.ts';
import { readOpenApi } from '../doubles/openapi-document.ts';
import { synthesise } from './synthesis.ts';

const stack = synthesise({ logRetentionDays: 30, accessLogRetentionDays: 731 });
const retentionOf = (path: string): unknown => stack.at(path).Properties['RetentionInDays'];
const formatOf = (api: string): string => {
  const { AccessLogSettings } = stack.at(`${api}/Endpoint/Stage`).Properties;
  return (AccessLogSettings as { readonly Format: string }).Format;
};

const caller = 'arn:aws:sts::111122223333:assumed-role/support/ada';
const samples: Readonly<Record<string, string>> = {
  '{order_id}': 'order-1',
  '{event_id}': 'evt-1',
  '{transaction_id}': 'T-1',
  '{body_sha256}': 'a'.repeat(64),
};
const documents = { OrderQuery: 'openapi.yaml', Operations: 'operations.openapi.yaml' } as const;
const routes = Object.entries(documents).flatMap(([api, file]) => {
  const { routes: documented, bundled } = readOpenApi(file);
  const { schemas } = bundled().components;
  return documented.map(({ routeKey, responses }) => {
    const schema = responses.find(({ status }) => status === 200)?.content['application/json']?.schema;
    return { api, routeKey, returnsPayload: reaches(schema, 'body_base64', schemas) };
  });
});

/** Whether a schema has a property with this name, at any depth. */
function reaches(schema: unknown, property: string, schemas: object): boolean {
  const text = JSON.stringify(schema);
  if (text.includes(`"${property}":`)) return true;
  const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
  const rest = Object.fromEntries(Object.entries(schemas).filter(([name]) => !names.includes(name)));
  return names.some((name) => name in schemas && reaches(schemas[name as never], property, rest));
}

/** The line that API Gateway writes with these variables; it throws for another one. */
const accessLogLine = (format: string, variables: Readonly<Record<string, string>>): string =>
  format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => {
    if (!(name in variables)) throw new Error(`An HTTP API has no variable ${name}, or the test lacks it.`);
    return variables[name] ?? '-';
  });

/** A line for a request of every route. */
const lines = routes.map(({ api, routeKey }, index) => {
  const [, route = ''] = routeKey.split(' ');
  const path = route.replaceAll(/\{\w+\}/g, (name) => samples[name] ?? name);
  const timestamp = `2026-11-21 10:00:${String(index).padStart(2, '0')}.000`;
  const variables = {
    ...{
      requestId: 'c6f0bf',
      requestTime: timestamp,
      routeKey,
      path,
      status: '200',
      responseLength: '812',
      responseLatency: '31',
    },
    ...{ 'identity.sourceIp': '203.0.113.7', 'identity.userArn': caller },
    ...{ 'identity.accountId': '111122223333', integrationErrorMessage: '-', 'error.message': '-' },
  };
  return { timestamp, message: accessLogLine(formatOf(api), variables) };
});

describe('the access logs of the order query and the operations API', () => {
  it.each(['OrderQuery', 'Operations'])('show who called %s and which path, without its query', (api) => {
    expect(JSON.parse(formatOf(api))).toMatchObject({
      caller: '$context.identity.userArn',
      callerAccount: '$context.identity.accountId',
      path: '$context.path',
    });
    expect(formatOf(api)).not.toMatch(/query|rawPath/i);
  });

  it('are kept for accessLogRetentionDays, all other logs for logRetentionDays', () => {
    const records = ['OrderQuery/Endpoint/AccessLogs', 'Operations/Endpoint/AccessLogs'];
    expect(records.map(retentionOf)).toEqual([731, 731]);
    const others = stack.ofType('AWS::Logs::LogGroup').map(([id]) => stack.pathOf(id));
    for (const path of others.filter((one) => !records.includes(one))) expect(retentionOf(path)).toBe(30);
  });

  it.each([
    ['OrderQueryAccessLogGroup', 'OrderQuery/Endpoint/AccessLogs'],
    ['OperationsAccessLogGroup', 'Operations/Endpoint/AccessLogs'],
  ])('are named by the output %s', (output, path) => {
    expect(stack.pathOf(stack.outputs[output]?.Value)).toBe(path);
  });
});

describe('the access log of the webhook API', () => {
  it('has neither caller nor path, and only what an investigation needs: every webhook pays for it', () => {
    const fields = ['requestId', 'ip', 'status', 'integrationError'];
    expect(Object.keys(JSON.parse(formatOf('Verifier')))).toEqual(fields);
  });
});

describe('the query of the runbook for who read customer data', () => {
  const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
  const section = runbook.split(/^## /m).find((part) => part.startsWith('Who read what\n'));
  const query = /^```\n(fields [^`]+)\n```$/m.exec(section ?? '')?.[1] ?? '';

  it('finds a request of every route whose documented response holds a body, and of no other', () => {
    const found = runLogQuery(query, lines).map(({ routeKey }) => routeKey);
    const expected = routes.filter(({ returnsPayload }) => returnsPayload).map(({ routeKey }) => routeKey);
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(routes.length).toBe(17);
  });

  it('shows when, who, from where, with which result, and what', () => {
    const [latest] = runLogQuery(query, lines);
    expect(latest).toEqual({
      '@timestamp': expect.stringMatching(/^2026-11-21 10:00:/),
      caller,
      callerAccount: '111122223333',
      ip: '203.0.113.7',
      status: '200',
      routeKey: 'GET /operations/bodies/{body_sha256}',
      path: `/operations/bodies/${'a'.repeat(64)}`,
    });
  });
});
