import { describe, expect, it } from 'vitest';
import { defaultRetryPolicy, StatusError } from '../../src/client/index.ts';
import { isWorthRepeating, pauseBeforeRetry } from '../../src/client/retry-policy.ts';
import { retryAfterMilliseconds } from '../../src/retry-after.ts';

describe('the retry policy', () => {
  it('waits for a Retry-After of up to 20 seconds', () => {
    const failed = { operation: 'listWebhooks', status: 503, serviceMessage: undefined } as const;
    const isRepeated = (retryAfterMilliseconds: number | undefined) => {
      const error = new StatusError({ ...failed, errorCode: undefined, retryAfterMilliseconds });
      return isWorthRepeating(defaultRetryPolicy, 'always', error);
    };
    expect([undefined, 0, 20_000, 20_001].map(isRepeated)).toEqual([true, true, true, false]);
  });

  it('draws pauses from the upper half of a ceiling that doubles up to a maximum', () => {
    for (const [retry, ceiling] of Object.entries({ 1: 250, 2: 500, 3: 1_000, 8: 5_000 })) {
      const drawn = Array.from({ length: 100 }, () => pauseBeforeRetry(defaultRetryPolicy, Number(retry)));
      expect(Math.min(...drawn)).toBeGreaterThanOrEqual(ceiling / 2);
      expect(Math.max(...drawn)).toBeLessThan(ceiling);
      expect(Math.max(...drawn)).toBeGreaterThan(ceiling * 0.75);
    }
  });
});

it.each([
  [' 0 ', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['2026-11-02', undefined],
  // The oldest form, which names no time zone.
  ['Sat Nov  6 08:49:37 2094', undefined],
])('the Retry-After %j is read as %s milliseconds', (value, milliseconds) => {
  expect(retryAfterMilliseconds(new Headers({ 'retry-after': value }))).toBe(milliseconds);
});
