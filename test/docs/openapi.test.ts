import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mode, ParameterProblem, Problem } from '@payhooks/order-client';
import * as client from '@payhooks/order-client';
import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { createClassify } from '../../lambdas/consumer/receive.ts';
import {
  changesSettleSeconds,
  cursorCharactersMax,
  listEventsMax,
  listOrdersDefault,
  listOrdersMax,
  orderStepsMax,
} from '../../lambdas/contract/limits.ts';
import { levelKinds, waitingKinds } from '../../lambdas/contract/metrics.ts';
import {
  actCursorCharactersMax,
  attentionsResolvedMax,
  reasonBytesMax,
  receivedExaminedMax,
  receivedListDefault,
  receivedListMax,
  waitingListDefault,
  waitingListMax,
} from '../../lambdas/contract/operations-limits.ts';
import { proposalKey } from '../../lambdas/contract/schema.ts';
import { attentions, reasonRules } from '../../lambdas/domain/attention.ts';
import { orderStatuses } from '../../lambdas/domain/fold-order.ts';
import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import type { Problem as ProblemView } from '../../lambdas/http-api/problem.ts';
import { operationRoutes } from '../../lambdas/operations/routes.ts';
import { sortOrders } from '../../lambdas/order-query/cursor.ts';
import { orderQueryRoutes } from '../../lambdas/order-query/routes.ts';
import type { Proposal } from '../../lambdas/ports/acts.ts';
import { sha256 } from '../doubles/event-rows.ts';
import { gatewayEvent } from '../doubles/gateway-event.ts';
import { readOpenApi, schemaErrors } from '../doubles/openapi-document.ts';
import { operationsOver } from '../doubles/operations.ts';
import { orderQueryOver, setUpQuery } from '../doubles/order-query.ts';

const textOf = (...path: string[]): string =>
  readFileSync(join(import.meta.dirname, '../..', ...path), 'utf8');

interface Schema {
  readonly enum?: string[];
  readonly examples?: string[];
  readonly description: string;
}

interface Call {
  readonly route: string;
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly request?: object;
  /**
   * The tables fail; the events came a moment ago, and other meanings are deployed; or the deployment
   * keeps neither index nor transactions.
   */
  readonly state?: 'broken' | 'young' | 'lean';
}

const order = { seed: 'one', orderId: 'order-1', transactionId: 'T' };
const unheardOf = { unheard_of: '' };
const down = () => Promise.reject(new Error('down'));

/** The order query over events of many kinds. */
async function orderQuery() {
  const bare = { id: 'bare', event_name: 'account.updated', sandbox: false, payload: [] };
  const { query, events, reader, deliver } = setUpQuery();
  await deliver([
    bytesOf(paidEvent({ ...order, eventId: 'paid' })),
    bytesOf(refundedEvent({ ...order, eventId: 'refunded' })),
    bytesOf(refundedEvent({ ...order, orderId: '', eventId: 'no order', amount: '1.00' })),
    bytesOf(paidEvent({ ...order, seed: 'two', eventId: 'paid', amount: '1.00' })),
    bytesOf(failedEvent({ orderId: 'order-2', eventId: 'failed', nullable: 'null' })),
    bytesOf(unknownEvent({ orderId: 'order-3', eventId: 'damaged' })),
    Buffer.from(JSON.stringify(bare)),
    Buffer.from(JSON.stringify({ ...bare, id: 'no payload', payload: undefined })),
    { body: bytesOf(paidEvent({ orderId: 'order-4', eventId: 'quarantined' })), mode: 'sandbox' },
  ]);
  events.delete('live:event:damaged\nevent');
  const { body: _, ...withoutBody } = events.get('live:event:failed\nevent') ?? expect.unreachable();
  events.set('live:event:failed\nevent', withoutBody);
  const broken = orderQueryOver({
    reader: {
      ...reader,
      orders: { ...reader.orders, get: down },
      events: { ...reader.events, bodiesOf: down, find: down },
      changes: { ...reader.changes, after: down },
      transactions: { getTransaction: down },
    },
  });
  const lean = orderQueryOver({ reader: { ...reader, changes: undefined, transactions: undefined } });
  return { whole: query, broken, lean };
}

const orderCalls: readonly Call[] = [
  ...[
    {},
    { limit: '1' },
    { status: 'refunded', updated_since: '2026-11-21T10:00:00Z' },
    { mode: 'sandbox' },
    { attention: 'any', sort_order: 'desc', limit: '1' },
    { status: 'Paid' },
  ].map((query) => ({ route: 'GET /orders', query })),
  { route: 'GET /orders', state: 'broken' },
  { route: 'GET /orders', state: 'lean' },
  ...['GET /orders/{order_id}', 'GET /orders/{order_id}/events'].flatMap((route): Call[] => [
    ...['order-1', 'order-2', 'order-3', 'nope', 'x'.repeat(1_025)].map((order_id) => ({
      ...{ route, path: { order_id } },
    })),
    { route, path: { order_id: 'order-1' }, query: { mode: 'test' } },
    { route, path: { order_id: 'order-1' }, state: 'broken' },
    // Only an event that waits names it.
    { route, path: { order_id: 'order-4' }, query: { mode: 'sandbox' } },
  ]),
  ...['paid', 'failed', 'bare', 'no payload', 'nope'].map((event_id) => ({
    ...{ route: 'GET /events/{event_id}', path: { event_id } },
  })),
  { route: 'GET /events/{event_id}', path: { event_id: 'quarantined' }, query: { mode: 'sandbox' } },
  { route: 'GET /events/{event_id}', path: { event_id: 'paid' }, query: { Mode: 'live' } },
  { route: 'GET /events/{event_id}', path: { event_id: 'paid' }, state: 'broken' },
  ...['T', 'nope'].map((transaction_id) => ({
    ...{ route: 'GET /transactions/{transaction_id}', path: { transaction_id } },
  })),
  { route: 'GET /transactions/{transaction_id}', path: { transaction_id: 'T' }, query: { mode: 'test' } },
  ...(['broken', 'lean'] as const).map((state) => ({
    ...{ route: 'GET /transactions/{transaction_id}', path: { transaction_id: 'T' }, state },
  })),
];

const noEvent = Buffer.from('{"payload":{}}');
const body_sha256 = sha256(noEvent);

const by = 'arn:aws:iam::1:user/ann';
const decision = { by, at: '2026-11-21T10:30:00.000Z', reason: 'checked' };
const proposed: Proposal = {
  ...{ id: '0000000000000001', mode: 'live', act: 'admit', ...decision, request: { event_id: 'paid' } },
  ...{ meaningsId: 'built-in', planSha256: body_sha256, isWhole: true, waits: true },
  shown: { events: [], orders: [], more: false },
};
const proposals: readonly Proposal[] = [
  proposed,
  { ...proposed, id: '0000000000000002', waits: false, approved: decision },
  { ...proposed, id: '0000000000000003', waits: false, rejected: decision },
];

/** The operations API over two bodies under one id, an event without a meaning, and a body that is no event. */
async function operations() {
  const payment = { ...order, eventId: 'paid' };
  const { tables, deliver } = setUpQuery();
  await deliver([
    bytesOf(paidEvent(payment)),
    bytesOf(paidEvent({ ...payment, amount: '1.00' })),
    bytesOf(unknownEvent({ ...order, eventName: 'charge.won', eventId: 'unknown' })),
    noEvent,
  ]);
  for (const proposal of proposals) tables.proposals.set(proposalKey('live', proposal.id), proposal);
  const keyUse = { keyId: '9a76d0a46113', matchedAt: '2026-11-21T10:00:00.000Z' };
  return {
    whole: operationsOver(tables, {
      keyUses: { keyUses: async (mode: Mode) => [{ mode, ...keyUse }] },
    }),
    broken: operationsOver(tables, {
      hooks: { gate: down },
      keyUses: { keyUses: down },
      waiting: { list: down, count: down, oldest: down, attentions: down, eventNames: down },
      receipts: { before: down },
    }),
    young: operationsOver(tables, {
      classify: createClassify(() => 'disputed'),
      now: () => new Date('2026-11-21T10:00:30.000Z'),
    }),
  };
}

const reads: readonly Call[] = [
  { route: 'GET /operations/waiting' },
  { route: 'GET /operations/waiting', query: { limit: '1' } },
  { route: 'GET /operations/waiting/counts' },
  { route: 'GET /operations/events' },
  { route: 'GET /operations/events', query: { outcome: 'applied', limit: '1' } },
  { route: 'GET /operations/events/{event_id}', path: { event_id: 'paid' } },
  { route: 'GET /operations/events/{event_id}', path: { event_id: 'nope' } },
  { route: 'GET /operations/bodies/events/{event_id}', path: { event_id: 'paid' } },
  { route: 'GET /operations/bodies/events/{event_id}', path: { event_id: 'nope' } },
  { route: 'GET /operations/bodies/{body_sha256}', path: { body_sha256 } },
  { route: 'GET /operations/bodies/{body_sha256}', path: { body_sha256: 'ab'.repeat(32) } },
  { route: 'GET /operations/keys' },
  { route: 'GET /operations/approvals', query: { id: 'nope' } },
  { route: 'GET /operations/approvals', query: { id: '0000000000000002' } },
  { route: 'GET /operations/approvals' },
];
const reason = 'checked';
const attention = ['conflicting_event'];
const acts: readonly Call[] = [
  ...(
    [
      ['admit', { event_id: 'paid', dry_run: true }],
      ['admit', { event_id: 'nope', reason }],
      ['admit', { body_sha256, reason }],
      ['dismiss', { event_id: 'paid', reason }],
      ['dismiss', { event_name: 'charge.won', reason }],
      ['dismiss', { event_id: 'nope', reason }],
      ['dismiss', { event_id: 'unknown', reason }],
      ['resolve', { order_id: 'order-1', sequence: 2, attention, dry_run: true }],
      ['resolve', { order_id: 'order-1', sequence: 9, reason }],
      ['resolve', { order_id: 'nope', sequence: 1, reason }],
      ['replay', { event_id: 'paid', dry_run: true }],
      ['replay', { order_id: 'order-1', publish: true, reason }],
      ['replay', { event_id: 'nope', reason }],
      ['verify', {}],
      ['erase', { event_id: 'unknown', reason }],
      ['erase', { event_id: 'paid', reason }],
      ['erase', { event_id: 'nope', reason }],
      ['approvals/approve', { id: 'nope', reason }],
      ['approvals/approve', { id: '0000000000000003', reason }],
      ['approvals/approve', { id: '0000000000000002', reason }],
      ['approvals/approve', { id: '0000000000000001', dry_run: true }],
      ['approvals/reject', { id: 'nope', reason }],
      ['approvals/reject', { id: '0000000000000002', reason }],
      ['approvals/reject', { id: '0000000000000001', reason }],
    ] as const
  ).map(([act, request]) => ({ route: `POST /operations/${act}`, request })),
  { route: 'POST /operations/replay', request: { event_id: 'paid', reason }, state: 'young' },
];
/** One request to each route. */
const firstOf = (calls: readonly Call[]) => [...new Map(calls.map((call) => [call.route, call])).values()];
const operationCalls: readonly Call[] = [
  ...reads,
  ...firstOf(reads).map((call) => ({ ...call, query: unheardOf })),
  ...acts,
  ...firstOf(acts).map((call) => ({ ...call, request: unheardOf })),
  ...firstOf([...reads, ...acts]).map((call): Call => ({ ...call, state: 'broken' })),
];

const documents = [
  {
    file: 'openapi.yaml',
    routesOfCode: Object.keys(orderQueryRoutes),
    open: orderQuery,
    calls: orderCalls,
  },
  {
    file: 'operations.openapi.yaml',
    routesOfCode: Object.keys(operationRoutes),
    open: operations,
    calls: operationCalls,
  },
] as const;

describe.each(documents)('docs/$file', ({ file, routesOfCode, open, calls }) => {
  const { document, routes, deviations } = readOpenApi(file);

  async function send({ route, path, query, request, state }: Call) {
    const apis: Partial<Record<'whole' | NonNullable<Call['state']>, HttpApi>> = await open();
    const response = await apis[state ?? 'whole']?.(
      gatewayEvent({
        routeKey: route,
        ...(path && { pathParameters: path }),
        ...(query && { queryStringParameters: query }),
        ...(request && { body: JSON.stringify(request) }),
      }),
    );
    const { statusCode: status = 0, headers, body = '' } = response ?? expect.unreachable();
    return {
      routeKey: route,
      status,
      contentType: String(headers?.['content-type']),
      body: JSON.parse(body),
    };
  }

  it('describes the routes that the code has', () => {
    const documented = routes.map(({ routeKey }) => routeKey);
    expect(documented.toSorted()).toEqual(routesOfCode.toSorted());
  });

  it('requires SigV4 on every route', () => {
    expect(document.security).toEqual([{ sigv4: [] }]);
    expect(document.components.securitySchemes.sigv4['x-amazon-apigateway-authtype']).toBe('awsSigv4');
    const items = Object.values<Record<string, object>>(document.paths);
    for (const operation of items.flatMap(({ get = {}, post = {} }) => [get, post]))
      expect(operation).not.toHaveProperty('security');
  });

  it('explains every value of every enum and open set', () => {
    const schemas = Object.values<Schema>(document.components.schemas);
    const unexplained = schemas.flatMap(({ examples, enum: values = examples ?? [], description }) =>
      values.filter((value) => !description.includes(`- \`${value}\`: `)),
    );
    expect(unexplained).toEqual([]);
  });

  it('gives examples that match their schemas', () => {
    const examples = routes.flatMap(({ responses, request }) => [
      ...responses.flatMap(({ content }) => Object.values(content)),
      ...(request === undefined ? [] : [request]),
    ]);
    expect(examples.length).toBeGreaterThan(20);
    expect(examples.flatMap(({ schema, example }) => schemaErrors(schema, example))).toEqual([]);
  });

  it('describes every response, and besides these only statuses of API Gateway', async () => {
    const responses = await Promise.all(calls.map(send));
    const wrong = responses.map((response, n) => [calls[n], deviations(response)] as const);
    expect(wrong.filter(([, found]) => found.length > 0)).toEqual([]);
    const occurring = new Set(responses.map(({ routeKey, status }) => `${routeKey} ${status}`));
    const documented = routes.flatMap(({ routeKey, responses: all }) =>
      all
        .filter(({ status, content }) => status === 200 || 'application/problem+json' in content)
        .map(({ status }) => `${routeKey} ${status}`),
    );
    expect([...occurring].toSorted()).toEqual(documented.toSorted());
  });

  it.each(routes)('has the parameters of $routeKey that the code accepts', async (route) => {
    const { routeKey, parameters, request } = route;
    const path = calls.find((call) => call.route === routeKey)?.path;
    const unknown = request === undefined ? { query: unheardOf } : { request: unheardOf };
    const { body } = await send({ route: routeKey, ...(path && { path }), ...unknown });
    const [, taken = ''] =
      /expected (?:no parameters|one of the (?:parameters|fields)) ?(.*)\.$/.exec(body.detail) ?? [];
    const schema = document.components.schemas[String(request?.schema.$ref).replace(/^.*\//, '')];
    const inQuery = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    const documented = request === undefined ? inQuery : Object.keys(schema.properties);
    expect(taken.split(', ').filter(Boolean).toSorted()).toEqual(documented.toSorted());
    const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`);
    expect(routeKey.match(/\{\w+\}/g) ?? []).toEqual(inPath);
  });
});

it('docs/openapi.yaml has the enums and the bounds of the code', () => {
  const { components, paths } = readOpenApi('openapi.yaml').document;
  const { schemas, parameters } = components;
  expect(schemas.OrderStatus.enum).toEqual(orderStatuses);
  expect(schemas.Attention.examples).toEqual(attentions);
  expect(schemas.ReasonRule.examples).toEqual(reasonRules);
  expect(schemas.WaitingKind.enum).toEqual(waitingKinds);
  expect(parameters.status.schema.enum).toEqual(orderStatuses);
  expect(parameters.attention.schema.enum).toEqual(['any', ...attentions]);
  expect(parameters.sort_order.schema.enum).toEqual(sortOrders);
  const limit = { minimum: 1, maximum: listOrdersMax, default: listOrdersDefault };
  expect(parameters.limit.schema).toMatchObject(limit);
  expect(parameters.limit.description).toContain(`More than ${listOrdersMax} counts as ${listOrdersMax}.`);
  expect(parameters.cursor.schema.maxLength).toBe(cursorCharactersMax);
  const { description } = paths['/orders'].get;
  const settles = `within ${changesSettleSeconds} seconds of its time`;
  for (const text of [description, textOf('docs', 'order-query.md')]) expect(text).toContain(settles);
  expect(description).toContain(`more than ${listEventsMax} events`);
  const { status_after } = schemas.OrderEvent.properties;
  expect(status_after.description).toContain(`the newest ${orderStepsMax} events`);
});

it('docs/operations.openapi.yaml has the enums and the bounds of the code', () => {
  const { components, paths } = readOpenApi('operations.openapi.yaml').document;
  const { parameters, schemas } = components;
  expect(parameters.kind.schema.enum).toEqual(waitingKinds);
  expect(schemas.WaitingCount.properties.kind.enum).toEqual(levelKinds);
  expect(parameters.limit.schema).toMatchObject({ maximum: waitingListMax, default: waitingListDefault });
  expect([receivedListMax, receivedListDefault]).toEqual([waitingListMax, waitingListDefault]);
  const { description } = paths['/operations/events'].get;
  expect(description).toContain(`looks at ${receivedExaminedMax.toLocaleString('en')} bodies`);
  expect(schemas.ReplayRequest.properties.cursor.maxLength).toBe(actCursorCharactersMax);
  expect(schemas.AdmitRequest.properties.reason.description).toContain(`1 to ${reasonBytesMax} bytes`);
  expect(schemas.ResolveRequest.properties.attention.maxItems).toBe(attentionsResolvedMax);
});

it('the README of the client names every error and method', () => {
  const readme = textOf('packages', 'order-client', 'README.md');
  const errors = Object.keys(client).filter((name) => name.endsWith('Error'));
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  const options = { baseUrl: 'http://a', credentials: false } as const;
  const methods = { ...client.createOrderClient(options), ...client.createOperationsClient(options) };
  expect(Object.keys(methods).filter((name) => !readme.includes(`\`${name}(`))).toEqual([]);
});

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

it('the client has the types of problems', () => {
  type OwnParts = Frozen<Omit<ParameterProblem, 'type' | 'status'>>;
  type OwnView = Omit<Required<ProblemView>, 'status' | 'retry_after_seconds'>;
  expectTypeOf<OwnParts>().toEqualTypeOf<OwnView>();
  expectTypeOf<Problem['status']>().toEqualTypeOf<number>();
});

it('docs/order-query.md names every route', () => {
  const named = [...textOf('docs', 'order-query.md').matchAll(/^\| (?:\[)?`((?:GET|POST) \/\S+?)`/gm)];
  const { routes } = readOpenApi('openapi.yaml');
  expect(named.map(([, route]) => route)).toEqual(routes.map(({ routeKey }) => routeKey));
});
