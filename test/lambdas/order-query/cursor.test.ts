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
    expect(text.length).toBeLessThan(256);
    expect(Buffer.from(text, 'base64url').toString()).not.toContain('secret-order');
    const cursor = decodeCursor(text);
    expect(cursor).toMatchObject({ mode: 'live', status: 'paid', position: { updatedAt: iso(1) } });
    expect(encodeCursor(cursor as Cursor)).toBe(text);
    // An instance of an older release reads it, too.
    expect(JSON.parse(Buffer.from(text, 'base64url').toString())[0]).toBe(1);
    for (const other of [`${text}!`, `!${text}`]) expect(decodeCursor(other)).toBeUndefined();
    const padded = Buffer.from(text, 'base64url').toString() + ' '.repeat(1_000);
    expect(decodeCursor(Buffer.from(padded).toString('base64url'))).toBeUndefined();
  });

  it('of a release without the filter attention keeps its place', async () => {
    const { list, commit } = setUp();
    for (const n of numbers(3)) await commit(`o${n}`, n);
    const parts = [1, 'live', 'paid', iso(1), '', iso(1), '', 1_000_000];
    const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url');
    expect(idsOf(await list({ cursor }))).toEqual(['o1', 'o2']);
  });

  const at = '"2026-11-21T10:00:00.000Z"';
  it.each([
    'null',
    '[]',
    '[1]',
    `[2,"live",null,${at},"",${at},"",0]`,
    `[2,"live",null,"all","asc",${at},"",${at},"",0]`,
    `[2,"live",null,null,"desc",${at},"",${at},"",0]`,
    `[2,"live",null,null,"desc",${at},"","yesterday"]`,
    `[3,"live",null,null,"desc",${at},"",${at}]`,
    `[3,"live",null,null,"asc",${at},"",${at},"",0]`,
    `[3,"live",null,null,"asc",${at},"",${at},"",0,"tomorrow"]`,
    `[1,"test",null,${at},"",${at},"",0]`,
    `[1,"live","Paid",${at},"",${at},"",0]`,
    `[1,"live",null,${at},"",0,"",0]`,
    `[1,"live",null,${at},"",${at},"","0"]`,
    `[1,"live",null,"","",${at},"",0]`,
    `[1,"live",null,${at},"","","",0]`,
    `[1,"live",null,"2026-11-21T10:00:00Z","",${at},"",0]`,
    `[1,"live",null,"2026-11-21T11:00:00.000+01:00","",${at},"",0]`,
    `[1,"live",null,"2026-02-30T10:00:00.000Z","",${at},"",0]`,
    `[1,"live",null,"+010000-01-01T00:00:00.000Z","",${at},"",0]`,
    `[1,"live",null,${at},"","21 November 2026","",0]`,
    `[1,"live",null,${at},"a tie",${at},"",0]`,
    `[1,"live",null,${at},"",${at},"0",0]`,
    `[1,"live",null,${at},"",${at},"",1e999]`,
    `[1,"live",null,${at},"",${at},"",-1]`,
    `[1,"live",null,${at},"",${at},"",0.5]`,
  ])('is refused when it contains %s', (json) => {
    expect(decodeCursor(Buffer.from(json).toString('base64url'))).toBeUndefined();
  });
});
