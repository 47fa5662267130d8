import { describe, expect, it } from 'vitest';
import { eventView, leadingEvent, orderIdOf } from '../../../lambdas/order-query/event-view.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { paid } from '../../doubles/facts.ts';

/** What the row of the event says. */
const said = { transactionId: 'txn-1', amount: '10.00', currency: 'EUR' };
const at = (second: number) => ({ receivedAt: `2026-11-21T10:00:0${second}.000Z` });

describe('the bodies under an event id', () => {
  it('are the event, then the others by arrival, and those of one moment by their record', () => {
    const inOrder = [
      eventRow('e', { record: 'event', ...at(3) }),
      eventRow('e', { record: 'conflict:b', ...at(1) }),
      eventRow('e', { record: 'conflict:a', ...at(2) }),
      eventRow('e', { record: 'conflict:c', ...at(2) }),
    ];
    for (const [n, first] of inOrder.entries()) {
      for (const second of inOrder.slice(n + 1)) {
        expect(leadingEvent([first, second])).toEqual({ row: first, others: [second] });
        expect(leadingEvent([second, first])).toEqual({ row: first, others: [second] });
      }
    }
  });
});

describe('an event', () => {
  const others = [eventRow('e', { record: 'conflict:a', outcome: 'conflict' })];
  it('is pending until its order has its fact, also when it has that of another body', () => {
    const outcome = (...facts: string[]) => eventView('e', { row: eventRow('e'), others }, facts).outcome;
    const otherBody = paid('e', { ...said, amount: '1' });
    expect([outcome(), outcome(paid('f')), outcome(otherBody)]).toEqual(['pending', 'pending', 'pending']);
    expect(outcome(paid('e', said))).toBe('applied');
  });

  it('that no order counts is not pending', () => {
    const row = eventRow('e', { outcome: 'recorded', reading: { orderId: null } });
    expect(eventView('e', { row, others: [] }).outcome).toBe('recorded');
  });

  it('is of the order that its body names, or else of one that it was assigned to', () => {
    const assignedOrderIds = ['o-2', 'o-3'];
    expect(orderIdOf(eventRow('e'))).toBe('order-1');
    const reading = { orderId: null };
    expect(orderIdOf(eventRow('e', { reading, assignedOrderIds }))).toBe('o-2');
    expect(orderIdOf(eventRow('e', { reading }))).toBeUndefined();
  });
});
