import type { Order } from '@payhooks/order-client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNewestFirst } from '../../../console/page/events/newest-first.ts';
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

const pagesOf = ({ orders, pageSize }: Scene): Order[][] =>
  Array.from({ length: Math.max(1, Math.ceil(orders.length / pageSize)) }, (_, page) =>
    orders.slice(page * pageSize, (page + 1) * pageSize),
  );

/** What the list must show: every event, sorted by nothing but its time. */
const timesOf = ({ orders, waiting }: Scene): string[] =>
  [
    ...orders.flatMap(({ events }) => events.map(({ received_at }) => received_at ?? '')),
    ...waiting.map(({ at }) => iso(at)),
  ]
    .sort()
    .reverse();

describe('the list of events', () => {
  it('shows every event once, newest first, when all pages have come', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const list = createNewestFirst();
        list.setWaiting(scene.waiting.map(({ id, at }) => waitingItem(id, at)));
        const pages = pagesOf(scene);
        for (const [page, orders] of pages.entries()) {
          list.addPage({ orders, isLast: page === pages.length - 1 });
        }
        expect(list.rows().map(({ receivedAt }) => receivedAt)).toEqual(timesOf(scene));
        expect(new Set(list.rows().map(({ key }) => key)).size).toBe(list.rows().length);
      }),
    );
  });

  it('shows after each page a part of the final list from its top, so that no row is ever inserted above', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const list = createNewestFirst();
        list.setWaiting(scene.waiting.map(({ id, at }) => waitingItem(id, at)));
        const pages = pagesOf(scene);
        const shown = pages.map((orders, page) => {
          list.addPage({ orders, isLast: page === pages.length - 1 });
          return list.rows().map(({ key }) => key);
        });
        const final = shown.at(-1) ?? [];
        for (const rows of shown) expect(rows).toEqual(final.slice(0, rows.length));
      }),
    );
  });

  it('is the same whether an order came with a page or changed afterwards', () => {
    fc.assert(
      fc.property(scenes, fc.nat(19), (scene, late) => {
        const whole = createNewestFirst();
        whole.addPage({ orders: scene.orders, isLast: true });
        const without = createNewestFirst();
        without.addPage({ orders: scene.orders.filter((_, order) => order !== late), isLast: true });
        const changed = scene.orders.filter((_, order) => order === late);
        const { length } = without.rows();
        const counted = without.countNew(changed);
        without.addChanged(changed);
        expect(without.rows()).toEqual(whole.rows());
        expect(length + counted).toBe(whole.rows().length);
      }),
    );
  });

  it('replaces the rows of an order that has a further event', () => {
    const list = createNewestFirst();
    const first = { id: 'event-1', at: 1_000 };
    const second = { id: 'event-2', at: 2_000 };
    list.addPage({ orders: [listedOrder('order-1', [first])], isLast: true });
    const changed = listedOrder('order-1', [first, second]);
    expect(list.countNew([changed])).toBe(1);
    list.addChanged([changed]);
    expect(list.rows().map(({ id }) => id)).toEqual(['event-2', 'event-1']);
  });

  it('shows the attention of an order on its newest event only, and no longer when an operator ended it', () => {
    const list = createNewestFirst();
    const events = [
      { id: 'event-1', at: 1_000 },
      { id: 'event-2', at: 2_000 },
    ];
    const order = listedOrder('order-1', events);
    list.addPage({ orders: [{ ...order, attention: ['disputed'] }], isLast: true });
    expect(list.rows().map(({ attention }) => attention)).toEqual([['disputed'], []]);
    expect(list.knows(order)).toBe(false);
    list.addChanged([order]);
    expect(list.rows().map(({ attention }) => attention)).toEqual([[], []]);
  });

  it('takes the status before an event from the event before it', () => {
    const list = createNewestFirst();
    const order = listedOrder('order-1', [
      { id: 'event-1', at: 1_000 },
      { id: 'event-2', at: 2_000 },
    ]);
    const [paid, refunded] = order.events;
    if (paid === undefined || refunded === undefined) throw new Error('The order has two events.');
    const events = [paid, { ...refunded, status_after: 'refunded' as const }];
    list.addPage({ orders: [{ ...order, events }], isLast: true });
    expect(list.rows().map(({ before, after }) => [before, after])).toEqual([
      ['paid', 'refunded'],
      [null, 'paid'],
    ]);
  });

  it('keeps back what waits until older pages can no longer contain a newer event', () => {
    const list = createNewestFirst();
    list.setWaiting([waitingItem('waiting-1', 5_000)]);
    expect(list.rows()).toEqual([]);
    list.addPage({ orders: [listedOrder('order-1', [{ id: 'event-1', at: 6_000 }])], isLast: false });
    expect(list.rows()).toEqual([]);
    list.addPage({ orders: [listedOrder('order-2', [{ id: 'event-2', at: 4_000 }])], isLast: false });
    expect(list.rows().map(({ id }) => id)).toEqual(['event-1', 'waiting-1']);
  });

  it('leaves out names of events that wait, since they are no events', () => {
    const list = createNewestFirst();
    const name = { ...waitingItem('waiting-1', 5_000), kind: 'event_name' as const };
    list.setWaiting([{ ...name, outcome: null, event_id: null, received_at: null, body_sha256: null }]);
    list.addPage({ orders: [], isLast: true });
    expect(list.rows()).toEqual([]);
  });
});
