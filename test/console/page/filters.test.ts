import { describe, expect, it } from 'vitest';
import { eventSources, orderSources, readFilters, showsItem } from '../../../console/page/lists/filters.ts';
import { waitingItem } from '../../doubles/listed-orders.ts';

describe('the filters of a list', () => {
  it('are read from the address, without what it does not understand', () => {
    const query = {
      status: 'paid',
      attention: 'any',
      outcome: 'applied',
      since: '2026-11-22T10:00:00Z',
      until: 'yesterday',
      mode: 'sandbox',
    };
    expect(readFilters(query)).toEqual({
      status: 'paid',
      attention: 'any',
      outcome: 'applied',
      since: '2026-11-22T10:00:00.000Z',
    });
    expect(readFilters({ status: 'toString', attention: '__proto__', outcome: '' })).toEqual({});
  });

  it('select orders by status, attention and the time of their latest change', () => {
    const filters = { status: 'paid', attention: 'disputed', since: 'S', until: 'U' } as const;
    expect(orderSources(filters, 'sandbox')).toEqual({
      orders: {
        mode: 'sandbox',
        status: 'paid',
        attention: 'disputed',
        updated_since: 'S',
        updated_until: 'U',
      },
      waiting: undefined,
    });
  });

  it('leave what waits in the list of events unless they are about orders', () => {
    expect(eventSources({}, 'live').waiting).toEqual({ mode: 'live', since: undefined, until: undefined });
    expect(eventSources({ since: 'S' }, 'live').waiting).toMatchObject({ since: 'S' });
    expect(eventSources({ status: 'paid' }, 'live').waiting).toBeUndefined();
    expect(eventSources({ attention: 'any' }, 'live').waiting).toBeUndefined();
  });

  it('by outcome read either the orders or the waiting room', () => {
    expect(eventSources({ outcome: 'applied' }, 'live')).toMatchObject({
      orders: { mode: 'live' },
      waiting: undefined,
    });
    expect(eventSources({ outcome: 'quarantined' }, 'live')).toMatchObject({
      orders: undefined,
      waiting: { mode: 'live' },
    });
  });

  it('by outcome show only items of that outcome', () => {
    const item = waitingItem('event-1', 1_000);
    expect(showsItem({}, item)).toBe(true);
    expect(showsItem({ outcome: 'quarantined' }, item)).toBe(true);
    expect(showsItem({ outcome: 'conflict' }, item)).toBe(false);
  });
});
