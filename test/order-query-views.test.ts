import { describe, expect, it } from 'vitest';
import { changeOf } from '../lambdas/contract/change-position.ts';
import { conflictFact } from '../lambdas/domain/fact.ts';
import { eventView, leadingEvent } from '../lambdas/order-query/event-view.ts';
import { listOrders } from '../lambdas/order-query/list-orders.ts';
import { actView, orderActs } from '../lambdas/order-query/order-acts.ts';
import { readBodies } from '../lambdas/order-query/order-bodies.ts';
import { byArrival } from '../lambdas/order-query/order-view.ts';
import { readListRequest } from '../lambdas/order-query/parameters.ts';
import type { EventRow, OrderRow } from '../lambdas/ports/stores.ts';
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

  it('are applied when the other fact can only be of the event: the others do not conflict with it', () => {
    const row = eventRow('event', at(1), { outcome: 'applied', orderId: 'A', fact: paid('e') });
    const others = [eventRow('variant:b', at(2), { outcome: 'duplicate' })];
    expect(eventView('e', { row, others }, [paid('e', { amount: '1' })]).outcome).toBe('applied');
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

describe('the body of an event that its order counts', () => {
  const bodiesOf = async (facts: readonly string[], ...rows: readonly EventRow[]) => {
    const events = { find: async () => rows, findBody: async () => [], summaries: async () => new Map() };
    const order: OrderRow = { order: { mode: 'live', id: 'A' }, facts, updatedAt: at(1) };
    return (await readBodies({ events, meaningOf }, order)).get('e');
  };
  const row = eventRow('event', at(1), { outcome: 'applied', fact: paid('e', { amount: '1' }) });
  const other = eventRow('conflict:b', at(2), { fact: paid('e', { amount: '2' }) });

  it('is the one whose row has the fact, also when its bytes are gone', async () => {
    const [counted, second] = [paid('e', { amount: '2' }), paid('e', { amount: '1' })];
    expect(await bodiesOf([counted, second], row, other)).toEqual({
      row: other,
      counts: true,
      others: [row],
    });
  });

  it('is the only one under its id, also when another release has read other parts of it', async () => {
    const fact = paid('e', { amount: '3' });
    expect(await bodiesOf([fact], row)).toEqual({ row, counts: true, others: [] });
  });

  it('is none of the stored ones when the order has a conflict and none has the fact', async () => {
    const facts = [paid('e', { amount: '3' }), conflictFact('e', 'cd')];
    expect(await bodiesOf(facts, row)).toEqual({ row, counts: false, others: [] });
  });
});

it('acts of one moment are listed in their order, with the order that they name', () => {
  const act = (reason: string, orderId?: string) =>
    ({ act: 'admit', by: 'arn:one', at: at(1), reason, ...(orderId !== undefined && { orderId }) }) as const;
  const row = { order: { mode: 'live', id: 'A' }, facts: [], updatedAt: at(1) } as const;
  const acts = ['b', 'a', 'c'].map((reason) => act(reason));
  expect(orderActs(row, acts).map(({ reason }) => reason)).toEqual(['b', 'a', 'c']);
  expect(actView(act('a', 'o-1'))).toMatchObject({ order_id: 'o-1' });
  expect(actView(act('a'))).toMatchObject({ order_id: null });
});
