import type { Order } from '@payhooks/order-client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventRows, eventSources } from '../../../console/page/list/event-rows.ts';
import { readFilters } from '../../../console/page/list/filters.ts';
import { iso, listedOrder, waitingItem } from '../../doubles/listed-orders.ts';

interface Scene {
  readonly orders: readonly Order[];
  readonly waiting: readonly { readonly id: string; readonly at: number }[];
  readonly pageSize: number;
}

const time = fc.integer({ min: 1, max: 60 });
const scenes: fc.Arbitrary<Scene> = fc
  .record({
    orders: fc.array(fc.record({ times: fc.array(time, { minLength: 1, maxLength: 6 }), lag: fc.nat(20) }), {
      maxLength: 20,
    }),
    waiting: fc.array(time, { maxLength: 6 }),
    pageSize: fc.integer({ min: 1, max: 7 }),
  })
  .map(({ orders, waiting, pageSize }) => ({
    orders: orders
      .map(({ times, lag }, order) =>
        listedOrder(
          `order-${order}`,
          times.map((at, event) => ({ id: `event-${order}-${event}`, at })),
          lag,
        ),
      )
      .sort((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at)),
    waiting: waiting.map((at, item) => ({ id: `waiting-${item}`, at })),
    pageSize,
  }));

/** What the list must show: every event, sorted by nothing but its time. */
const timesOf = ({ orders, waiting }: Scene): string[] =>
  [
    ...orders.flatMap(({ events }) => events.map(({ received_at }) => received_at ?? '')),
    ...waiting.map(({ at }) => iso(at)),
  ]
    .sort()
    .reverse();

describe('the list of events', () => {
  it('shows after each page a part of the final list from its top, and at the end every event once', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const items = scene.waiting.map(({ id, at }) => waitingItem(id, at));
        const final = eventRows({ orders: scene.orders, items, isLast: true });
        expect(final.map(({ receivedAt }) => receivedAt)).toEqual(timesOf(scene));
        expect(new Set(final.map(({ key }) => key)).size).toBe(final.length);
        for (let end = scene.pageSize; end < scene.orders.length; end += scene.pageSize) {
          const rows = eventRows({ orders: scene.orders.slice(0, end), items, isLast: false });
          expect(rows).toEqual(final.slice(0, rows.length));
        }
      }),
    );
  });

  it('shows the attention of an order on its newest event only', () => {
    const events = [
      { id: 'event-1', at: 1_000 },
      { id: 'event-2', at: 2_000 },
    ];
    const order: Order = { ...listedOrder('order-1', events), attention: ['disputed'] };
    const rows = eventRows({ orders: [order], items: [], isLast: true });
    expect(rows.map(({ attention }) => attention)).toEqual([['disputed'], []]);
    expect(rows.map(({ before, after }) => [before, after])).toEqual([
      ['paid', 'paid'],
      [null, 'paid'],
    ]);
  });

  it('reads what waits unless the filters are about orders, and orders unless they are about what waits', () => {
    expect(eventSources({}, 'live')).toMatchObject({ orders: { mode: 'live' }, waiting: { mode: 'live' } });
    expect(eventSources({ status: 'paid' }, 'live').waiting).toBeUndefined();
    expect(eventSources({ attention: 'any' }, 'live').waiting).toBeUndefined();
    expect(eventSources({ outcome: 'applied' }, 'live').waiting).toBeUndefined();
    expect(eventSources({ outcome: 'quarantined' }, 'live').orders).toBeUndefined();
    expect(eventSources({ since: 'S' }, 'sandbox')).toMatchObject({
      orders: { mode: 'sandbox', updated_since: 'S' },
      waiting: { mode: 'sandbox', since: 'S' },
    });
  });

  it('takes its filters from the address, without what it does not understand', () => {
    const names = ['status', 'attention', 'outcome', 'since', 'until'] as const;
    const query = { status: 'paid', attention: 'any', outcome: 'applied', since: '2026-11-22T10:00:00Z' };
    const found = { ...query, since: '2026-11-22T10:00:00.000Z' };
    expect(readFilters({ ...query, until: 'yesterday', mode: 'sandbox' }, names)).toEqual(found);
    expect(readFilters({ status: 'toString', attention: '__proto__', outcome: '' }, names)).toEqual({});
    expect(readFilters(query, ['status'])).toEqual({ status: 'paid' });
  });
});
