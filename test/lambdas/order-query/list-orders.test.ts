import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../lambdas/contract/change-position.ts';
import { attentions } from '../../../lambdas/domain/attention.ts';
import { decodeCursor, encodeCursor } from '../../../lambdas/order-query/cursor.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { fact, paid } from '../../doubles/facts.ts';
import { cursorOf, idsOf, iso, setUpQuery } from '../../doubles/order-query.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('GET /orders', () => {
  it('filters by status and mode, and the cursor keeps the filter', async () => {
    const { list, commit } = setUpQuery();
    for (const n of numbers(6)) await commit(`o${n}`, n, [fact(`e${n}`, n % 2 === 0 ? 'paid' : 'failed')]);
    await commit('s', 9, [paid('s')], 'sandbox');
    const first = await list({ status: 'failed', limit: '3' });
    expect(idsOf(first)).toEqual(['o1']);
    expect(idsOf(await list({ cursor: cursorOf(first), limit: '3' }))).toEqual(['o3', 'o5']);
    expect(idsOf(await list({ mode: 'sandbox' }))).toEqual(['s']);
  });

  it('filters by attention, and the cursor keeps the filter', async () => {
    const { list, commit, walk } = setUpQuery();
    const disputed = (id: string) => [paid(id), fact(`d${id}`, 'disputed')];
    const facts = [[paid('0')], disputed('1'), [fact('2', 'refunded')], disputed('3'), disputed('4')];
    for (const [n, some] of facts.entries()) await commit(`o${n}`, n, some);
    expect(await walk({ attention: 'any' })).toEqual(['o1', 'o2', 'o3', 'o4']);
    expect(await walk({ attention: 'refund_without_payment' })).toEqual(['o2']);
    expect(await walk({ attention: 'disputed', status: 'refunded' })).toEqual([]);
    const first = await list({ attention: 'disputed', limit: '3' });
    expect(idsOf(first)).toEqual(['o1']);
    expect(idsOf(await list({ cursor: cursorOf(first), limit: '3' }))).toEqual(['o3', 'o4']);
  });

  it.each(['asc', 'desc'])(
    'lists what changed between two times with sort_order=%s, and its cursor keeps all',
    async (sort_order) => {
      const { list, commit, walk } = setUpQuery();
      for (const at of [1_000, 2_000, 3_000, 4_000, 5_000]) await commit(`o${at}`, at);
      const span = { sort_order, updated_since: iso(2_000), updated_until: iso(5_000) };
      const ids = sort_order === 'asc' ? ['o2000', 'o3000', 'o4000'] : ['o4000', 'o3000', 'o2000'];
      expect(await walk({ ...span, limit: '1' })).toEqual(ids);
      expect(await walk({ sort_order, updated_until: iso(1_000) })).toEqual([]);
      const first = await list({ ...span, limit: '2' });
      const other = { updated_since: iso(0), updated_until: iso(9_000) };
      expect(idsOf(await list({ cursor: cursorOf(first), ...other }))).toEqual(ids.slice(2));
    },
  );

  it('is whole although the row of an event, or a fact, cannot be read', async () => {
    const { list, commit, open } = setUpQuery();
    for (const [at, id] of ['a', 'b', 'c'].entries()) await commit(id, at, [paid(id), '["settled"]']);
    // The tables leave out a row that is damaged, such as that of the event b.
    for (const id of ['a', 'c']) await open().store.put(eventRow(id));
    const times = { received_at: '2026-11-21T10:00:00.000Z' };
    const none = { received_at: null, recorded_at: null };
    const shared = { mode: 'live', status: 'paid', attention: ['unreadable_fact'] };
    const { orders, next_cursor } = await list();
    expect(next_cursor).toBeNull();
    expect(orders).toMatchObject([
      { order_id: 'a', ...shared, events: [{ id: 'a', ...times }] },
      { order_id: 'b', ...shared, events: [{ id: 'b', ...none }] },
      { order_id: 'c', ...shared, events: [{ id: 'c', ...times }] },
    ]);
  });

  it('goes on after orders that are in the index and have no row', async () => {
    const changes = [changeOf(iso(1), 'live:order:a'), changeOf(iso(2), 'live:order:b')];
    const page = async () => ({ changes, more: true });
    const { list } = setUpQuery(() => ({ changes: { after: page, before: page } }));
    const { orders, next_cursor } = await list({ sort_order: 'desc' });
    expect(orders).toEqual([]);
    expect(decodeCursor(next_cursor ?? '')?.position).toMatchObject({ updatedAt: iso(2) });
  });

  it('returns 50 orders by default and 100 at most', async () => {
    const { list, commit } = setUpQuery();
    for (const n of numbers(120)) await commit(`o${n}`, n);
    expect((await list()).orders).toHaveLength(50);
    expect((await list({ limit: '5000' })).orders).toHaveLength(100);
  });

  it('lists an order with more than 1,000 events on a page of its own, and goes on after it', async () => {
    const { list, walk, commit } = setUpQuery();
    const many = numbers(1_001).map((n) => paid(`big-${n}`));
    for (const [at, id] of ['a', 'big', 'z'].entries())
      await commit(id, at, id === 'big' ? many : [paid(id)]);
    expect(idsOf(await list())).toEqual(['a']);
    expect(idsOf(await list({ updated_since: iso(1) }))).toEqual(['big']);
    expect(await walk()).toEqual(['a', 'big', 'z']);
  });

  it.each([
    ['status', 'Paid', 'one of pending, failed, paid, partially_refunded, refunded'],
    ['sort_order', 'newest', 'asc or desc'],
    ['attention', '', `one of any, ${attentions.join(', ')}`],
    ['updated_until', 'tomorrow', 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z'],
    ['cursor', 'nonsense', 'the unchanged next_cursor of an earlier response'],
  ])('responds 400 to %s=%s, with the given and the expected value', async (parameter, given, expected) => {
    const detail = `The parameter ${parameter} is "${given}"; expected ${expected}.`;
    expect(await setUpQuery().get('/orders', {}, { [parameter]: given })).toMatchObject({
      status: 400,
      body: { detail, parameter },
    });
  });

  it.each([
    [{ status: 'paid' }, 'status', 'failed', 'paid'],
    [{ status: 'paid' }, 'mode', 'sandbox', 'live'],
    [{}, 'status', 'paid', 'none'],
    [{ sort_order: 'desc' }, 'sort_order', 'asc', 'desc'],
  ])('responds 400 to a cursor of %j with %s=%s', async (parameters, name, given, held) => {
    const { get, list, commit } = setUpQuery();
    for (const [at, id] of ['a', 'b'].entries()) await commit(id, at);
    const cursor = cursorOf(await list({ limit: '1', ...parameters }));
    expect((await get('/orders', {}, { cursor, [name]: given })).body.detail).toBe(
      `The parameter ${name} is "${given}"; expected ${held}, the ${name} of the cursor.`,
    );
  });
});

it('a list of GET /orders, continued from its cursor, goes back only after 30 seconds', async () => {
  const { list, commit, state } = setUpQuery();
  for (const [n, id] of ['a', 'b'].entries()) await commit(id, state.now + n);
  const cursor = cursorOf(await list({ limit: '1' }));
  await commit('late', state.now - 29_999);
  state.now += 30_000;
  expect(idsOf(await list({ cursor }))).toEqual(['b']);
  state.now += 1;
  expect(idsOf(await list({ cursor }))).toEqual(['late', 'a', 'b']);
});

it('a list of GET /orders lists no order twice whose change had settled before its cursor', async () => {
  const { list, commit, state } = setUpQuery();
  for (const n of numbers(4)) await commit(`o${n}`, n);
  const cursor = cursorOf(await list({ limit: '2' }));
  state.now += 3_600_000;
  expect(idsOf(await list({ cursor }))).toEqual(['o2', 'o3']);
});

it('a list of GET /orders never goes back before its updated_since', async () => {
  const { list, commit, state } = setUpQuery();
  for (const n of numbers(4)) await commit(`o${n}`, state.now + n);
  const cursor = cursorOf(await list({ updated_since: iso(state.now + 1), limit: '1' }));
  state.now += 60_000;
  expect(idsOf(await list({ cursor }))).toEqual(['o1', 'o2', 'o3']);
});

describe('a cursor of GET /orders', () => {
  const position = { updatedAt: '2026-11-21T10:00:00.000Z', tie: 'ab'.repeat(16) };
  const filter = {
    mode: 'sandbox',
    status: 'partially_refunded',
    attention: 'payment_amount_unreadable',
  } as const;
  const forwards = { ...filter, sortOrder: 'asc', position, settled: position, since: 0 } as const;
  const backwards = { ...filter, sortOrder: 'desc', position, updatedSince: position.updatedAt } as const;
  const textOf = (json: unknown, length = 0): string =>
    Buffer.from(JSON.stringify(json).padEnd(length)).toString('base64url');

  it.each([{ ...forwards, updatedUntil: position.updatedAt }, backwards])(
    'is safe in a URL, and is read again as it was written, with every filter: %j',
    (cursor) => {
      const text = encodeCursor(cursor);
      expect(encodeURIComponent(text)).toBe(text);
      expect(decodeCursor(text)).toEqual(cursor);
    },
  );

  it('contains no order id', async () => {
    const { list, commit } = setUpQuery();
    for (const [n, id] of ['secret-order', 'b'].entries()) await commit(id, n);
    const text = cursorOf(await list({ limit: '1' }));
    expect(Buffer.from(text, 'base64url').toString()).not.toContain('secret-order');
  });

  it('has at most 512 characters', () => {
    expect(decodeCursor(textOf(backwards, 384))).toEqual(backwards);
    expect(decodeCursor(textOf(backwards, 385))).toBeUndefined();
  });

  it.each([
    [null],
    [{ ...forwards, more: 1 }],
    [{ ...forwards, mode: 'test' }],
    [{ ...forwards, status: 'Paid' }],
    [{ ...forwards, sortOrder: 'desc' }],
    [{ ...forwards, updatedUntil: 'tomorrow' }],
    [{ ...forwards, position: { ...position, tie: 'a tie' } }],
    [{ ...forwards, settled: { ...position, updatedAt: '2026-11-21T10:00:00Z' } }],
  ])('is refused when it contains %j', (json) => {
    expect(decodeCursor(textOf(forwards))).toEqual(forwards);
    expect(decodeCursor(textOf(json))).toBeUndefined();
  });
});
