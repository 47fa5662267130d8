import { setTimeout as pause } from 'node:timers/promises';
import { type ChangesOptions, createOrderClient, type Order } from '@payhooks/order-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startOrderQuery } from './doubles/order-query-server.ts';

async function scene() {
  const server = await startOrderQuery();
  const retry = { attemptsMax: 2, firstPauseMilliseconds: 1 };
  const client = createOrderClient({ baseUrl: server.baseUrl, credentials: false, retry });
  /** Follows in the background, until the test ends; `told` grows while it does. */
  const follow = (options: ChangesOptions = {}) => {
    const controller = new AbortController();
    const told: Order[] = [];
    const cursors: string[] = [];
    const take = async () => {
      const { signal } = controller;
      const onCursor = (cursor: string) => void cursors.push(cursor);
      for await (const order of client.changes({ pauseMilliseconds: 5, signal, onCursor, ...options })) {
        told.push(order);
      }
    };
    const ended = take();
    onTestFinished(() => controller.abort());
    return { told, cursors, ended, ids: () => told.map(({ order_id }) => order_id), controller };
  };
  /** Resolves once the server was asked so many times more. */
  const looks = async (count: number) => {
    const until = server.requests.length + count;
    while (server.requests.length < until) await pause(1);
  };
  return { ...server, client, follow, looks };
}

const names = (count: number, prefix = 'o') => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe('a follower', () => {
  it('is told every order, then each whenever it has changed, and nothing in between', async () => {
    const { change, follow, looks } = await scene();
    await change('a', 'a1');
    await change('b', 'b1');
    const { told, ids } = follow();
    await looks(4);
    expect(ids().toSorted()).toEqual(['a', 'b']);
    await change('a', 'a2');
    await looks(4);
    expect(ids().slice(2)).toEqual(['a']);
    expect(told.at(-1)?.events.map(({ id }) => id)).toEqual(['a1', 'a2']);
  });

  it('begins at a time', async () => {
    const { change, follow, looks } = await scene();
    await change('old', 'x', 10_000);
    await change('new', 'y', 20_000);
    const { ids } = follow({ since: new Date(15_000) });
    await looks(3);
    expect(ids()).toEqual(['new']);
  });

  it('is told more than a page holds, each once', async () => {
    const { change, follow, looks } = await scene();
    for (const id of names(250)) await change(id, id);
    const { ids } = follow();
    await looks(8);
    expect(ids().toSorted()).toEqual(names(250).toSorted());
  });

  it('is told of a change that was committed behind the place that it had passed', async () => {
    const { change, follow, looks, state } = await scene();
    for (const id of names(150)) await change(id, id);
    const { ids } = follow();
    await looks(4);
    await change('late', 'late', state.now - 10_000);
    state.now += 15_001;
    await looks(4);
    expect(ids()).toContain('late');
    expect(ids()).toHaveLength(151);
  });

  it('is told one order again by an idle look, and not a page', async () => {
    const { change, follow, looks, state, requests } = await scene();
    for (const id of names(80)) await change(id, id);
    state.now += 60_000;
    follow();
    await looks(6);
    const limits = requests.map(({ url }) => /limit=(\d+)/.exec(url)?.[1]);
    expect(limits.slice(0, 3)).toEqual(['100', '79', '100']);
    expect(new Set(limits.slice(3))).toEqual(new Set(['1']));
  });

  it('is told an order again that it has forgotten, as it remembers a bounded number', async () => {
    const { change, follow, looks } = await scene();
    for (const id of ['a', 'b', 'c']) await change(id, id);
    const { ids } = follow({ rememberedOrdersMax: 2 });
    await looks(5);
    expect(ids().length).toBeGreaterThan(3);
  });
});

describe('the cursor to store', () => {
  it('is handed out once the orders before it were taken', async () => {
    const { change, client } = await scene();
    for (const id of names(101)) await change(id, id);
    const taken: string[] = [];
    let takenAtCursor = -1;
    const onCursor = () => {
      takenAtCursor = taken.length;
    };
    for await (const { order_id } of client.changes({ onCursor })) {
      await pause(0);
      taken.push(order_id);
      if (taken.length === 101) break;
    }
    expect(takenAtCursor).toBe(100);
  });

  it('is waited for while it is stored', async () => {
    const { change, client, requests } = await scene();
    for (const id of names(101)) await change(id, id);
    const { promise, resolve } = Promise.withResolvers<void>();
    const controller = new AbortController();
    const { signal } = controller;
    const following = client.changes({ onCursor: () => promise, signal });
    for (let n = 0; n < 100; n += 1) await following.next();
    const next = following.next();
    await pause(50);
    expect(requests).toHaveLength(1);
    resolve();
    expect((await next).value).toBeDefined();
    expect(requests).toHaveLength(2);
    await following.return();
  });

  it('lets a reader that stops anywhere, and starts again from it, miss nothing', async () => {
    const { change, client, looks, state } = await scene();
    const last = new Map<string, string>();
    let cursor: string | undefined;
    let events = 0;
    for (let run = 0; run < 30; run += 1) {
      for (let n = 0; n < 40; n += 1) {
        events += 1;
        // Up to 14 s late, in no order, and some orders again and again.
        const at = state.now - ((events * 7_919) % 14_000);
        await change(`o${(events * 31) % 300}`, `e${events}`, at);
        state.now += 100;
      }
      let left = (run * 37) % 90;
      const controller = new AbortController();
      const options = { cursor, signal: controller.signal, pauseMilliseconds: 1 };
      const store = (given: string) => {
        cursor = given;
      };
      if (run === 29) void looks(15).then(() => controller.abort());
      for await (const order of client.changes({ ...options, onCursor: store })) {
        last.set(order.order_id, JSON.stringify(order));
        left -= 1;
        if (left < 0 && run < 29) break;
      }
    }
    expect(cursor).toBeDefined();
    const all: Order[] = [];
    for await (const order of client.allOrders()) all.push(order);
    expect(all).toHaveLength(300);
    expect(all.filter((order) => last.get(order.order_id) !== JSON.stringify(order))).toEqual([]);
  });
});

describe('the signal', () => {
  it('ends the iteration without an error: during a pause', async () => {
    const { follow, looks } = await scene();
    const { controller, ended } = follow({ pauseMilliseconds: 60_000 });
    await looks(1);
    await pause(20);
    controller.abort();
    await expect(ended).resolves.toBeUndefined();
  });

  it('during a look', async () => {
    const { follow, looks, state } = await scene();
    state.fault = { fault: 'hang' };
    const { controller, ended } = follow();
    await looks(1);
    controller.abort();
    await expect(ended).resolves.toBeUndefined();
  });

  it('between two orders of a page, without a cursor that would pass those that were not taken', async () => {
    const { change, client } = await scene();
    for (const id of names(101)) await change(id, id);
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

describe('a look that fails', () => {
  const unavailable = { status: 503, body: '{"message":"Service Unavailable"}' };

  it('in spite of its retries is told to onFault, and the follower goes on', async () => {
    const { change, follow, looks, state } = await scene();
    const faults: unknown[] = [];
    const { ids } = follow({ onFault: (error) => faults.push(error) });
    await looks(1);
    state.fault = unavailable;
    await looks(6);
    state.fault = undefined;
    await change('a', 'a');
    await looks(3);
    expect(ids()).toEqual(['a']);
    expect(faults[0]).toMatchObject({ name: 'ProblemError', status: 503 });
  });

  it('is not repeated before the time that the answer asked for, however long that is', async () => {
    const { follow, looks, requests, state } = await scene();
    state.fault = { ...unavailable, headers: { 'retry-after': '99999999' } };
    const faults: unknown[] = [];
    const { controller, ended } = follow({ onFault: (error) => faults.push(error) });
    await looks(1);
    await pause(100);
    expect(faults).toHaveLength(1);
    expect(requests).toHaveLength(1);
    controller.abort();
    await expect(ended).resolves.toBeUndefined();
  });

  it('ends the iteration with its error when nobody asked to be told', async () => {
    const { follow, state } = await scene();
    state.fault = unavailable;
    await expect(follow().ended).rejects.toMatchObject({ name: 'ProblemError', status: 503 });
  });

  it('and would fail for ever ends it all the same', async () => {
    const { follow, requests } = await scene();
    const { ended } = follow({ cursor: 'nonsense', onFault: () => {} });
    await expect(ended).rejects.toMatchObject({ status: 400, problem: { parameter: 'cursor' } });
    expect(requests).toHaveLength(1);
  });
});
