import { expect, it } from 'vitest';
import { eventView, leadingEvent } from '../../../lambdas/order-query/event-view.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { paid } from '../../doubles/facts.ts';

it('the bodies under an event id are the event, then the others by arrival, then by their record', () => {
  const at = (second: number) => ({ receivedAt: `2026-11-21T10:00:0${second}.000Z` });
  const inOrder = [
    eventRow('e', { record: 'event', ...at(3) }),
    eventRow('e', { record: 'conflict:b', ...at(1) }),
    eventRow('e', { record: 'conflict:a', ...at(2) }),
    eventRow('e', { record: 'conflict:c', ...at(2) }),
  ];
  const [row, ...others] = inOrder;
  for (const rows of [inOrder, inOrder.toReversed()]) expect(leadingEvent(rows)).toEqual({ row, others });
});

it('an event is pending until its order has its fact, also when it has that of another body', () => {
  const said = { transactionId: 'txn-1', amount: '10.00', currency: 'EUR' };
  const outcome = (...facts: string[]) => eventView('e', { row: eventRow('e'), others: [] }, facts).outcome;
  const otherBody = paid('e', { ...said, amount: '1' });
  expect([outcome(), outcome(paid('f')), outcome(otherBody)]).toEqual(['pending', 'pending', 'pending']);
  expect(outcome(paid('e', said))).toBe('applied');
});
