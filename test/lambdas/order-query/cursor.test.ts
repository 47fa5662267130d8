import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../lambdas/order-query/cursor.ts';
import { advanceWalk, beginWalk, resumeWalk } from '../../../lambdas/order-query/walk.ts';
import { cursorOf, idsOf, numbers, setUp } from '../../doubles/order-list.ts';

describe('a list of GET /orders, continued from its cursor,', () => {
  /** Four orders of the last second, or of long ago, and the cursor after the first two. */
  async function setUpWalk(ageMilliseconds: number) {
    const given = setUp();
    for (const n of numbers(4)) await given.commit(`o${n}`, given.state.now - ageMilliseconds + n);
    return { ...given, cursor: cursorOf(await given.list({ limit: '2' })) };
  }

  it.each([
    ['goes on at the end of its page for 30 seconds', 1_000, 30_000],
    ['lists no order twice whose change had settled before', 1_000_000, 3_600_000],
  ])('%s', async (_, ageMilliseconds, waitMilliseconds) => {
    const { list, state, cursor } = await setUpWalk(ageMilliseconds);
    state.now += waitMilliseconds;
    expect(idsOf(await list({ limit: '2', cursor }))).toEqual(['o2', 'o3']);
  });

  it('goes back only after 30 seconds', async () => {
    const { list, commit, state } = setUp();
    for (const [n, id] of ['a', 'b'].entries()) await commit(id, state.now + n);
    const cursor = cursorOf(await list({ limit: '1' }));
    await commit('late', state.now - 29_999);
    state.now += 30_000;
    expect(idsOf(await list({ cursor }))).toEqual(['b']);
    state.now += 1;
    expect(idsOf(await list({ cursor }))).toEqual(['late', 'a', 'b']);
  });

  it('never goes back before its updated_since', () => {
    const at = (time: string): string => `2026-11-21T${time}.000Z`;
    const now = Date.parse(at('10:01:00'));
    const updatedSince = at('10:00:50');
    const begun = beginWalk({ updatedSince, updatedUntil: undefined, sortOrder: 'asc' }, now);
    const walk = advanceWalk(begun, { updatedAt: at('10:00:55'), tie: '' }, now);
    const later = resumeWalk(walk, now + 60_000);
    expect(later.position).toEqual({ updatedAt: updatedSince, tie: '' });
  });
});

describe('a cursor of GET /orders', () => {
  const position = { updatedAt: '2026-11-21T10:00:00.000Z', tie: 'ab'.repeat(16) };
  const filter = {
    mode: 'sandbox',
    status: 'partially_refunded',
    attention: 'payment_amount_unreadable',
  } as const;
  const forwards = { ...filter, sortOrder: 'asc', position, settled: position } as const;
  const backwards = { ...filter, sortOrder: 'desc', position, updatedSince: position.updatedAt } as const;
  const textOf = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString('base64url');

  it.each([{ ...forwards, updatedUntil: position.updatedAt, since: 1_795_000_000_000 }, backwards])(
    'is safe in a URL, and is read again as it was written, with every filter: %j',
    (cursor) => {
      const text = encodeCursor(cursor);
      expect(encodeURIComponent(text)).toBe(text);
      expect(decodeCursor(text)).toEqual(cursor);
      for (const other of [`${text}!`, `!${text}`, `${text}=`, ` ${text}`])
        expect(decodeCursor(other)).toBeUndefined();
    },
  );

  it('contains no order id', async () => {
    const { list, commit } = setUp();
    for (const [n, id] of ['secret-order', 'b'].entries()) await commit(id, n);
    const text = cursorOf(await list({ limit: '1' }));
    expect(Buffer.from(text, 'base64url').toString()).not.toContain('secret-order');
  });

  it('has at most 512 characters', () => {
    const padded = (length: number) =>
      Buffer.from(JSON.stringify(backwards).padEnd(length)).toString('base64url');
    expect(padded(384)).toHaveLength(512);
    expect(decodeCursor(padded(384))).toEqual(backwards);
    expect(decodeCursor(padded(385))).toBeUndefined();
  });

  const right = { mode: 'live', sortOrder: 'asc', position, settled: position, since: 0 };
  const at = (updatedAt: string) => ({ ...right, settled: { ...position, updatedAt } });
  it.each([
    [null],
    [[]],
    [{}],
    [{ ...right, more: 1 }],
    [{ ...right, mode: 'test' }],
    [{ ...right, status: 'Paid' }],
    [{ ...right, attention: 'all' }],
    [{ ...right, sortOrder: 'desc' }],
    [{ ...right, since: '0' }],
    [{ ...right, since: -1 }],
    [{ ...right, since: 0.5 }],
    [{ ...right, updatedUntil: 'tomorrow' }],
    [{ ...right, position: { ...position, tie: 'a tie' } }],
    [at('2026-11-21T10:00:00Z')],
    [at('2026-02-30T10:00:00.000Z')],
    [at('+010000-01-01T00:00:00.000Z')],
    [at('')],
  ])('is refused when it contains %j', (json) => {
    expect(decodeCursor(textOf(right))).toEqual(right);
    expect(decodeCursor(textOf(json))).toBeUndefined();
  });
});
