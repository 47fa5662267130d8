import type { DeliveryAttempt } from '@payhooks/payment-service';
import fc from 'fast-check';
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
  it('finds every attempt of a window, and reads few pages that have none', async () => {
    /** Next to the end of one of 60 pages of 50 attempts, or within it. */
    const place = fc
      .tuple(fc.nat(60), fc.constantFrom(-1, 0, 1, 20))
      .map(([pages, more]) => Math.max(0, 50 * pages + more));
    const width = fc.constantFrom(0, 1, 2, 48, 49, 50, 51, 120);
    const property = fc.asyncProperty(place, place, width, fc.boolean(), async (...given) => {
      const [minutes, newest, minutesMore, isTimed] = given;
      // Where some have no time, the last attempt of every page has none.
      const isTimeless = (n: number) => !isTimed && n % 50 === 49;
      const found = await read(attempts(minutes, isTimeless), newest + minutesMore, newest);
      const window = Array.from({ length: minutesMore + 1 }, (_, n) => newest + n);
      const wanted = window.filter((n) => n < minutes && !isTimeless(n));
      expect([found.ids, found.isComplete]).toEqual([wanted.map((n) => `e-${n}`), true]);
      expect(found.pages.length).toBeLessThan(14);
    });
    await fc.assert(property);
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
