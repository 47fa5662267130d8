import { describe, expect, it } from 'vitest';
import { byLargestAmount, parseAmount, sumOf } from '../../../lambdas/domain/amount.ts';

describe('byLargestAmount', () => {
  it.each([
    ['9', '10', 1],
    ['10', '9', -1],
    ['10', '10.00', 0],
    ['many', '10', 1],
    ['10', 'many', -1],
    [null, '0.01', 1],
    ['0.01', null, -1],
    ['many', null, 0],
  ])('of %j and %j returns %i: the larger first, one that cannot be read last', (a, b, expected) => {
    expect(byLargestAmount(a, b)).toBe(expected);
  });
});

describe('parseAmount', () => {
  it.each(['0', '0.00', '-1', '+1', '1.', '.5', '1e2', ' 1', '1 ', '1,5', '٣', '', null])(
    'reads no amount in %j',
    (text) => {
      expect(parseAmount(text)).toBeUndefined();
    },
  );

  it('reads decimals exactly', () => {
    const sum = sumOf(['0.1', '0.2'].map((text) => parseAmount(text)).filter((one) => one !== undefined));
    expect(sum.toFixed()).toBe('0.3');
  });
});
