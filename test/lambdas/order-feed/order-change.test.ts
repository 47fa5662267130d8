import { describe, expect, it } from 'vitest';
import { conflictFact, fullFact, sharedFact } from '../../../lambdas/domain/fact.ts';
import { type OrderWrite, orderChange } from '../../../lambdas/order-feed/order-change.ts';
import { fact } from '../../doubles/facts.ts';

const paid = fact('evt-1', 'paid');
const refunded = fact('evt-2', 'refunded');

const change = (write: Pick<OrderWrite, 'before' | 'after'> & Partial<OrderWrite>) =>
  orderChange({
    order: { mode: 'live', id: 'order-1' },
    sequence: write.before === undefined ? 1 : 2,
    isPublishedAgain: false,
    updatedAt: '2026-11-21T10:00:00.000Z',
    ...write,
  });

describe('orderChange', () => {
  it('returns a new order with no previous state', () => {
    expect(change({ before: undefined, after: [paid] })).toEqual({
      // printf 'live:order:order-1:1' | sha256sum | cut -c -32
      id: '706daf569be0a8a6a3bd7eb8b1f7ea2d',
      order_id: 'order-1',
      mode: 'live',
      sequence: 1,
      previous: null,
      current: { status: 'paid', attention: [] },
      transactions: [
        { id: 'T', status: 'paid', amount: '100.00', returned: null, currency: 'USD', created_at: null },
      ],
      caused_by: [{ id: 'evt-1', event_name: 'transaction.paid' }],
      updated_at: '2026-11-21T10:00:00.000Z',
    });
  });

  it('lists an event that was read again once, with the name that it has now', () => {
    const read = fact('evt-1', 'paid', { amount: '1.00' });
    const causes = [{ id: 'evt-1', event_name: 'transaction.paid' }];
    expect(change({ before: [paid], after: [read] })?.caused_by).toEqual(causes);
    expect(change({ before: [fact('evt-1', 'failed')], after: [paid] })?.caused_by).toEqual(causes);
    expect(change({ before: [paid, conflictFact('evt-1', 'ab12')], after: [read] })?.caused_by).toEqual([
      ...causes,
      { id: 'evt-1', event_name: null },
    ]);
  });

  it('lists causes by id, and several events under one id by name, whatever their order in the row', () => {
    // A name that is a number: nothing is greater than null.
    const numeric = paid.replace('transaction.paid', '5');
    const facts = [refunded, fact('evt-1', 'failed'), conflictFact('evt-1', 'ab12'), numeric, paid];
    const names = ['5', 'transaction.failed', 'transaction.paid', null];
    const causes = [
      ...names.map((event_name) => ({ id: 'evt-1', event_name })),
      { id: 'evt-2', event_name: 'transaction.refunded' },
    ];
    for (const after of [facts, facts.toReversed(), [paid, ...facts]]) {
      expect(change({ before: undefined, after })?.caused_by).toEqual(causes);
    }
  });

  it.each([
    ['transaction_in_two_orders', sharedFact('T')],
    ['too_many_events', fullFact],
  ])('returns a change to %s without causes, because no event brought it', (attention, added) => {
    expect(change({ before: [paid], after: [added, paid] })).toMatchObject({
      sequence: 2,
      current: { status: 'paid', attention: [attention] },
      caused_by: [],
    });
  });
});
