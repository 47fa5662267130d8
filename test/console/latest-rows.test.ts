import type { Order, WaitingItem } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import { latestNote, latestRows, waitingSince } from '../../console/page/overview/latest-rows.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString();

/** An order whose only event was received at a second, and recorded at the next one. */
const order = (second: number): Order =>
  ({
    ...{
      order_id: `order-${second}`,
      mode: 'live',
      status: 'paid',
      attention: [],
      updated_at: at(second + 1),
    },
    events: [
      {
        ...{ id: `event-${second}`, event_name: 'transaction.paid', transaction_id: null, amount: '1.00' },
        ...{ currency: 'USD', received_at: at(second), recorded_at: at(second + 1), status_after: 'paid' },
      },
    ],
  }) as unknown as Order;

const waits = (second: number): WaitingItem =>
  ({
    ...{ kind: 'conflict', mode: 'live', outcome: 'conflict', event_id: `conflict-${second}` },
    ...{ event_name: 'transaction.paid', order_id: null, transaction_id: null, body_sha256: 'a' },
    ...{ received_at: at(second), recorded_at: at(second) },
  }) as unknown as WaitingItem;

const idsOf = (...parameters: Parameters<typeof latestRows>) => latestRows(...parameters).map(({ id }) => id);

describe('the latest events of the overview', () => {
  it('are the newest eight, with what waits among them', () => {
    const orders = Array.from({ length: 20 }, (_, index) => order(59 - 2 * index));
    expect(idsOf({ orders, isLast: false }, [waits(58), waits(1)])).toEqual([
      ...['event-59', 'conflict-58', 'event-57', 'event-55', 'event-53', 'event-51', 'event-49', 'event-47'],
    ]);
  });

  it('are all events while there are few, also those that only wait', () => {
    expect(idsOf({ orders: [order(9)], isLast: true }, [waits(3)])).toEqual(['event-9', 'conflict-3']);
    expect(idsOf({ orders: [], isLast: true }, [waits(3)])).toEqual(['conflict-3']);
  });

  it('need only what has waited since the oldest of them', () => {
    const orders = Array.from({ length: 20 }, (_, index) => order(59 - 2 * index));
    expect(waitingSince({ orders, isLast: false })).toBe(at(45));
    expect(waitingSince({ orders: orders.slice(0, 3), isLast: true })).toBeUndefined();
  });
});

it('the note of the latest events says when more wait than were read', () => {
  expect(latestNote('live', undefined)).toBe('live');
  expect(latestNote('sandbox', { events: [], next_cursor: null })).toBe('sandbox');
  expect(latestNote('live', { events: [], next_cursor: 'more' })).toBe(
    'live; more events wait than are read here',
  );
});
