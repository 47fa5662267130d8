import { describe, expect, it } from 'vitest';
import { defaultRetryPolicy } from '../../src/client/index.ts';
import { operations, repeatOf } from '../../src/client/operations.ts';
import { retryOptions } from '../../src/client/retry-policy.ts';
import { retryAfterMilliseconds } from '../../src/retry-after.ts';

describe('the retry policy', () => {
  it('4 names each operation once, and repeats no POST that may have been executed', () => {
    const table = Object.entries(operations).map(([name, operation]) => [
      name,
      operation.method,
      repeatOf(operation),
    ]);
    expect(table).toEqual([
      ['listWebhooks', 'GET', 'always'],
      ['createWebhook', 'POST', 'unexecuted'],
      ['updateWebhook', 'PUT', 'always'],
      ['deleteWebhook', 'DELETE', 'always'],
      ['webhookHistory', 'GET', 'always'],
      ['refreshTokens', 'POST', 'unexecuted'],
      ['currentAccount', 'GET', 'always'],
    ]);
  });

  it('draws pauses from the upper half of a ceiling that doubles up to a maximum', () => {
    const { delay, jitter } = retryOptions(defaultRetryPolicy, 'always');
    expect([1, 2, 3, 8].map((retry) => delay?.(retry))).toEqual([250, 500, 1_000, 5_000]);
    const drawn = Array.from({ length: 100 }, () => (typeof jitter === 'function' ? jitter(1_000) : 0));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...drawn)).toBeLessThan(1_000);
    expect(new Set(drawn).size).toBeGreaterThan(1);
  });
});

describe('Retry-After', () => {
  const wait = (value?: string) =>
    retryAfterMilliseconds(new Headers(value === undefined ? {} : { 'retry-after': value }));

  it('is read as seconds', () => {
    expect([wait('120'), wait(' 0 ')]).toEqual([120_000, 0]);
  });

  it.each(['Sun, 06 Nov 2094 08:49:37 GMT', 'Saturday, 06-Nov-94 08:49:37 GMT', 'Sat Nov  6 08:49:37 2094'])(
    'is read as the HTTP date %s',
    (date) => {
      const year = date.includes('-94') ? 1994 : 2094;
      const expected = Math.max(0, Date.UTC(year, 10, 6, 8, 49, 37) - Date.now());
      expect(Math.abs((wait(date) ?? Number.NaN) - expected)).toBeLessThan(60_000);
    },
  );

  it.each([undefined, '', '-1', '1.5', '1e3', 'soon', '2026-11-02', 'Monday'])(
    'counts as no header when it is %j',
    (value) => {
      expect(wait(value)).toBeUndefined();
    },
  );
});
