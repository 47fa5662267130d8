import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParameterProblem, Problem } from '@payhooks/order-client';
import * as client from '@payhooks/order-client';
import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  changesSettleSeconds,
  cursorCharactersMax,
  eventIdBytesMax,
  listEventsMax,
  listOrdersDefault,
  listOrdersMax,
  orderIdBytesMax,
  orderStepsMax,
  transactionIdBytesMax,
} from '../../lambdas/contract/limits.ts';
import { waitingKinds } from '../../lambdas/contract/waiting-kinds.ts';
import { attentions } from '../../lambdas/domain/attention.ts';
import { orderStatuses } from '../../lambdas/domain/fold-order.ts';
import { reasonRules } from '../../lambdas/domain/reason.ts';
import type { Problem as ProblemView } from '../../lambdas/http-api/problem.ts';
import { orderQueryRoutes } from '../../lambdas/order-query/routes.ts';
import { sortOrders } from '../../lambdas/order-query/walk.ts';
import { gatewayEvent } from '../doubles/gateway-event.ts';
import { deviations, documentedRoutes, openApiDocument, schemaErrors } from '../doubles/openapi-document.ts';
import { consumedTables, orderQueryOver } from '../doubles/order-query.ts';

const order = { seed: 'one', orderId: 'order-1', transactionId: 'T' };
const paid = paidEvent({ ...order, eventId: 'paid' });
const bare = { id: 'bare', event_name: 'account.updated', sandbox: false, payload: [] };
const sent = [
  { body: bytesOf(paid) },
  { body: bytesOf(refundedEvent({ ...order, eventId: 'refunded' })) },
  { body: bytesOf(refundedEvent({ ...order, orderId: '', eventId: 'no order', amount: '1.00' })) },
  { body: bytesOf(paidEvent({ ...order, seed: 'two', eventId: 'paid', amount: '1.00' })) },
  { body: bytesOf(failedEvent({ orderId: 'order-2', eventId: 'failed', nullable: 'null' })) },
  { body: bytesOf(unknownEvent({ orderId: 'order-3', eventId: 'damaged' })) },
  { body: Buffer.from(JSON.stringify(bare)) },
  { body: Buffer.from(JSON.stringify({ ...bare, id: 'no payload', payload: undefined })) },
  { body: bytesOf(paidEvent({ orderId: 'order-4', eventId: 'quarantined' })), mode: 'sandbox' as const },
];

/** The order query over what the consumer made of `sent`. */
async function scene() {
  const { events, reader } = await consumedTables(...sent);
  events.delete('live:event:damaged\nevent');
  const { body: _, ...withoutBody } = events.get('live:event:failed\nevent') ?? expect.unreachable();
  events.set('live:event:failed\nevent', withoutBody);
  const down = () => Promise.reject(new Error('down'));
  const whole = orderQueryOver({ reader });
  const broken = orderQueryOver({
    reader: {
      ...reader,
      orders: { ...reader.orders, get: down },
      events: { ...reader.events, bodiesOf: down },
      changes: { ...reader.changes, after: down },
      transactions: { getTransaction: down },
    },
  });
  return async (routeKey: string, id: string | undefined, parameters: Record<string, string> = {}) => {
    const [, name = ''] = /\{(\w+)\}/.exec(routeKey) ?? [];
    const response = await (id === 'broken' ? broken : whole)(
      gatewayEvent({
        routeKey,
        ...(id === undefined ? {} : { pathParameters: { [name]: id } }),
        queryStringParameters: parameters,
      }),
    );
    const { statusCode: status = 0, headers, body = '' } = response;
    return { routeKey, status, contentType: String(headers?.['content-type']), body: JSON.parse(body) };
  };
}

const call = (route: string, id?: string, parameters: Record<string, string> = {}) =>
  ({ route, id, parameters }) as const;
const calls = [
  call('GET /orders'),
  call('GET /orders', undefined, { limit: '1' }),
  call('GET /orders', undefined, { status: 'refunded', updated_since: '2026-11-21T10:00:00Z' }),
  call('GET /orders', undefined, { mode: 'sandbox' }),
  call('GET /orders', undefined, { attention: 'any', sort_order: 'desc', limit: '1' }),
  call('GET /orders', undefined, { status: 'Paid' }),
  call('GET /orders', 'broken'),
  ...['GET /orders/{order_id}', 'GET /orders/{order_id}/events'].flatMap((route) => [
    ...['order-1', 'order-2', 'order-3', 'nope', 'x'.repeat(1_025), 'broken'].map((id) => call(route, id)),
    call(route, 'order-1', { mode: 'test' }),
    // Only an event that waits names it.
    call(route, 'order-4', { mode: 'sandbox' }),
  ]),
  ...['paid', 'failed', 'bare', 'no payload', 'nope', 'broken'].map((id) =>
    call('GET /events/{event_id}', id),
  ),
  call('GET /events/{event_id}', 'quarantined', { mode: 'sandbox' }),
  call('GET /events/{event_id}', 'paid', { Mode: 'live' }),
  ...['T', 'nope', 'broken'].map((id) => call('GET /transactions/{transaction_id}', id)),
  call('GET /transactions/{transaction_id}', 'T', { mode: 'test' }),
];

describe('docs/openapi.yaml', () => {
  it('is OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(openApiDocument))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const { openapi, ...broken } = openApiDocument;
    expect(openapi).toBe('3.1.1');
    expect((await new Validator().validate({ openapi, ...broken, info: {} })).valid).toBe(false);
  });

  it('describes the routes that the code has', () => {
    expect(documentedRoutes.map(({ routeKey }) => routeKey).toSorted()).toEqual(
      Object.keys(orderQueryRoutes).toSorted(),
    );
  });

  it('requires SigV4 on every route', () => {
    expect(openApiDocument.security).toEqual([{ sigv4: [] }]);
    expect(openApiDocument.components.securitySchemes.sigv4['x-amazon-apigateway-authtype']).toBe('awsSigv4');
    expect(documentedRoutes.length).toBe(5);
    for (const item of Object.values<{ get: object }>(openApiDocument.paths))
      expect(item.get).not.toHaveProperty('security');
  });

  it('has the enums and the bounds of the code', () => {
    const { schemas, parameters } = openApiDocument.components;
    expect(schemas.OrderStatus.enum).toEqual(orderStatuses);
    expect(schemas.Attention.enum).toEqual(attentions);
    expect(schemas.ReasonRule.enum).toEqual(reasonRules);
    expect(schemas.WaitingKind.enum).toEqual(waitingKinds);
    expect(parameters.status.schema.enum).toEqual(orderStatuses);
    expect(parameters.attention.schema.enum).toEqual(['any', ...attentions]);
    expect(parameters.sort_order.schema.enum).toEqual(sortOrders);
    expect(parameters.limit.schema).toMatchObject({
      minimum: 1,
      maximum: listOrdersMax,
      default: listOrdersDefault,
    });
    expect(parameters.cursor.schema.maxLength).toBe(cursorCharactersMax);
    expect(parameters.order_id.description).toContain(`up to ${orderIdBytesMax} bytes`);
    expect(parameters.event_id.description).toContain(`up to ${eventIdBytesMax} bytes`);
    expect(parameters.transaction_id.description).toContain(`up to ${transactionIdBytesMax} bytes`);
    expect(parameters.limit.description).toContain(`More than ${listOrdersMax} counts as ${listOrdersMax}.`);
    expect(parameters.cursor.description).toContain(`more than ${changesSettleSeconds} seconds after`);
    const { description } = openApiDocument.paths['/orders'].get;
    expect(description).toContain(`within ${changesSettleSeconds} seconds of its time`);
    expect(description).toContain(`more than ${listEventsMax} events`);
    const { status_after } = schemas.OrderEvent.properties;
    expect(status_after.description).toContain(`the newest ${orderStepsMax} events`);
  });

  it('explains every value of every enum', () => {
    const schemas = Object.values<{ enum?: string[]; description: string }>(
      openApiDocument.components.schemas,
    );
    const enums = schemas.filter((schema) => schema.enum !== undefined);
    expect(enums).toHaveLength(9);
    const unexplained = enums.flatMap(({ enum: values = [], description }) =>
      values.filter((value) => !description.includes(`- \`${value}\`: `)),
    );
    expect(unexplained).toEqual([]);
  });

  it('gives examples that match their schemas', () => {
    const examples = documentedRoutes.flatMap(({ responses }) =>
      responses.flatMap(({ content }) => Object.values(content)),
    );
    expect(examples.length).toBeGreaterThan(20);
    expect(examples.flatMap(({ schema, example }) => schemaErrors(schema, example))).toEqual([]);
  });
});

describe('a response of the order query', () => {
  it.each(calls)('to $route $id $parameters matches the document', async ({ route, id, parameters }) => {
    const request = await scene();
    expect(deviations(await request(route, id, parameters))).toEqual([]);
  });

  it('occurs in this test for each documented status, except those of API Gateway', async () => {
    const request = await scene();
    const responses = await Promise.all(
      calls.map(({ route, id, parameters }) => request(route, id, parameters)),
    );
    const occurring = new Set(responses.map(({ routeKey, status }) => `${routeKey} ${status}`));
    const documented = documentedRoutes.flatMap(({ routeKey, responses }) =>
      responses.map(({ status, content }) => ({
        response: `${routeKey} ${status}`,
        types: Object.keys(content),
      })),
    );
    const ownTypes = (types: string[]) => types.includes('application/problem+json');
    const own = documented.filter(({ response, types }) => response.endsWith(' 200') || ownTypes(types));
    expect([...occurring].toSorted()).toEqual(own.map(({ response }) => response).toSorted());
    expect(occurring).toHaveLength(19);
    const gateway = documented.filter((one) => !own.includes(one)).map(({ response }) => response.slice(-3));
    expect([...new Set(gateway)]).toEqual(['403', '429', '503']);
  });

  it('fails the comparison with an undocumented field, without a documented one, and with another status', async () => {
    const request = await scene();
    const response = await request('GET /orders/{order_id}', 'order-1');
    const { updated_at, ...rest } = response.body;
    expect(deviations({ ...response, body: rest })).toEqual([" must have required property 'updated_at'"]);
    const more = { ...response.body, transactions: [{ ...response.body.transactions[0], card: '0000' }] };
    expect(deviations({ ...response, body: more })).toEqual([
      '/transactions/0 must NOT have additional properties',
    ]);
    expect(deviations({ ...response, status: 418 })).toEqual([
      'GET /orders/{order_id} has no documented response 418 application/json',
    ]);
  });
});

describe('the documented parameters', () => {
  it.each(documentedRoutes)(
    'of $routeKey are those that the code accepts',
    async ({ routeKey, parameters }) => {
      const request = await scene();
      const documented = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      const { body } = await request(routeKey, 'order-1', { unheard_of: '' });
      const [, taken = ''] = /expected one of the parameters (.*)\.$/.exec(body.detail) ?? [];
      expect(taken.split(', ').toSorted()).toEqual(documented.toSorted());
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`);
      expect(routeKey.match(/\{\w+\}/g) ?? []).toEqual(inPath);
    },
  );

  it('have the bounds of the code', async () => {
    const request = await scene();
    const status = async (parameters: Record<string, string>) =>
      (await request('GET /orders', undefined, parameters)).status;
    const { limit, cursor } = openApiDocument.components.parameters;
    expect(await status({ limit: String(limit.schema.minimum) })).toBe(200);
    expect(await status({ limit: String(limit.schema.minimum - 1) })).toBe(400);
    const { body } = await request('GET /orders', undefined, { limit: '1' });
    expect(body.next_cursor).toMatch(new RegExp(cursor.schema.pattern));
    expect(body.next_cursor.length).toBeLessThanOrEqual(cursor.schema.maxLength);
  });
});

describe('docs/order-query.md', () => {
  const guide = readFileSync(join(import.meta.dirname, '../..', 'docs', 'order-query.md'), 'utf8');

  it('names every route', () => {
    const [table = ''] = /^\| route.*?\n\n/ms.exec(guide) ?? [];
    expect([...table.matchAll(/`(GET \S+)`/g)].map(([, route]) => route)).toEqual(
      documentedRoutes.map(({ routeKey }) => routeKey),
    );
  });

  it('is completed by the README of the client, which names every error and method', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../packages/order-client/README.md'), 'utf8');
    const errors = Object.keys(client).filter((name) => name.endsWith('Error'));
    expect(errors.length).toBe(10);
    expect(errors.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
    const options = { baseUrl: 'http://a', credentials: false } as const;
    const methods = Object.keys({
      ...client.createOrderClient(options),
      ...client.createOperationsClient(options),
    });
    expect(methods.filter((name) => !readme.includes(`\`${name}(`))).toEqual([]);
  });

  it('has the bound of the code', () => {
    expect(guide).toContain(`within ${changesSettleSeconds} seconds of its time`);
  });
});

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

it('the client has the types of problems', () => {
  type OwnParts = Frozen<Omit<ParameterProblem, 'type' | 'status'>>;
  type OwnView = Omit<Required<ProblemView>, 'status' | 'retry_after_seconds'>;
  expectTypeOf<OwnParts>().toEqualTypeOf<OwnView>();
  expectTypeOf<Problem['status']>().toEqualTypeOf<number>();
});
