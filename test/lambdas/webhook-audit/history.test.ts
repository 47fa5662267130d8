import type { DeliveryAttempt } from '@payhooks/payment-service';
import { describe, expect, it, vi } from 'vitest';
import { type HistoryWindow, readHistory } from '../../../lambdas/webhook-audit/history.ts';
import { attempt, clientOf, liveWebhook } from '../../doubles/delivery-history.ts';

const start = Date.UTC(2026, 10, 21, 10);
const minute = 60_000;

/** One attempt a minute, the most recent first. */
const attempts = (minutes: number, isTimeless = (_: number): boolean => false) =>
  Array.from({ length: minutes }, (_, n) =>
    attempt({
      event_id: `e-${n}`,
      attempted_at: isTimeless(n) ? null : new Date(start - n * minute).toISOString(),
    }),
  );

/** What a reader finds in a window from the one to the other minute before the start. */
async function read(history: readonly DeliveryAttempt[], from: number, to: number, more = {}) {
  const { client, pages } = clientOf(history);
  const times = { since: start - from * minute, until: start - to * minute };
  const window: HistoryWindow = { ...times, pagesMax: 20, ...more };
  const found = await readHistory(client, [liveWebhook], window);
  return { ...found, pages, ids: found.attempts.map(({ eventId }) => eventId) };
}

describe('readHistory', () => {
  it('reads only the pages that reach into a window at the end', async () => {
    const found = await read(attempts(5_000), 60, 0);
    expect([found.ids.length, found.pages, found.isComplete]).toEqual([61, [1, 2], true]);
  });

  it.each([
    ['', attempts(5_000), ['e-3000', 'e-3001', 'e-3002']],
    [
      ' although the last attempt of every page has no time',
      attempts(5_000, (n) => n % 50 === 49),
      ['e-3000', 'e-3001', 'e-3002'],
    ],
  ])('finds a window in the past without reading all pages before it%s', async (_, history, ids) => {
    const found = await read(history, 3_002, 3_000);
    expect([found.ids, found.isComplete]).toEqual([ids, true]);
    expect(found.pages.length).toBeLessThan(12);
  });

  it('reads a window that is older than the history as empty', async () => {
    const { ids, isComplete, pages } = await read(attempts(120), 900, 800);
    expect([ids, isComplete, Math.max(...pages)]).toEqual([[], true, 3]);
  });

  // A page has 50 attempts; the bisection of 100 pages begins with page 51, which ends with attempt 2549.
  it.each([
    ['begins with the last attempt of the first page', 60, 49],
    ['begins within the first page', 40, 30],
    ['begins with the last attempt of a page that the bisection reads', 2_551, 2_549],
    ['begins within a page that the bisection reads', 2_522, 2_520],
  ])('reads every attempt of a window that %s', async (_, oldest, newest) => {
    const ids = Array.from({ length: oldest - newest + 1 }, (_, n) => `e-${newest + n}`);
    expect((await read(attempts(5_000), oldest, newest)).ids).toEqual(ids);
  });

  it('reads on after a page that ends with the begin of the window: the next may have the same time', async () => {
    expect((await read(attempts(5_000), 49, 0)).pages).toEqual([1, 2]);
  });

  it('ends at its bound, and is then not complete', async () => {
    const { ids, pages, isComplete } = await read(attempts(5_000), 5_000, 0, { pagesMax: 3 });
    expect([ids.length, pages, isComplete]).toEqual([150, [1, 2, 3], false]);
  });

  it('counts the attempts of the window without event id, time or outcome', async () => {
    const unreadable = [
      attempt({ event_id: null }),
      attempt({ attempted_at: 'yesterday' }),
      attempt({ attempted_at: null }),
      attempt({ retry_pending: null }),
    ];
    const { ids, unreadable: count } = await read([...unreadable, attempt()], 60, 0);
    expect([ids, count]).toEqual([[null, 'e-1'], 4]);
    expect((await read([attempt(), ...unreadable], -30, -60)).unreadable).toBe(2);
  });

  it.each([
    ['the oldest attempt', attempts(120).toReversed()],
    ['one without a time, and then the oldest', attempts(120, (n) => n === 119).toReversed()],
    ['two of the same time, and then a newer one', [attempts(3)[2], ...attempts(3).toReversed()]],
  ])('refuses a history that begins with %s', async (_, history) => {
    await expect(read(history as DeliveryAttempt[], 200, 0)).rejects.toMatchObject({
      name: 'HistoryError',
      message: 'The history begins with the oldest attempt; expected the most recent first (A15).',
    });
  });

  it('reads a time without a zone as UTC, whatever the zone of the machine', async () => {
    vi.stubEnv('TZ', 'Pacific/Auckland');
    expect(new Date(start).getHours()).toBe(23);
    const unzoned = ['2026-11-21 10:00:00', '2026-11-21T10:00:00', '2026-11-21 10:00:00.000000'];
    const times = [...unzoned, '2026-11-21 12:00:00+02:00', '2026-11-21T07:00:00-03:00'];
    const { attempts: found } = await read(
      times.map((attempted_at) => attempt({ attempted_at })),
      ...([1, 0] as const),
    );
    expect(found.map(({ at }) => at)).toEqual(times.map(() => start));
  });
});
