import { describe, expect, it } from 'vitest';
import { readTestSeed } from '../setup/test-seed.ts';

describe('the seed of the tests', () => {
  it('is 1, the number in PAYHOOKS_TEST_SEED, or a new one for "random"', () => {
    expect([readTestSeed(undefined), readTestSeed('2147483647')]).toEqual([1, 2147483647]);
    const seeds = Array.from({ length: 20 }, () => readTestSeed('random'));
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });

  it.each(['', 'seven', '-1', '1.5', '2147483648'])('cannot be "%s"', (given) => {
    expect(() => readTestSeed(given)).toThrow(`PAYHOOKS_TEST_SEED is "${given}"`);
  });
});
