import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as client from '@payhooks/order-client';
import { bytesOf, paidEvent, unknownEvent } from '@payhooks/payment-service/simulator';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { createClassify } from '../../lambdas/consumer/classify.ts';
import { eventIdBytesMax } from '../../lambdas/contract/limits.ts';
import {
  actCursorCharactersMax,
  attentionsResolvedMax,
  bodiesMax,
  reasonBytesMax,
  waitingListDefault,
  waitingListMax,
} from '../../lambdas/contract/operations-limits.ts';
import { waitingKinds } from '../../lambdas/contract/waiting-kinds.ts';
import { operationRoutes } from '../../lambdas/operations/routes.ts';
import { gatewayEvent } from '../doubles/gateway-event.ts';
import { readOpenApi, schemaErrors } from '../doubles/openapi-document.ts';
import { operationsOver } from '../doubles/operations.ts';
import { consumedTables } from '../doubles/order-query.ts';

const { document, routes, deviations, bundled } = readOpenApi('operations.openapi.yaml');

const order = { seed: 'one', orderId: 'order-1', transactionId: 'T', eventId: 'paid' };
const noEvent = Buffer.from('{"payload":{}}');
const sha256 = createHash('sha256').update(noEvent).digest('hex');
const sent = [
  { body: bytesOf(paidEvent(order)) },
  { body: bytesOf(paidEvent({ ...order, amount: '1.00' })) },
  { body: bytesOf(unknownEvent({ ...order, eventName: 'charge.won', eventId: 'unknown' })) },
  { body: noEvent },
];

interface Call {
  readonly route: string;
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly request?: object;
  /** The tables fail; or the events came a moment ago, and other meanings are deployed. */
  readonly state?: 'broken' | 'young';
}

/** The operations API over what the consumer made of `sent`. */
async function scene() {
  const { tables } = await consumedTables(...sent);
  const down = () => Promise.reject(new Error('down'));
  const keyUse = { keyId: '9a76d0a46113', matchedAt: '2026-11-21T10:00:00.000Z' };
  const keyUses = { keyUses: async (mode: client.Mode) => [{ mode, ...keyUse }] };
  const whole = operationsOver(tables, { keyUses });
  const broken = operationsOver(tables, {
    hooks: { gate: down },
    keyUses: { keyUses: down },
    waiting: { list: down, count: down, oldest: down, eventNames: down },
  });
  const young = operationsOver(tables, {
    classify: createClassify(() => 'disputed'),
    now: () => new Date('2026-11-21T10:00:30.000Z'),
  });
  const apis = { broken, young, whole };
  return async ({ route: routeKey, path, query, request, state }: Call) => {
    const response = await apis[state ?? 'whole'](
      gatewayEvent({
        routeKey,
        ...(path && { pathParameters: path }),
        ...(query && { queryStringParameters: query }),
        ...(request && { body: JSON.stringify(request) }),
      }),
    );
    const { statusCode: status = 0, headers, body = '' } = response;
    return { routeKey, status, contentType: String(headers?.['content-type']), body: JSON.parse(body) };
  };
}

const unknown = { unheard_of: '' };
const reads: readonly Call[] = [
  { route: 'GET /operations/waiting' },
  { route: 'GET /operations/waiting', query: { limit: '1' } },
  { route: 'GET /operations/waiting/counts' },
  { route: 'GET /operations/events/{event_id}', path: { event_id: 'paid' } },
  { route: 'GET /operations/events/{event_id}', path: { event_id: 'nope' } },
  { route: 'GET /operations/bodies/events/{event_id}', path: { event_id: 'paid' } },
  { route: 'GET /operations/bodies/events/{event_id}', path: { event_id: 'nope' } },
  { route: 'GET /operations/bodies/{body_sha256}', path: { body_sha256: sha256 } },
  { route: 'GET /operations/bodies/{body_sha256}', path: { body_sha256: 'ab'.repeat(32) } },
  { route: 'GET /operations/keys' },
];
const reason = 'checked';
const acts: readonly Call[] = [
  { route: 'POST /operations/admit', request: { event_id: 'paid', dry_run: true } },
  { route: 'POST /operations/admit', request: { event_id: 'nope', reason } },
  { route: 'POST /operations/admit', request: { body_sha256: sha256, reason } },
  { route: 'POST /operations/dismiss', request: { event_id: 'paid', reason } },
  { route: 'POST /operations/dismiss', request: { event_name: 'charge.won', reason } },
  { route: 'POST /operations/dismiss', request: { event_id: 'nope', reason } },
  { route: 'POST /operations/dismiss', request: { event_id: 'unknown', reason } },
  {
    route: 'POST /operations/resolve',
    request: { order_id: 'order-1', sequence: 2, attention: ['conflicting_event'], dry_run: true },
  },
  { route: 'POST /operations/resolve', request: { order_id: 'order-1', sequence: 9, reason } },
  { route: 'POST /operations/resolve', request: { order_id: 'nope', sequence: 1, reason } },
  { route: 'POST /operations/replay', request: { event_id: 'paid', dry_run: true } },
  { route: 'POST /operations/replay', request: { order_id: 'order-1', publish: true, reason } },
  { route: 'POST /operations/replay', request: { event_id: 'nope', reason } },
  { route: 'POST /operations/replay', request: { event_id: 'paid', reason }, state: 'young' },
  { route: 'POST /operations/verify', request: {} },
  { route: 'POST /operations/erase', request: { event_id: 'unknown', reason } },
  { route: 'POST /operations/erase', request: { event_id: 'paid', reason } },
  { route: 'POST /operations/erase', request: { event_id: 'nope', reason } },
];
const readRoutes = [...new Set(reads.map(({ route }) => route))];
const actRoutes = [...new Set(acts.map(({ route }) => route))];
const pathOf = (route: string): Record<string, string> =>
  route.includes('{body_sha256}') ? { body_sha256: sha256 } : { event_id: 'paid' };
const calls: readonly Call[] = [
  ...reads,
  ...readRoutes.map((route) => ({ route, path: pathOf(route), query: unknown })),
  ...readRoutes.map((route): Call => ({ route, path: pathOf(route), state: 'broken' })),
  ...acts,
  ...actRoutes.map((route) => ({ route, request: unknown })),
  ...actRoutes.map(
    (route) => ({ ...acts.find((one) => one.route === route), route, state: 'broken' }) as const,
  ),
];

describe('docs/operations.openapi.yaml', () => {
  it('is OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(bundled())).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('describes the routes that the code has', () => {
    expect(routes.map(({ routeKey }) => routeKey).toSorted()).toEqual(
      Object.keys(operationRoutes).toSorted(),
    );
  });

  it('requires SigV4 on every route', () => {
    expect(document.security).toEqual([{ sigv4: [] }]);
    expect(document.components.securitySchemes.sigv4['x-amazon-apigateway-authtype']).toBe('awsSigv4');
    const operations = Object.values<Record<string, object>>(document.paths).flatMap(({ get, post }) =>
      [get, post].filter((one) => one !== undefined),
    );
    expect(operations).toHaveLength(routes.length);
    for (const operation of operations) expect(operation).not.toHaveProperty('security');
  });

  it('has the enums and the bounds of the code', () => {
    const { parameters, schemas } = document.components;
    expect(parameters.kind.schema.enum).toEqual(waitingKinds);
    expect(parameters.limit.schema).toMatchObject({ maximum: waitingListMax, default: waitingListDefault });
    expect(schemas.ReplayRequest.properties.cursor.maxLength).toBe(actCursorCharactersMax);
    expect(schemas.AdmitRequest.properties.reason.description).toContain(`1 to ${reasonBytesMax} bytes`);
    expect(schemas.ResolveRequest.properties.attention.maxItems).toBe(attentionsResolvedMax);
    expect(eventIdBytesMax).toBe(512);
    expect(bodiesMax).toBe(10);
    const { description } = document.paths['/operations/bodies/events/{event_id}'].get;
    expect(description).toContain('Shows ten bodies and 4 MB at most');
  });

  it('explains every value of every enum', () => {
    const schemas = Object.values<{ enum?: string[]; description: string }>(document.components.schemas);
    const unexplained = schemas.flatMap(({ enum: values = [], description }) =>
      values.filter((value) => !description.includes(`- \`${value}\`: `)),
    );
    expect(unexplained).toEqual([]);
  });

  it('gives examples that match their schemas', () => {
    const examples = routes.flatMap(({ responses, request }) => [
      ...responses.flatMap(({ content }) => Object.values(content)),
      ...(request === undefined ? [] : [request]),
    ]);
    expect(examples.length).toBeGreaterThan(60);
    expect(examples.flatMap(({ schema, example }) => schemaErrors(schema, example))).toEqual([]);
  });
});

describe('a response of the operations API', () => {
  it.each(calls)('to $route $path $query $request matches the document', async (call) => {
    const request = await scene();
    expect(deviations(await request(call))).toEqual([]);
  });

  it('occurs in this test for each documented status, except those of API Gateway', async () => {
    const request = await scene();
    const responses = await Promise.all(calls.map((call) => request(call)));
    const occurring = new Set(responses.map(({ routeKey, status }) => `${routeKey} ${status}`));
    const documented = routes.flatMap(({ routeKey, responses: all }) =>
      all
        .filter(({ status, content }) => status === 200 || 'application/problem+json' in content)
        .map(({ status }) => `${routeKey} ${status}`),
    );
    expect([...occurring].toSorted()).toEqual(documented.toSorted());
  });
});

describe('the documented parameters', () => {
  it.each(routes.filter(({ request }) => request === undefined))(
    'of $routeKey are those that the code accepts',
    async ({ routeKey, parameters }) => {
      const request = await scene();
      const documented = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      const { body } = await request({ route: routeKey, path: pathOf(routeKey), query: unknown });
      const [, taken = ''] =
        /expected (?:one of the parameters|no parameters) ?(.*)\.$/.exec(body.detail) ?? [];
      expect(taken.split(', ').filter(Boolean).toSorted()).toEqual(documented.toSorted());
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`);
      expect(routeKey.match(/\{\w+\}/g) ?? []).toEqual(inPath);
    },
  );

  it.each(routes.filter(({ request }) => request !== undefined))(
    'of the request of $routeKey are the fields that the code accepts',
    async ({ routeKey, request: documented }) => {
      const request = await scene();
      const name = String(documented?.schema.$ref).replace(/^.*\//, '');
      const { body } = await request({ route: routeKey, request: unknown });
      const [, taken = ''] = /expected one of the fields (.*)\.$/.exec(body.detail) ?? [];
      const { properties } = document.components.schemas[name];
      expect(taken.split(', ').toSorted()).toEqual(Object.keys(properties).toSorted());
    },
  );
});

it('docs/operations.md names every route', () => {
  const guide = readFileSync(join(import.meta.dirname, '../..', 'docs', 'operations.md'), 'utf8');
  const named = [...guide.matchAll(/^\| `((?:GET|POST) \S+)`/gm)].map(([, route]) => route);
  expect(named).toEqual(routes.map(({ routeKey }) => routeKey));
});
