import { describe, expect, it } from 'vitest';
import { conflictFact, UnreadableFactError } from '../lambdas/domain/fact.ts';
import { type OrderWrite, orderChange } from '../lambdas/order-feed/order-change.ts';

/** Written out by hand, so that the expectation does not come from the code under test. */
const fact = (eventId: string, action: string, { tx = 'T', amount = '100.00' } = {}): string =>
  `["event.1","${eventId}","transaction.${action}","${tx}","${amount}","USD",null]`;
const paid = fact('evt-1', 'paid');
const refunded = fact('evt-2', 'refunded');
const disputed = fact('evt-3', 'disputed');

const change = (write: Pick<OrderWrite, 'before' | 'after'> & Partial<OrderWrite>) =>
  orderChange({ order: { mode: 'live', id: 'order-1' }, updatedAt: '2026-11-21T10:00:00.000Z', ...write });

describe('orderChange', () => {
  it('tells of a new order, which had no state before', () => {
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

  it('tells of a new state what it was before, and which event changed it', () => {
    expect(change({ before: [paid], after: [paid, refunded] })).toMatchObject({
      sequence: 2,
      previous: { status: 'paid', attention: [] },
      current: { status: 'refunded', attention: [] },
      transactions: [{ id: 'T', status: 'refunded', amount: '100.00' }],
      caused_by: [{ id: 'evt-2', event_name: 'transaction.refunded' }],
    });
  });

  it('tells of a change that the status does not show', () => {
    const second = fact('evt-4', 'paid', { tx: 'U' });
    expect(change({ before: [paid], after: [paid, second] })).toMatchObject({
      previous: { status: 'paid', attention: [] },
      current: { status: 'paid', attention: ['multiple_paid_transactions'] },
      transactions: [{ id: 'T' }, { id: 'U' }],
    });
    const failed = fact('evt-5', 'failed', { tx: 'F' });
    expect(change({ before: [paid], after: [paid, failed] })).toMatchObject({
      previous: { status: 'paid', attention: [] },
      current: { status: 'paid', attention: [] },
    });
  });

  it('is silent about an event without effect', () => {
    expect(change({ before: [paid], after: [paid, disputed] })).toBeUndefined();
  });

  it('counts an event without effect, and does not name it as the cause of what comes later', () => {
    expect(change({ before: [paid, disputed], after: [paid, disputed, refunded] })).toMatchObject({
      sequence: 3,
      caused_by: [{ id: 'evt-2' }],
    });
  });

  it('is silent about a write that adds no fact, as the repair of a status is', () => {
    expect(change({ before: [paid, refunded], after: [refunded, paid] })).toBeUndefined();
    expect(change({ before: ['["event.2"]'], after: ['["event.2"]'] })).toBeUndefined();
  });

  it('names every event of one merge, by id', () => {
    expect(change({ before: undefined, after: [refunded, disputed, paid] })?.caused_by).toEqual([
      { id: 'evt-1', event_name: 'transaction.paid' },
      { id: 'evt-2', event_name: 'transaction.refunded' },
      { id: 'evt-3', event_name: 'transaction.disputed' },
    ]);
  });

  it('names a second body under a taken id as a cause without a name', () => {
    expect(change({ before: undefined, after: [conflictFact('evt-1', 'ab12'), paid] })).toMatchObject({
      current: { status: 'paid', attention: ['conflicting_event'] },
      caused_by: [
        { id: 'evt-1', event_name: 'transaction.paid' },
        { id: 'evt-1', event_name: null },
      ],
    });
  });

  it('gives the same event whenever the same write is read', () => {
    const once = change({ before: [paid], after: [paid, refunded, disputed] });
    expect(change({ before: [paid], after: [disputed, refunded, paid] })).toEqual(once);
  });

  it('gives each change an id of its own: by order, by mode, by sequence', () => {
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

  it('does not guess at a fact that a newer version wrote', () => {
    expect(() => change({ before: [paid], after: [paid, '["event.2","x"]'] })).toThrow(UnreadableFactError);
  });
});
