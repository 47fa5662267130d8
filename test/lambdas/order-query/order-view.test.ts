import { expect, it } from 'vitest';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { byArrival, orderView } from '../../../lambdas/order-query/order-view.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { fact, paid } from '../../doubles/facts.ts';

const at = (second: number): string => `2026-11-21T10:00:0${second}.000Z`;

it('the events of an order are listed by arrival, then by the time of their row, then by id', () => {
  const event = (id: string, received_at: string | null, recorded_at = received_at) => ({
    ...{ id, received_at, recorded_at },
  });
  const inOrder = [
    event('z', null),
    event('c', at(1), at(2)),
    event('b', at(1), at(3)),
    event('d', at(1), at(3)),
    event('a', at(4)),
  ];
  for (const [n, first] of inOrder.entries()) {
    for (const second of inOrder.slice(n + 1))
      expect([byArrival(first, second), byArrival(second, first)]).toEqual([-1, 1]);
  }
});

it('an order shows the sequence of its row, and not the number of its facts', () => {
  const facts = [paid('a'), fact('b', 'refunded')];
  const row = {
    order: { mode: 'live', id: 'o-1' },
    facts,
    sequence: 1_000_000_007,
    updatedAt: at(1),
  } as const;
  const summaries = new Map([['a', eventRow('a')]]);
  expect(orderView({ row, state: foldOrder(facts), summaries })).toMatchObject({
    sequence: 1_000_000_007,
    status: 'refunded',
    events: [
      { id: 'b', received_at: null, recorded_at: null, status_after: 'refunded' },
      { id: 'a', received_at: at(0), status_after: 'refunded' },
    ],
  });
});
