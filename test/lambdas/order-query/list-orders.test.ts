import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../lambdas/contract/change-position.ts';
import { listOrders } from '../../../lambdas/order-query/list-orders.ts';
import { readListRequest } from '../../../lambdas/order-query/parameters.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { fact, paid } from '../../doubles/facts.ts';
import { createMemoryTables } from '../../doubles/memory-store.ts';
import { cursorOf, idsOf, iso, numbers, setUp } from '../../doubles/order-list.ts';
import { readerOf } from '../../doubles/order-query.ts';

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

  it('is whole although the row of an event, or a fact, cannot be read', async () => {
    const { list, commit, open } = setUp();
    for (const [at, id] of ['a', 'b', 'c'].entries()) await commit(id, at, [paid(id), '["settled"]']);
    // The tables leave out a row that is damaged, such as that of the event b.
    for (const id of ['a', 'c']) await open().store.put(eventRow(id));
    const received_at = '2026-11-21T10:00:00.000Z';
    const attention = ['unreadable_fact'];
    expect((await list()).orders).toMatchObject([
      { order_id: 'a', status: 'paid', attention, events: [{ id: 'a', received_at }] },
      {
        order_id: 'b',
        status: 'paid',
        attention,
        events: [{ id: 'b', received_at: null, recorded_at: null }],
      },
      { order_id: 'c', status: 'paid', attention, events: [{ id: 'c', received_at }] },
    ]);
  });

  it('goes on after orders that are in the index and have no row', async () => {
    const page = {
      changes: [changeOf(iso(1), 'live:order:a'), changeOf(iso(2), 'live:order:b')],
      more: true,
    };
    const changes = { after: async () => page, before: async () => page };
    const parts = { ...readerOf(createMemoryTables()), changes, now: () => 9 };
    const { orders, next_cursor } = await listOrders(parts, readListRequest({ sort_order: 'desc' }));
    expect(orders).toEqual([]);
    const { cursor } = readListRequest({ cursor: next_cursor ?? '' });
    expect(cursor?.position).toMatchObject({ updatedAt: iso(2) });
  });

  it('returns 50 orders by default and 100 at most', async () => {
    const { list, commit } = setUp();
    for (const n of numbers(120)) await commit(`o${n}`, n);
    expect((await list()).orders).toHaveLength(50);
    expect((await list({ limit: '100' })).orders).toHaveLength(100);
    expect((await list({ limit: '5000' })).orders).toHaveLength(100);
  });

  it('lists an order with more than 1,000 events on a page of its own, and goes on after it', async () => {
    const { list, walk, commit } = setUp();
    const many = numbers(1_001).map((n) => paid(`big-${n}`));
    for (const [at, id] of ['a', 'big', 'z'].entries())
      await commit(id, at, id === 'big' ? many : [paid(id)]);
    expect(idsOf(await list())).toEqual(['a']);
    expect(idsOf(await list({ updated_since: iso(1) }))).toEqual(['big']);
    expect(await walk()).toEqual(['a', 'big', 'z']);
  });
});
