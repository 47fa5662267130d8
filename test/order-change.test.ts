import { describe, expect, it } from 'vitest';
import {
  conflictFact,
  fullFact,
  resolvedFact,
  sharedFact,
  UnreadableFactError,
} from '../lambdas/domain/fact.ts';
import { judgedDigest } from '../lambdas/domain/judged-digest.ts';
import { type OrderWrite, orderChange } from '../lambdas/order-feed/order-change.ts';
import { fact } from './doubles/facts.ts';
import { meaningOf } from './doubles/fold.ts';

const paid = fact('evt-1', 'paid');
const refunded = fact('evt-2', 'refunded');
const history = fact('evt-3', 'updated');

const change = (write: Pick<OrderWrite, 'before' | 'after'> & Partial<OrderWrite>) =>
  orderChange(
    { order: { mode: 'live', id: 'order-1' }, updatedAt: '2026-11-21T10:00:00.000Z', ...write },
    meaningOf,
  );

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
      transactions: [{ id: 'T', status: 'paid', amount: '100.00', currency: 'USD', created_at: null }],
      caused_by: [{ id: 'evt-1', event_name: 'transaction.paid' }],
      updated_at: '2026-11-21T10:00:00.000Z',
    });
  });

  const stillPaid = { previous: { status: 'paid' }, current: { status: 'paid' } };
  it.each([
    [
      'the status',
      refunded,
      {
        sequence: 2,
        previous: { status: 'paid', attention: [] },
        current: { status: 'refunded', attention: [] },
        transactions: [{ id: 'T', status: 'refunded', amount: '100.00' }],
        caused_by: [{ id: 'evt-2', event_name: 'transaction.refunded' }],
      },
    ],
    [
      'only the attention',
      fact('evt-4', 'paid', { transactionId: 'U' }),
      { ...stillPaid, current: { status: 'paid', attention: ['multiple_paid_transactions'] } },
    ],
    [
      'only the transactions',
      fact('evt-5', 'failed', { transactionId: 'U' }),
      { ...stillPaid, transactions: [{ id: 'T' }, { id: 'U', status: 'failed' }] },
    ],
  ])('returns a change of %s, with the state before and after', (_, added, expected) => {
    expect(change({ before: [paid], after: [paid, added] })).toMatchObject(expected);
  });

  it.each([
    ['adds an event without effect', [paid], [paid, history]],
    ['adds no fact', [paid, refunded], [refunded, paid]],
    ['adds no fact to facts of a newer version', ['["event.2"]'], ['["event.2"]']],
  ])('returns nothing for a write that %s', (_, before, after) => {
    expect(change({ before, after })).toBeUndefined();
  });

  const refolded = '["refolded.1","r-1"]';
  it('returns an unchanged state again for a write that adds a repeated publication, and only for that one', () => {
    const again = change({ before: [paid, history], after: [paid, history, refolded] });
    const state = { status: 'paid', attention: [] };
    expect(again).toMatchObject({ sequence: 3, previous: state, current: state, caused_by: [] });
    expect(change({ before: [paid], after: [paid, history, refolded] })).toMatchObject({ sequence: 3 });
    const earlier = [paid, history, refolded];
    expect(change({ before: earlier, after: [...earlier, fact('evt-4', 'updated')] })).toBeUndefined();
  });

  it('returns a resolved attention as a change without a cause', () => {
    const facts = [paid, fact('evt-4', 'disputed')];
    const judgedSha256 = judgedDigest(facts);
    const by = { by: 'ann', at: '2026-11-22T05:00:00.000Z', reason: 'won' };
    const resolved = resolvedFact({ attention: 'disputed', judgedSha256, ...by });
    expect(change({ before: facts, after: [...facts, resolved] })).toMatchObject({
      sequence: 3,
      previous: { status: 'paid', attention: ['disputed'] },
      current: { status: 'paid', attention: [] },
      caused_by: [],
    });
  });

  it('counts an earlier event without effect, and does not list it as a cause', () => {
    expect(change({ before: [paid, history], after: [paid, history, refunded] })).toMatchObject({
      sequence: 3,
      caused_by: [{ id: 'evt-2' }],
    });
  });

  it('lists every event of one write as a cause, by id', () => {
    expect(change({ before: undefined, after: [refunded, history, paid] })?.caused_by).toEqual([
      { id: 'evt-1', event_name: 'transaction.paid' },
      { id: 'evt-2', event_name: 'transaction.refunded' },
      { id: 'evt-3', event_name: 'transaction.updated' },
    ]);
  });

  it('lists events of one write by id, also where their names sort otherwise', () => {
    const after = [fact('evt-2', 'failed'), fact('evt-1', 'paid')];
    expect(change({ before: undefined, after })?.caused_by).toMatchObject([{ id: 'evt-1' }, { id: 'evt-2' }]);
  });

  it('lists a conflicting body as a cause without an event name', () => {
    expect(change({ before: undefined, after: [conflictFact('evt-1', 'ab12'), paid] })).toMatchObject({
      current: { status: 'paid', attention: ['conflicting_event'] },
      caused_by: [
        { id: 'evt-1', event_name: 'transaction.paid' },
        { id: 'evt-1', event_name: null },
      ],
    });
  });

  it('lists two events under one id by name, whatever their order in the row', () => {
    // A name that is a number: nothing is greater than null.
    const numeric = paid.replace('transaction.paid', '5');
    const facts = [fact('evt-1', 'failed'), conflictFact('evt-1', 'ab12'), numeric, paid];
    const causes = ['5', 'transaction.failed', 'transaction.paid', null].map((event_name) => ({
      id: 'evt-1',
      event_name,
    }));
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

  it('returns the same change when the same write is read again', () => {
    const once = change({ before: [paid], after: [paid, refunded, history] });
    expect(change({ before: [paid], after: [history, refunded, paid] })).toEqual(once);
  });

  it('returns a unique id for each order, mode and sequence', () => {
    const ids = [
      change({ before: undefined, after: [paid] }),
      change({ before: [paid], after: [paid, refunded] }),
      change({ before: undefined, after: [paid], order: { mode: 'sandbox', id: 'order-1' } }),
      change({ before: undefined, after: [paid], order: { mode: 'live', id: 'order-2' } }),
      change({ before: undefined, after: [paid], order: { mode: 'live', id: 'order-1:1' } }),
    ].map((changed) => changed?.id);
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('refuses a fact that a newer version wrote', () => {
    expect(() => change({ before: [paid], after: [paid, '["event.2","x"]'] })).toThrow(UnreadableFactError);
  });
});
