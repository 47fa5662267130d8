import { expect, it } from 'vitest';
import { orderActs } from '../../../lambdas/order-query/order-events.ts';

const act = { act: 'admit', by: 'ana', at: '2026-11-22T10:00:00.000Z', reason: 'checked' } as const;

it('an act is listed with what it is about, and as null what it is not about', () => {
  const nothing = { event_id: null, order_id: null, body_sha256: null, attention: null };
  expect(orderActs([act, { ...act, eventId: 'e', orderId: 'o-1', bodySha256: 'ab' }])).toEqual([
    { ...act, ...nothing },
    { ...act, ...nothing, event_id: 'e', order_id: 'o-1', body_sha256: 'ab' },
  ]);
});

it('a resolution is listed once for each attention, in the place of its act', () => {
  const resolution = { ...act, act: 'resolve', attention: ['disputed', 'currency_mixed'] } as const;
  expect(orderActs([act, resolution, act]).map(({ attention }) => attention)).toEqual([
    null,
    'disputed',
    'currency_mixed',
    null,
  ]);
});
