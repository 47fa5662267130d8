import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type ChangesOptions, createOrderClient, type Order } from '@payhooks/order-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { paid } from '../../doubles/facts.ts';
import { gatewayEvent } from '../../doubles/gateway-event.ts';
import { setUpQuery } from '../../doubles/order-query.ts';

/** A client whose `fetch` reaches the real order query, or `state.respond` while that is set. */
function scene() {
  const { query, state: clock, commit } = setUpQuery();
  const state: { respond?: ((request: Request) => Promise<Response>) | undefined } = {};
  const requests: URL[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    requests.push(url);
    if (state.respond !== undefined) return state.respond(request);
    const queryStringParameters = Object.fromEntries(url.searchParams);
    const event = gatewayEvent({ routeKey: 'GET /orders', queryStringParameters });
    const { body = '', headers, statusCode } = await query(event);
    const type = String(headers?.['content-type']);
    return new Response(body, { status: statusCode ?? 0, headers: { 'content-type': type } });
  };
  const retry = { attemptsMax: 2, firstPauseMilliseconds: 1 };
  const client = createOrderClient({ baseUrl: 'http://a.example', credentials: false, retry, fetch });
  /** An event that changes an order now. */
  const change = (id: string, event = id) =>
    commit(id, clock.now, [paid(event, { transactionId: `txn-${event}` })]);
  /** Follows in the background until the test ends; `received` grows over time. */
  const follow = (options: ChangesOptions = {}) => {
    const controller = new AbortController();
    const { signal } = controller;
    const received: Order[] = [];
    const receive = async () => {
      for await (const order of client.changes({ pauseMilliseconds: 5, signal, ...options })) {
        received.push(order);
      }
    };
    const ended = receive();
    onTestFinished(() => controller.abort());
    return { received, ended, ids: () => received.map(({ order_id }) => order_id), controller };
  };
  /** Resolves after this many more requests. */
  const requestsSent = async (count: number) => {
    const until = requests.length + count;
    while (requests.length < until) await pause(1);
  };
  return { ...{ clock, state, requests, client, change }, follow, requestsSent };
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `o${n}`);

describe('changes()', () => {
  it('yields every order once, then each order that changes', async () => {
    const { change, follow, requestsSent } = scene();
    await change('a', 'a1');
    await change('b', 'b1');
    const { received, ids } = follow();
    await requestsSent(4);
    expect(ids().toSorted()).toEqual(['a', 'b']);
    await change('a', 'a2');
    await requestsSent(4);
    expect(ids().slice(2)).toEqual(['a']);
    expect(received.at(-1)?.events.map(({ id }) => id)).toEqual(['a1', 'a2']);
  });

  it('requests one order, not a page, while nothing changes', async () => {
    const { change, follow, requestsSent, clock, requests } = scene();
    for (const id of names(80)) await change(id);
    clock.now += 60_000;
    follow();
    await requestsSent(6);
    const limits = requests.map(({ searchParams }) => searchParams.get('limit'));
    expect(limits.slice(0, 3)).toEqual(['100', '79', '100']);
    expect(new Set(limits.slice(3))).toEqual(new Set(['1']));
  });

  it('repeats an order that it has forgotten, since it remembers a bounded number', async () => {
    const { change, follow, requestsSent } = scene();
    for (const id of ['a', 'b', 'c']) await change(id);
    const { ids } = follow({ rememberedOrdersMax: 2 });
    await requestsSent(5);
    expect(ids().length).toBeGreaterThan(3);
  });
});

describe('the cursor that changes() hands out', () => {
  it('comes after the orders before it were taken, and is awaited while it is stored', async () => {
    const { change, client } = scene();
    for (const id of names(101)) await change(id);
    const taken: string[] = [];
    let takenAtCursor = -1;
    const onCursor = async () => {
      await pause(5);
      takenAtCursor = taken.length;
    };
    for await (const { order_id } of client.changes({ onCursor })) {
      await pause(0);
      taken.push(order_id);
      if (taken.length === 101) break;
    }
    expect(takenAtCursor).toBe(100);
  });
});

describe('the signal of changes()', () => {
  it('ends the iteration without an error during a pause', async () => {
    const { change, follow } = scene();
    await change('a');
    const { controller, ended, ids } = follow({ pauseMilliseconds: 60_000 });
    await expect.poll(ids).toEqual(['a']);
    await nextTurn();
    controller.abort();
    await expect(ended).resolves.toBeUndefined();
  });

  it('ends the iteration without an error during a request', async () => {
    const { follow, requestsSent, state } = scene();
    state.respond = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const sent = requestsSent(1);
    const { controller, ended } = follow();
    await sent;
    controller.abort();
    await expect(ended).resolves.toBeUndefined();
  });

  it('ends the iteration between two orders of a page, without a cursor past the orders not taken', async () => {
    const { change, client } = scene();
    for (const id of names(101)) await change(id);
    const controller = new AbortController();
    const taken: string[] = [];
    const cursors: string[] = [];
    const onCursor = (cursor: string) => void cursors.push(cursor);
    for await (const { order_id } of client.changes({ signal: controller.signal, onCursor })) {
      taken.push(order_id);
      if (taken.length === 10) controller.abort();
    }
    expect(taken).toHaveLength(10);
    expect(cursors).toEqual([]);
  });
});

describe('a request of changes() that fails', () => {
  const unavailable =
    (headers: Record<string, string> = {}) =>
    async () =>
      new Response('{"message":"Service Unavailable"}', { status: 503, headers });

  it('is reported to onFault after its retries, and the iteration continues', async () => {
    const { change, follow, requestsSent, state } = scene();
    const faults: unknown[] = [];
    const { ids } = follow({ onFault: (error) => faults.push(error) });
    await requestsSent(1);
    state.respond = unavailable();
    await requestsSent(6);
    state.respond = undefined;
    await change('a');
    await requestsSent(3);
    expect(ids()).toEqual(['a']);
    expect(faults[0]).toMatchObject({ name: 'ProblemError', status: 503 });
  });

  it('is not repeated before the time in Retry-After, however long', async () => {
    const { follow, requests, state } = scene();
    state.respond = unavailable({ 'retry-after': '99999999' });
    const faults: unknown[] = [];
    const { controller, ended } = follow({ onFault: (error) => faults.push(error) });
    await expect.poll(() => faults).toHaveLength(1);
    // Another reader, without that header, repeats its request many times meanwhile.
    const other = scene();
    other.state.respond = unavailable();
    other.follow({ onFault: () => {} });
    await other.requestsSent(10);
    expect(faults).toHaveLength(1);
    expect(requests).toHaveLength(1);
    controller.abort();
    await expect(ended).resolves.toBeUndefined();
  });

  it('ends the iteration with its error when there is no onFault', async () => {
    const { follow, state } = scene();
    state.respond = unavailable();
    await expect(follow().ended).rejects.toMatchObject({ name: 'ProblemError', status: 503 });
  });

  it('ends the iteration after a permanent error even with an onFault', async () => {
    const { follow, requests } = scene();
    const { ended } = follow({ cursor: 'nonsense', onFault: () => {} });
    await expect(ended).rejects.toMatchObject({ status: 400, problem: { parameter: 'cursor' } });
    expect(requests).toHaveLength(1);
  });
});
