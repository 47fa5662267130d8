import { expect, it } from 'vitest';
import { readFilters } from '../../../console/page/list/filters.ts';

it('a list takes its filters from the address, without what it does not understand', () => {
  const names = ['status', 'attention', 'outcome', 'prefix', 'since', 'until'] as const;
  const query = {
    status: 'paid',
    attention: 'any',
    outcome: 'applied',
    prefix: 'evt',
    since: '2026-11-22T10:00:00Z',
  };
  const found = { ...query, since: '2026-11-22T10:00:00.000Z' };
  expect(readFilters({ ...query, until: 'yesterday', mode: 'sandbox' }, names)).toEqual(found);
  expect(
    readFilters({ status: 'toString', attention: '__proto__', outcome: '', prefix: ' ' }, names),
  ).toEqual({});
  expect(readFilters(query, ['status'])).toEqual({ status: 'paid' });
});
