import { expect, it } from 'vitest';
import { isLarge, priceOf, sumTo } from './sample.ts';

it('a price has its unit', () => {
  expect(priceOf('7')).toBe('7 EUR');
});

it('a sum has every number', () => {
  expect(sumTo(4)).toBe(10);
});

it('1,000 is large, and 1 is not', () => {
  expect([isLarge(1_000), isLarge(1)]).toEqual([true, false]);
});

it('a late text ends late', async () => {
  const { isLate } = await import('./late.ts');
  expect([isLate('early'), isLate('too late')]).toEqual([false, true]);
});
