import { describe, expect, it } from 'vitest';
import { attentions } from '../lambdas/domain/attention.ts';
import { fact, paid } from './doubles/facts.ts';
import { cursorOf, idsOf, iso, numbers, setUp } from './doubles/order-list.ts';

describe('GET /orders', () => {
  it('lists orders by their latest change, each with its state and events', async () => {
    const { list, commit } = setUp();
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

  it('lists orders that changed at updated_since or later, in any time zone', async () => {
    const { walk, commit } = setUp();
    for (const at of [1_000, 2_000, 3_000]) await commit(`o${at}`, at);
    expect(await walk({ updated_since: iso(2_000) })).toEqual(['o2000', 'o3000']);
    expect(await walk({ updated_since: '1970-01-01T01:00:02.001+01:00' })).toEqual(['o3000']);
  });

  it.each(['10', '1'])('lists each of 25 orders of one millisecond once with limit=%s', async (limit) => {
    const { walk, commit } = setUp();
    const ids = numbers(25).map((n) => `order-${String(n).padStart(2, '0')}`);
    for (const id of ids) await commit(id, 999_999);
    expect((await walk({ limit })).toSorted()).toEqual(ids);
  });

  it('lists an order again at the end when it changes between two pages', async () => {
    const { list, commit } = setUp();
    for (const [n, id] of ['a', 'b', 'c'].entries()) await commit(id, n + 1);
    const first = await list({ limit: '2' });
    await commit('a', 4, [paid('again')]);
    expect(idsOf(first)).toEqual(['a', 'b']);
    expect(idsOf(await list({ limit: '2', cursor: cursorOf(first) }))).toEqual(['c', 'a']);
  });

  it('filters by status and mode, and the cursor keeps the filter', async () => {
    const { list, commit } = setUp();
    for (const n of numbers(6)) await commit(`o${n}`, n, [fact(`e${n}`, n % 2 === 0 ? 'paid' : 'failed')]);
    await commit('s', 9, [paid('s')], 'sandbox');
    const first = await list({ status: 'failed', limit: '3' });
    expect(idsOf(first)).toEqual(['o1']);
    expect(idsOf(await list({ cursor: cursorOf(first), limit: '3' }))).toEqual(['o3', 'o5']);
    expect(idsOf(await list({ mode: 'sandbox' }))).toEqual(['s']);
  });

  it.each(['asc', 'desc'])('continues a list of sandbox orders from its cursor (%s)', async (sort_order) => {
    const { list, commit } = setUp();
    await commit('live', 1);
    for (const n of numbers(3)) await commit(`s${n}`, n + 2, [paid(`s${n}`)], 'sandbox');
    const first = await list({ mode: 'sandbox', sort_order, limit: '2' });
    const second = await list({ cursor: cursorOf(first), limit: '2' });
    const ids = [...idsOf(first), ...idsOf(second)];
    expect(ids).toEqual(sort_order === 'asc' ? ['s0', 's1', 's2'] : ['s2', 's1', 's0']);
  });

  it('filters by attention, and the cursor keeps the filter', async () => {
    const { list, commit, get, walk } = setUp();
    const disputed = (id: string) => [paid(id), fact(`d${id}`, 'disputed')];
    const facts = [[paid('0')], disputed('1'), [fact('2', 'refunded')], disputed('3'), disputed('4')];
    for (const [n, some] of facts.entries()) await commit(`o${n}`, n, some);
    expect(await walk({ attention: 'any' })).toEqual(['o1', 'o2', 'o3', 'o4']);
    expect(await walk({ attention: 'refund_without_payment' })).toEqual(['o2']);
    expect(await walk({ attention: 'disputed', status: 'refunded' })).toEqual([]);
    const first = await list({ attention: 'disputed', limit: '3' });
    expect(idsOf(first)).toEqual(['o1']);
    expect(idsOf(await list({ cursor: cursorOf(first), limit: '3' }))).toEqual(['o3', 'o4']);
    expect((await get({ cursor: cursorOf(first), attention: 'any' })).body.detail).toBe(
      'The parameter attention is "any"; expected disputed, the attention of the cursor.',
    );
  });

  it('lists the newest change first with sort_order=desc, down to updated_since', async () => {
    const { list, commit, get, walk } = setUp();
    for (const at of [1_000, 2_000, 3_000, 4_000, 5_000]) await commit(`o${at}`, at);
    expect(await walk({ sort_order: 'desc', limit: '2' })).toEqual([
      'o5000',
      'o4000',
      'o3000',
      'o2000',
      'o1000',
    ]);
    const since = { sort_order: 'desc', updated_since: iso(3_000) };
    expect(await walk(since)).toEqual(['o5000', 'o4000', 'o3000']);
    const first = await list({ ...since, limit: '1' });
    await commit('later', 6_000);
    expect(idsOf(await list({ cursor: cursorOf(first), updated_since: iso(0) }))).toEqual(['o4000', 'o3000']);
    expect((await get({ cursor: cursorOf(first), sort_order: 'asc' })).body.detail).toBe(
      'The parameter sort_order is "asc"; expected desc, the sort_order of the cursor.',
    );
  });

  it.each(['asc', 'desc'])(
    'lists orders that changed before updated_until with sort_order=%s',
    async (sort_order) => {
      const { list, commit, walk } = setUp();
      for (const at of [1_000, 2_000, 3_000, 4_000, 5_000]) await commit(`o${at}`, at);
      const span = { sort_order, updated_since: iso(2_000), updated_until: iso(5_000) };
      const ids = ['o2000', 'o3000', 'o4000'];
      expect(await walk({ ...span, limit: '1' })).toEqual(sort_order === 'asc' ? ids : ids.toReversed());
      expect(await walk({ sort_order, updated_until: iso(1_000) })).toEqual([]);
      const first = await list({ ...span, limit: '2', status: 'paid', attention: 'disputed' });
      expect(idsOf(await list({ cursor: cursorOf(first), limit: '2' }))).toEqual([]);
    },
  );

  it('keeps updated_until in a cursor that goes back to where the index had settled', async () => {
    const { list, commit, state } = setUp();
    for (const n of numbers(4)) await commit(`o${n}`, state.now + n);
    const cursor = cursorOf(await list({ limit: '2', updated_until: iso(state.now + 3) }));
    state.now += 30_001;
    const page = await list({ cursor });
    expect([idsOf(page), page.next_cursor]).toEqual([['o0', 'o1', 'o2'], null]);
  });

  it('returns 50 orders by default and 100 at most', async () => {
    const { list, commit } = setUp();
    for (const n of numbers(120)) await commit(`o${n}`, n);
    expect((await list()).orders).toHaveLength(50);
    expect((await list({ limit: '100' })).orders).toHaveLength(100);
    expect((await list({ limit: '5000' })).orders).toHaveLength(100);
  });

  it('ends a page early when its orders have more than 1,000 events', async () => {
    const { list, walk, commit } = setUp();
    for (const [at, id] of ['a', 'b', 'c'].entries()) {
      const facts = numbers(600).map((n) => paid(`${id}${n}`));
      await commit(id, at, facts);
    }
    expect(idsOf(await list())).toEqual(['a']);
    expect(await walk()).toEqual(['a', 'b', 'c']);
  });

  it('lists orders with 1,000 events together on one page', async () => {
    const { list, commit } = setUp();
    for (const [at, id] of ['a', 'b'].entries()) {
      const facts = numbers(500).map((n) => paid(`${id}${n}`));
      await commit(id, at, facts);
    }
    expect(idsOf(await list())).toEqual(['a', 'b']);
  });

  it('ends with the page that reaches updated_until', async () => {
    const { list, commit } = setUp();
    for (const at of [1_000, 2_000, 3_000]) await commit(`o${at}`, at);
    const page = await list({ updated_until: iso(2_000), limit: '2' });
    expect([idsOf(page), page.next_cursor]).toEqual([['o1000'], null]);
  });

  it('lists an order with more than 1,000 events on a page of its own, and goes on after it', async () => {
    const { list, walk, commit } = setUp();
    const many = numbers(1_001).map((n) => paid(`big-${n}`));
    for (const [at, id] of ['a', 'big', 'z'].entries())
      await commit(id, at, id === 'big' ? many : [paid(id)]);
    expect(idsOf(await list({ updated_since: iso(1) }))).toEqual(['big']);
    expect(await walk()).toEqual(['a', 'big', 'z']);
  });

  it.each([
    ['limit', '0', 'a whole number from 1 to 100'],
    ['limit', '-1', 'a whole number from 1 to 100'],
    ['limit', 'ten', 'a whole number from 1 to 100'],
    ['limit', '', 'a whole number from 1 to 100'],
    ['status', 'Paid', 'one of pending, failed, paid, partially_refunded, refunded'],
    ['updated_until', 'tomorrow', 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z'],
    ['updated_since', 'yesterday', 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z'],
    ['mode', 'test', 'live or sandbox'],
    ['cursor', 'nonsense', 'the unchanged next_cursor of an earlier response'],
    ['sort_order', 'newest', 'asc or desc'],
    ['attention', '', `one of any, ${attentions.join(', ')}`],
    [
      'updatedSince',
      'x',
      'one of the parameters updated_since, updated_until, status, attention, sort_order, limit, cursor, mode',
    ],
  ])('responds 400 to %s=%s, with the given and the expected value', async (parameter, given, expected) => {
    const detail = `The parameter ${parameter} is "${given}"; expected ${expected}.`;
    expect(await setUp().get({ [parameter]: given })).toEqual({
      status: 400,
      type: 'application/problem+json',
      body: { type: 'about:blank', status: 400, title: 'Bad Request', detail, parameter },
    });
  });

  it.each([
    ['without a zone', '2026-11-21T10:00:00'],
    ['on 30 February', '2026-02-30T10:00:00Z'],
    ['on 29 February of a year without one', '2026-02-29T10:00:00Z'],
    ['on 31 April', '2026-04-31T10:00:00Z'],
    ['in month 13', '2026-13-01T10:00:00Z'],
    ['at 24:00', '2026-11-21T24:00:00Z'],
    ['at second 60', '2026-11-21T10:00:60Z'],
    ['before the year 0', '0000-01-01T00:00:00+01:00'],
    ['after the year 9999', '9999-12-31T23:59:59-01:00'],
    ['with text after it', '2026-11-21T10:00:00Z\n'],
  ])('responds 400 to an updated_since %s', async (_, given) => {
    const { status, body } = await setUp().get({ updated_since: given });
    expect(status).toBe(400);
    expect(body.detail).toBe(
      `The parameter updated_since is ${JSON.stringify(given)}; ` +
        'expected a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z.',
    );
  });

  it.each(['2024-02-29T10:00Z', '2026-11-21T10:00:00.123456789Z', '2026-11-21T23:59:59-23:59'])(
    'accepts the updated_since %s',
    async (updated_since) => {
      expect((await setUp().get({ updated_since })).status).toBe(200);
    },
  );

  it('responds 400 to a status or mode that is not the one of the cursor', async () => {
    const { get, list, commit } = setUp();
    await commit('a', 1);
    await commit('b', 2);
    const cursor = cursorOf(await list({ limit: '1', status: 'paid' }));
    expect((await get({ cursor, status: 'failed' })).body.detail).toBe(
      'The parameter status is "failed"; expected paid, the status of the cursor.',
    );
    expect((await get({ cursor, mode: 'sandbox' })).body.parameter).toBe('mode');
  });
});
