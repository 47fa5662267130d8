import { describe, expect, it } from 'vitest';
import { type Cursor, decodeCursor, encodeCursor } from '../lambdas/order-query/cursor.ts';
import type { OrderList } from '../lambdas/order-query/list-orders.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { memoryStores } from './doubles/memory-stores.ts';
import { orderQueryOver } from './doubles/order-query.ts';

const paid = (id: string) =>
  JSON.stringify(['event.1', id, 'transaction.paid', `txn-${id}`, '1.00', 'USD', null]);
const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** A table, and a clock that the test moves. */
function scene() {
  const stores = memoryStores();
  const state = { now: 1_000_000 };
  const query = orderQueryOver({ reader: stores.reader, now: () => state.now });
  const ask = async (parameters: Record<string, string> = {}) => {
    const answer = await query(gatewayEvent({ routeKey: 'GET /orders', queryStringParameters: parameters }));
    return {
      status: answer.statusCode,
      type: answer.headers?.['content-type'],
      body: JSON.parse(answer.body ?? ''),
    };
  };
  const list = async (parameters: Record<string, string> = {}) => {
    const { status, body } = await ask(parameters);
    expect(status).toBe(200);
    return body as OrderList;
  };
  /** An order that changed `at` and whose write is committed now. */
  const commit = (id: string, at: number, fact = paid(id)) =>
    stores.writer.merge({ order: { mode: 'live', id }, facts: [fact], status: 'paid', at: iso(at) });
  const walk = async (parameters: Record<string, string>) => {
    const ids: string[] = [];
    let page = await list(parameters);
    for (;;) {
      ids.push(...page.orders.map((order) => order.order_id));
      if (page.next_cursor === null) return ids;
      page = await list({ ...parameters, cursor: page.next_cursor });
    }
  };
  return { ...stores, state, ask, list, commit, walk };
}

const idsOf = (page: OrderList): string[] => page.orders.map((order) => order.order_id);

describe('GET /orders', () => {
  it('lists orders by their latest change, each with its state and the events that made it', async () => {
    const { list, commit } = scene();
    await commit('b', 500_000);
    await commit('a', 400_000);
    const page = await list();
    expect(idsOf(page)).toEqual(['a', 'b']);
    expect(page.orders[0]).toMatchObject({
      mode: 'live',
      status: 'paid',
      events: [{ id: 'a', event_name: 'transaction.paid' }],
      updated_at: iso(400_000),
    });
    expect(page.next_cursor).toBeNull();
  });

  it('lists those that changed at a time or later, in any zone', async () => {
    const { walk, commit } = scene();
    for (const at of [1_000, 2_000, 3_000]) await commit(`o${at}`, at);
    expect(await walk({ updated_since: iso(2_000) })).toEqual(['o2000', 'o3000']);
    expect(await walk({ updated_since: '1970-01-01T01:00:02.001+01:00' })).toEqual(['o3000']);
  });

  it('pages through everything once, also what changed in one millisecond', async () => {
    const { walk, commit } = scene();
    const ids = Array.from({ length: 25 }, (_, n) => `order-${String(n).padStart(2, '0')}`);
    for (const id of ids) await commit(id, 999_999);
    expect((await walk({ limit: '10' })).toSorted()).toEqual(ids);
    expect((await walk({ limit: '1' })).toSorted()).toEqual(ids);
  });

  it('moves an order to the end when it changes during the walk', async () => {
    const { list, commit } = scene();
    for (const [id, at] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ] as const)
      await commit(id, at);
    const first = await list({ limit: '2' });
    await commit('a', 4, paid('again'));
    expect(idsOf(first)).toEqual(['a', 'b']);
    expect(idsOf(await list({ limit: '2', cursor: first.next_cursor ?? '' }))).toEqual(['c', 'a']);
  });

  it('keeps to one status and one mode, and remembers both in the cursor', async () => {
    const { list, commit, writer } = scene();
    const failed = (id: string) =>
      JSON.stringify(['event.1', id, 'transaction.failed', 'T', null, null, null]);
    for (let n = 0; n < 6; n += 1) await commit(`o${n}`, n, n % 2 === 0 ? paid(`e${n}`) : failed(`e${n}`));
    const order = { mode: 'sandbox' as const, id: 's' };
    await writer.merge({ order, facts: [paid('s')], status: 'paid', at: iso(9) });
    const first = await list({ status: 'failed', limit: '3' });
    expect(idsOf(first)).toEqual(['o1']);
    expect(idsOf(await list({ cursor: first.next_cursor ?? '', limit: '3' }))).toEqual(['o3', 'o5']);
    expect(idsOf(await list({ mode: 'sandbox' }))).toEqual(['s']);
  });

  it('gives fifty without a limit and a hundred at most', async () => {
    const { list, commit } = scene();
    for (let n = 0; n < 120; n += 1) await commit(`o${n}`, n);
    expect((await list()).orders).toHaveLength(50);
    expect((await list({ limit: '100' })).orders).toHaveLength(100);
    expect((await list({ limit: '5000' })).orders).toHaveLength(100);
  });

  it('ends a page early rather than look up the arrival of thousands of events', async () => {
    const { list, walk, writer } = scene();
    for (const id of ['a', 'b', 'c']) {
      const facts = Array.from({ length: 600 }, (_, n) => paid(`${id}${n}`));
      await writer.merge({ order: { mode: 'live', id }, facts, status: 'paid', at: iso(id.charCodeAt(0)) });
    }
    expect(idsOf(await list())).toEqual(['a']);
    expect(await walk({})).toEqual(['a', 'b', 'c']);
  });
});

describe('a cursor', () => {
  it('goes on where its page ended while the walk is young', async () => {
    const { list, commit, state } = scene();
    for (let n = 0; n < 4; n += 1) await commit(`o${n}`, state.now - 1_000 + n);
    const { next_cursor } = await list({ limit: '2' });
    state.now += 15_000;
    expect(idsOf(await list({ limit: '2', cursor: next_cursor ?? '' }))).toEqual(['o2', 'o3']);
  });

  it('finds, later, a change that was committed behind the place that the reader had passed', async () => {
    const { list, commit, state } = scene();
    for (let n = 0; n < 4; n += 1) await commit(`o${n}`, state.now - 1_000 + n);
    const { next_cursor } = await list({ limit: '2' });
    await commit('late', state.now - 2_000);
    state.now += 15_001;
    const again = await list({ cursor: next_cursor ?? '' });
    expect(idsOf(again)).toContain('late');
  });

  it('tells nothing twice that had settled', async () => {
    const { list, commit, state } = scene();
    for (let n = 0; n < 4; n += 1) await commit(`o${n}`, n);
    const { next_cursor } = await list({ limit: '2' });
    state.now += 3_600_000;
    expect(idsOf(await list({ limit: '2', cursor: next_cursor ?? '' }))).toEqual(['o2', 'o3']);
  });

  it('survives the way through a URL, and names no order', async () => {
    const { list, commit, writer } = scene();
    await commit('secret-order', 1);
    await writer.merge({ order: { mode: 'live', id: 'b' }, facts: [paid('b')], status: 'paid', at: iso(2) });
    const text = (await list({ limit: '1', status: 'paid' })).next_cursor ?? '';
    expect(encodeURIComponent(text)).toBe(text);
    expect(text.length).toBeLessThan(256);
    expect(Buffer.from(text, 'base64url').toString()).not.toContain('secret-order');
    const cursor = decodeCursor(text);
    expect(cursor).toMatchObject({ mode: 'live', status: 'paid', position: { updatedAt: iso(1) } });
    expect(encodeCursor(cursor as Cursor)).toBe(text);
  });
});

describe('a wrong parameter', () => {
  it.each([
    [{ limit: '0' }, 'The parameter limit is "0"; expected a whole number from 1 to 100.'],
    [{ limit: '-1' }, 'The parameter limit is "-1"; expected a whole number from 1 to 100.'],
    [{ limit: 'ten' }, 'The parameter limit is "ten"; expected a whole number from 1 to 100.'],
    [{ limit: '' }, 'The parameter limit is ""; expected a whole number from 1 to 100.'],
    [
      { status: 'Paid' },
      'The parameter status is "Paid"; expected one of pending, failed, paid, partially_refunded, refunded.',
    ],
    [
      { updated_since: 'yesterday' },
      'The parameter updated_since is "yesterday"; ' +
        'expected a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z.',
    ],
    [
      { updated_since: '2026-11-21T10:00:00' },
      'The parameter updated_since is "2026-11-21T10:00:00"; ' +
        'expected a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z.',
    ],
    [{ mode: 'test' }, 'The parameter mode is "test"; expected live or sandbox.'],
    [
      { cursor: 'nonsense' },
      'The parameter cursor is "nonsense"; expected the unchanged next_cursor of an earlier response.',
    ],
    [
      { updatedSince: 'x' },
      'The parameter updatedSince is "x"; ' +
        'expected one of the parameters updated_since, status, limit, cursor, mode.',
    ],
  ])('%o is named, with what was given and what is expected', async (parameters, detail) => {
    const { ask } = scene();
    const { status, type, body } = await ask(parameters as Record<string, string>);
    expect({ status, type, body }).toEqual({
      status: 400,
      type: 'application/problem+json',
      body: {
        type: 'about:blank',
        status: 400,
        title: 'Bad Request',
        detail,
        parameter: Object.keys(parameters)[0],
      },
    });
  });

  it('is also a status or mode that is not the cursor’s own', async () => {
    const { ask, list, commit } = scene();
    await commit('a', 1);
    await commit('b', 2);
    const cursor = (await list({ limit: '1', status: 'paid' })).next_cursor ?? '';
    expect((await ask({ cursor, status: 'failed' })).body.detail).toBe(
      'The parameter status is "failed"; expected paid, the status of the cursor.',
    );
    expect((await ask({ cursor, mode: 'sandbox' })).body.parameter).toBe('mode');
  });

  it.each([
    '[]',
    '[1]',
    '[2,"live",null,"2026-11-21T10:00:00.000Z","","2026-11-21T10:00:00.000Z","",0]',
    '[1,"test",null,"2026-11-21T10:00:00.000Z","","2026-11-21T10:00:00.000Z","",0]',
    '[1,"live","Paid","2026-11-21T10:00:00.000Z","","2026-11-21T10:00:00.000Z","",0]',
    '[1,"live",null,"2026-11-21T10:00:00.000Z","",0,"",0]',
    '[1,"live",null,"2026-11-21T10:00:00.000Z","","2026-11-21T10:00:00.000Z","","0"]',
    '[1,"live",null,"","","2026-11-21T10:00:00.000Z","",0]',
    '[1,"live",null,"2026-11-21T10:00:00.000Z","","","",0]',
    'null',
  ])('is a cursor that holds %s', (json) => {
    expect(decodeCursor(Buffer.from(json).toString('base64url'))).toBeUndefined();
  });
});
