import { describe, expect, it } from 'vitest';
import { changeOf } from '../lambdas/contract/change-position.ts';
import { eventView, leadingEvent } from '../lambdas/order-query/event-view.ts';
import { listOrders } from '../lambdas/order-query/list-orders.ts';
import { byArrival } from '../lambdas/order-query/order-view.ts';
import { readListRequest } from '../lambdas/order-query/parameters.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { paid } from './doubles/facts.ts';
import { meaningOf } from './doubles/fold.ts';

const at = (second: number): string => `2026-11-21T10:00:0${second}.000Z`;
const eventRow = (record: string, receivedAt: string, more: Partial<EventRow> = {}): EventRow => ({
  ...{ key: 'live:e', record, mode: 'live', outcome: 'conflict', eventId: 'e', bodySha256: record },
  ...{ keyId: 'k', receivedAt, recordedAt: receivedAt, signature: 'ab', ...more },
});

describe('the bodies under an event id', () => {
  it('are the event, then the others by arrival, and those of one moment by their record', () => {
    const inOrder = [
      eventRow('event', at(3)),
      eventRow('conflict:b', at(1)),
      eventRow('conflict:a', at(2)),
      eventRow('conflict:c', at(2)),
    ];
    for (const [n, first] of inOrder.entries()) {
      for (const second of inOrder.slice(n + 1)) {
        expect(leadingEvent([first, second])).toEqual({ row: first, others: [second] });
        expect(leadingEvent([second, first])).toEqual({ row: first, others: [second] });
      }
    }
  });

  it('are pending while their order has facts of other events only', () => {
    const row = eventRow('event', at(1), { outcome: 'applied', orderId: 'A', fact: paid('e') });
    const outcome = (...facts: string[]) => eventView('e', { row, others: [] }, facts).outcome;
    expect([outcome(), outcome(paid('f')), outcome(paid('e'))]).toEqual(['pending', 'pending', 'applied']);
  });

  it('are pending while their order has another fact under the id, which may be of another body', () => {
    const row = eventRow('event', at(1), { outcome: 'applied', orderId: 'A', fact: paid('e') });
    const others = [eventRow('conflict:a', at(2)), eventRow('variant:b', at(2), { outcome: 'quarantined' })];
    expect(eventView('e', { row, others }, [paid('e', { amount: '1' })]).outcome).toBe('pending');
    const { signature: _, ...unsigned } = row;
    expect(eventView('e', { row: unsigned, others }, [paid('e', { amount: '1' })]).outcome).toBe('applied');
  });
});

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

it('a list goes on after orders that are in its index and have no row', async () => {
  const changes = [changeOf(at(1), 'live:order:a'), changeOf(at(2), 'live:order:b')];
  const page = { changes, more: true };
  const reader = { after: async () => page, before: async () => page };
  const list = await listOrders(
    {
      changes: reader,
      orders: { get: async () => undefined, getAll: async () => new Map() },
      events: { find: async () => [], findBody: async () => [], summaries: async () => new Map() },
      ...{ meaningOf, now: () => Date.parse(at(9)), changesSettleSeconds: 30 },
    },
    readListRequest({ sort_order: 'desc' }),
  );
  expect(list.orders).toEqual([]);
  expect(readListRequest({ cursor: list.next_cursor ?? '' }).cursor?.position).toMatchObject({
    updatedAt: at(2),
  });
});
