import { expect, it } from 'vitest';
import { byArrival } from '../../../lambdas/order-query/order-view.ts';

it('the events of an order are listed by arrival, then by the time of their row, then by id', () => {
  const event = (id: string, received_at: string | null, recorded_at = received_at) => ({
    ...{ id, received_at, recorded_at },
  });
  const at = (second: number): string => `2026-11-21T10:00:0${second}.000Z`;
  const inOrder = [
    event('z', null),
    event('c', at(1), at(2)),
    event('b', at(1), at(3)),
    event('d', at(1), at(3)),
    event('a', at(4)),
  ];
  expect(inOrder.toReversed().toSorted(byArrival)).toEqual(inOrder);
});
