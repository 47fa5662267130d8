import { randomInt } from 'node:crypto';

/**
 * The seed of the properties' values and of the order of the tests: 1, or what PAYHOOKS_TEST_SEED names, a whole
 * number or `random`.
 */
export function readTestSeed(given = '1'): number {
  if (given === 'random') return randomInt(1, 1_000_000_000);
  if (/^\d{1,10}$/.test(given) && Number(given) < 2 ** 31) return Number(given);
  throw new Error(
    `PAYHOOKS_TEST_SEED is "${given}", but must be a whole number below 2147483648, or random.`,
  );
}
