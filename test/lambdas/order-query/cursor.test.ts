import { describe, expect, it } from 'vitest';
import { type Cursor, decodeCursor, encodeCursor } from '../../../lambdas/order-query/cursor.ts';
import { cursorOf, idsOf, iso, numbers, setUp } from '../../doubles/order-list.ts';

describe('a cursor of GET /orders', () => {
  /** Four orders of the last second, or of long ago, and the cursor after the first two. */
  async function setUpWalk(ageMilliseconds: number) {
    const given = setUp();
    for (const n of numbers(4)) await given.commit(`o${n}`, given.state.now - ageMilliseconds + n);
    return { ...given, cursor: cursorOf(await given.list({ limit: '2' })) };
  }

  it.each([
    ['continues at the end of its page for 30 seconds', 1_000, 30_000],
    ['lists no order twice whose change had settled before', 1_000_000, 3_600_000],
  ])('%s', async (_, ageMilliseconds, waitMilliseconds) => {
    const { list, state, cursor } = await setUpWalk(ageMilliseconds);
    state.now += waitMilliseconds;
    expect(idsOf(await list({ limit: '2', cursor }))).toEqual(['o2', 'o3']);
  });

  it('later finds a change that became visible at a place the reader had already passed', async () => {
    const { list, commit, state, cursor } = await setUpWalk(1_000);
    await commit('late', state.now - 2_000);
    state.now += 30_001;
    expect(idsOf(await list({ cursor }))).toContain('late');
  });

  it.each([5, 600])('goes back only after %i seconds when the bound is set to them', async (seconds) => {
    const { list, commit, state } = setUp(seconds);
    for (const [n, id] of ['a', 'b'].entries()) await commit(id, state.now + n);
    const cursor = cursorOf(await list({ limit: '1' }));
    await commit('late', state.now - seconds * 1000 + 1);
    state.now += seconds * 1000;
    expect(idsOf(await list({ cursor }))).toEqual(['b']);
    state.now += 1;
    expect(idsOf(await list({ cursor }))).toEqual(['late', 'a', 'b']);
  });

  it('later finds a change that became visible 18 seconds after its time stamp', async () => {
    const { list, commit, state } = setUp();
    const stamp = state.now;
    await commit('a', stamp + 1_000);
    await commit('b', stamp + 2_000);
    state.now = stamp + 17_000;
    const cursor = cursorOf(await list({ limit: '1' }));
    state.now = stamp + 18_000;
    await commit('late', stamp);
    state.now = stamp + 3_600_000;
    expect(idsOf(await list({ cursor }))).toEqual(['late', 'a', 'b']);
  });

  it('is safe in a URL and contains no order id', async () => {
    const { list, commit } = setUp();
    await commit('secret-order', 1);
    await commit('b', 2);
    const text = cursorOf(await list({ limit: '1', status: 'paid' }));
    expect(encodeURIComponent(text)).toBe(text);
    expect(text.length).toBeLessThan(512);
    expect(Buffer.from(text, 'base64url').toString()).not.toContain('secret-order');
    const cursor = decodeCursor(text);
    expect(cursor).toMatchObject({ mode: 'live', status: 'paid', position: { updatedAt: iso(1) } });
    expect(decodeCursor(encodeCursor(cursor as Cursor))).toEqual(cursor);
    for (const other of [`${text}!`, `!${text}`]) expect(decodeCursor(other)).toBeUndefined();
    const padded = Buffer.from(text, 'base64url').toString() + ' '.repeat(1_000);
    expect(decodeCursor(Buffer.from(padded).toString('base64url'))).toBeUndefined();
  });

  it('is read again as it was written, with every filter', () => {
    const position = { updatedAt: iso(1), tie: 'a'.repeat(32) };
    const filter = {
      mode: 'sandbox',
      status: 'partially_refunded',
      attention: 'payment_amount_unreadable',
    } as const;
    const forward = {
      sortOrder: 'asc',
      position,
      settled: position,
      updatedUntil: iso(2),
      since: 1_795_000_000_000,
    } as const;
    const backward = { sortOrder: 'desc', position, updatedSince: iso(0) } as const;
    for (const cursor of [
      { ...filter, ...forward },
      { ...filter, ...backward },
    ])
      expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
  });

  const position = { updatedAt: '2026-11-21T10:00:00.000Z', tie: '' };
  const right = { mode: 'live', sortOrder: 'asc', position, settled: position, since: 0 };
  it.each([
    ...[
      null,
      [],
      {},
      { ...right, mode: 'test' },
      { ...right, status: 'Paid' },
      { ...right, attention: 'all' },
    ],
    ...[
      { ...right, sortOrder: 'desc' },
      { ...right, since: '0' },
      { ...right, since: -1 },
      { ...right, since: 0.5 },
    ],
    ...[
      { ...right, updatedUntil: 'tomorrow' },
      { ...right, position: { ...position, tie: 'a tie' } },
    ],
    ...['2026-11-21T10:00:00Z', '2026-02-30T10:00:00.000Z', '+010000-01-01T00:00:00.000Z', ''].map(
      (updatedAt) => ({
        ...right,
        settled: { ...position, updatedAt },
      }),
    ),
  ])('is refused when it contains %j', (json) => {
    expect(decodeCursor(Buffer.from(JSON.stringify(right)).toString('base64url'))).toEqual(right);
    expect(decodeCursor(Buffer.from(JSON.stringify(json)).toString('base64url'))).toBeUndefined();
  });
});
