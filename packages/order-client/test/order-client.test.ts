import { startService } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import {
  createOrderClient,
  EventNotFoundError,
  InvalidRequestError,
  OrderClientError,
  OrderNotFoundError,
  ProblemError,
  TransactionNotFoundError,
  UnexpectedResponseError,
} from '../src/index.ts';
import { body, order, problem, rejection, scene } from './scene.ts';

describe('a response', () => {
  it('comes from the documented route, in the mode that the caller chose, with fields of later versions', async () => {
    const fields = { orders: [], next_cursor: null, events: [], body_base64: '', a_later_field: 1 };
    const response = { ...order, ...fields, transaction_id: 't' };
    const { client, requests } = await scene(() => ({ text: JSON.stringify(response) }));
    const mode = 'sandbox';
    expect(await client.order('a/b', { mode })).toEqual(response);
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
    await client.orderEvents('a/b', { mode });
    await client.event('a/b', { mode });
    await client.transaction('a/b', { mode });
    await client.orders({ mode });
    for await (const _ of client.allOrders({ mode })) expect.unreachable();
    const stop = new AbortController();
    const changes = client.changes({ mode, signal: stop.signal }).next();
    await expect.poll(() => requests).toHaveLength(7);
    stop.abort();
    await changes;
    expect(requests.map(({ url }) => url)).toEqual([
      ...['/orders/a%2Fb?mode=sandbox', '/orders/a%2Fb/events?mode=sandbox', '/events/a%2Fb?mode=sandbox'],
      ...['/transactions/a%2Fb?mode=sandbox', '/orders?mode=sandbox', '/orders?mode=sandbox'],
      '/orders?mode=sandbox&limit=100',
    ]);
  });

  it('about a wrong parameter becomes a ProblemError with its name', async () => {
    const { client } = await scene(() => problem(400, { parameter: 'limit' }));
    const error = await rejection(client.orders({ limit: 0 }));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toBeInstanceOf(OrderClientError);
    expect(error).toMatchObject({ status: 400, problem: { parameter: 'limit' } });
  });

  it('404 of payhooks becomes the error of what was requested', async () => {
    const { client } = await scene(() => problem(404));
    for (const call of [client.order('events'), client.orderEvents('x'), client.orderEvents('events')]) {
      expect(await rejection(call)).toBeInstanceOf(OrderNotFoundError);
    }
    expect(await rejection(client.event('x'))).toBeInstanceOf(EventNotFoundError);
    expect(await rejection(client.transaction('x'))).toBeInstanceOf(TransactionNotFoundError);
  });

  it('404 lists the events that name the order and wait, and what operators did with them', async () => {
    const waiting = [{ event_id: 'evt-1', kind: 'quarantined', reason: 'sandbox_flag_missing' }];
    const { client } = await scene(() => problem(404, { waiting, acts: [] }));
    expect(await rejection(client.order('x'))).toMatchObject({ waiting, acts: [] });
  });

  it.each([
    [404, '{"message":"Not Found"}', '404 Not Found: Not Found'],
    [403, '{"message":"Forbidden"}', '403 Forbidden: Forbidden'],
    [403, '<html>', '403 Forbidden: The response has no message.'],
    [403, 'null', '403 Forbidden: The response has no message.'],
    [403, '', '403 Forbidden: The response has no message.'],
  ])('%i of API Gateway, with the body %s, becomes a ProblemError', async (status, body, message) => {
    const headers = { 'content-type': 'text/html' };
    const { client } = await scene(() => ({ status, headers, text: body }));
    expect(await rejection(client.order('x'))).toMatchObject({ name: 'ProblemError', message });
  });

  it.each(['<html>', '', '{}', '[]', 'null', '{"orders":[],"next_cursor":null}'])(
    '200 that is not an order becomes an UnexpectedResponseError: %s',
    async (body) => {
      const { client } = await scene(() => ({ text: body }));
      const error = await rejection(client.order('x'));
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(error).toHaveProperty(
        'message',
        expect.stringMatching(/; is the baseUrl that of the order query\?$/),
      );
    },
  );
});

describe('an invalid request', () => {
  it.each(['', '.', '..', '\ud800'])('for the id %j is refused before it is sent', async (id) => {
    const { client, operations, requests } = await scene(() => ({ text: body }));
    const calls = [client.order(id), client.orderEvents(id), client.event(id), client.transaction(id)];
    for (const call of [...calls, operations.event(id), operations.bodies(id)]) {
      expect(await rejection(call)).toBeInstanceOf(InvalidRequestError);
    }
    expect(requests).toEqual([]);
  });

  it.each(['', 'orders.example', 'ftp://orders.example', 'https://orders.example/?a=b'])(
    'to the baseUrl %j is refused',
    (baseUrl) => {
      expect(() => createOrderClient({ baseUrl, credentials: false })).toThrow(InvalidRequestError);
    },
  );

  it('is not one to a baseUrl with a path', async () => {
    const { baseUrl, received: requests } = await startService(() => ({ text: body }));
    await createOrderClient({ baseUrl: `${baseUrl}/payments/`, credentials: false }).order('x');
    expect(requests[0]?.url).toBe('/payments/orders/x');
  });
});

describe('an abort', () => {
  const reason = new Error('enough');

  it('before the call prevents the request', async () => {
    const { client, operations, requests } = await scene(() => ({ text: body }));
    const signal = AbortSignal.abort(reason);
    expect(await rejection(client.order('x', { signal }))).toBe(reason);
    expect(await rejection(operations.verify({}, { signal }))).toBe(reason);
    expect(requests).toEqual([]);
  });

  it.each([
    ['an attempt', { fault: 'hang' }],
    ['a pause', { status: 503, headers: { 'retry-after': '30' } }],
  ] as const)('during %s rejects at once with the reason of the caller', async (_, response) => {
    const controller = new AbortController();
    const { client, requests } = await scene(() => {
      setTimeout(() => controller.abort(reason), 30);
      return response;
    });
    expect(await rejection(client.order('x', { signal: controller.signal }))).toBe(reason);
    expect(requests).toHaveLength(1);
  });
});

it('allOrders() follows the cursor of each page and keeps the other parameters', async () => {
  const page = (ids: string[], next_cursor: string | null) => {
    const orders = ids.map((id) => ({ ...order, order_id: id }));
    return { text: JSON.stringify({ orders, next_cursor }) };
  };
  const pages = [page(['a', 'b'], 'one'), page([], 'two'), page(['c'], null)];
  const { client, requests } = await scene((_, count) => pages[count - 1] ?? problem(500));
  const ids: string[] = [];
  for await (const { order_id } of client.allOrders({ status: 'paid', limit: 2 })) ids.push(order_id);
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(requests.map(({ url }) => url)).toEqual([
    '/orders?status=paid&limit=2',
    '/orders?status=paid&limit=2&cursor=one',
    '/orders?status=paid&limit=2&cursor=two',
  ]);
});
