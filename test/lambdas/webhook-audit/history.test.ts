import type { DeliveryAttempt, PaymentServiceClient } from '@payhooks/payment-service';
import { describe, expect, it } from 'vitest';
import { readHistory } from '../../../lambdas/webhook-audit/history.ts';

const start = Date.UTC(2026, 10, 21, 10);
const minute = 60_000;

/** A history with one attempt a minute, the most recent first or not, and the pages that were read. */
function historyOf(minutes: number, { isReversed = false, isTimeless = (_: number): boolean => false } = {}) {
  const pages: number[] = [];
  const options: object[] = [];
  const attempts = Array.from({ length: minutes }, (_, n) => ({
    event_id: `e-${n}`,
    attempted_at: isTimeless(n) ? null : new Date(start - n * minute).toISOString(),
  })) as DeliveryAttempt[];
  if (isReversed) attempts.reverse();
  const client = {
    async webhookHistory(_: string, given: { page?: number; limit?: number }) {
      const { page = 1, limit = 10, ...more } = given;
      options.push(more);
      pages.push(page);
      const data = attempts.slice((page - 1) * limit, page * limit);
      const last_page = Math.ceil(minutes / limit);
      return { data, pagination: { current_page: page, per_page: limit, total: minutes, last_page } };
    },
  } as unknown as PaymentServiceClient;
  return { client, pages, options };
}
const idsOf = (attempts: readonly DeliveryAttempt[]) => attempts.map(({ event_id }) => event_id);

describe('readHistory', () => {
  it('reads only the pages that reach into a window at the end', async () => {
    const { client, pages } = historyOf(5_000);
    const window = { since: start - 60 * minute, until: start, pagesMax: 20 };
    const { attempts, isComplete } = await readHistory(client, 'w', window);
    expect([attempts.length, pages, isComplete]).toEqual([61, [1, 2], true]);
  });

  it('finds a window in the past without reading all pages before it', async () => {
    const { client, pages } = historyOf(5_000);
    const window = { since: start - 3_002 * minute, until: start - 3_000 * minute, pagesMax: 20 };
    const { attempts, isComplete } = await readHistory(client, 'w', window);
    expect(idsOf(attempts)).toEqual(['e-3000', 'e-3001', 'e-3002']);
    expect(pages.length).toBeLessThan(12);
    expect(isComplete).toBe(true);
  });

  it('reads a window that is older than the history as empty', async () => {
    const { client, pages } = historyOf(120);
    const window = { since: start - 900 * minute, until: start - 800 * minute, pagesMax: 20 };
    expect(await readHistory(client, 'w', window)).toMatchObject({ attempts: [], isComplete: true });
    expect(Math.max(...pages)).toBe(3);
  });

  // A page has 50 attempts; the bisection of 100 pages begins with page 51, which ends with attempt 2549.
  it.each([
    ['begins with the last attempt of the first page', 60, 49],
    ['begins within the first page', 40, 30],
    ['begins with the last attempt of a page that the bisection reads', 2_551, 2_549],
    ['begins within a page that the bisection reads', 2_522, 2_520],
  ])('reads every attempt of a window that %s', async (_, oldest, newest) => {
    const { client } = historyOf(5_000);
    const window = { since: start - oldest * minute, until: start - newest * minute, pagesMax: 20 };
    const ids = Array.from({ length: oldest - newest + 1 }, (_, n) => `e-${newest + n}`);
    expect(idsOf((await readHistory(client, 'w', window)).attempts)).toEqual(ids);
  });

  it('reads on after a page that ends with the begin of the window: the next may have the same time', async () => {
    const { client, pages } = historyOf(5_000);
    await readHistory(client, 'w', { since: start - 49 * minute, until: start, pagesMax: 20 });
    expect(pages).toEqual([1, 2]);
  });

  it('passes its signal to every request', async () => {
    const { client, options } = historyOf(120);
    const { signal } = new AbortController();
    await readHistory(client, 'w', { since: 0, until: start, pagesMax: 20, signal });
    expect(options).toEqual([{ signal }, { signal }, { signal }]);
    options.length = 0;
    await readHistory(client, 'w', { since: 0, until: start, pagesMax: 20 });
    expect(options).toEqual([{}, {}, {}]);
  });

  it('ends at its bound, and is then not complete', async () => {
    const { client, pages } = historyOf(5_000);
    const { attempts, isComplete } = await readHistory(client, 'w', { since: 0, until: start, pagesMax: 3 });
    expect([attempts.length, pages, isComplete]).toEqual([150, [1, 2, 3], false]);
  });

  it('finds a window in the past although the last attempt of every page has no time', async () => {
    const { client, pages } = historyOf(5_000, { isTimeless: (n) => n % 50 === 49 });
    const window = { since: start - 3_002 * minute, until: start - 3_001 * minute, pagesMax: 20 };
    const { attempts, isComplete } = await readHistory(client, 'w', window);
    expect(idsOf(attempts)).toEqual(['e-3001', 'e-3002', 'e-3049']);
    expect(pages.length).toBeLessThan(12);
    expect(isComplete).toBe(true);
  });

  it('refuses a history whose first attempt has no time and which begins with the oldest', async () => {
    const { client } = historyOf(120, { isReversed: true, isTimeless: (n) => n === 119 });
    const window = { since: 0, until: start, pagesMax: 3 };
    await expect(readHistory(client, 'w', window)).rejects.toMatchObject({ name: 'HistoryError' });
  });

  it('refuses a history that begins with the oldest attempt', async () => {
    const { client } = historyOf(120, { isReversed: true });
    await expect(readHistory(client, 'w', { since: 0, until: start, pagesMax: 3 })).rejects.toMatchObject({
      name: 'HistoryError',
      message: 'The history begins with the oldest attempt; expected the most recent first (A15).',
    });
  });

  it('refuses such a history although its first attempts have the same time', async () => {
    const times = [3, 3, 2].map((minutes) => new Date(start - minutes * minute).toISOString());
    const data = times.map((attempted_at, n) => ({ event_id: `e-${n}`, attempted_at }));
    const pagination = { current_page: 1, per_page: 50, total: 3, last_page: 1 };
    const client = { webhookHistory: async () => ({ data, pagination }) } as unknown as PaymentServiceClient;
    const window = { since: 0, until: start, pagesMax: 3 };
    await expect(readHistory(client, 'w', window)).rejects.toMatchObject({ name: 'HistoryError' });
  });
});
