import type { Order, OrderEvents } from '../src/index.ts';

export const order: Order = {
  order_id: 'order-1001',
  mode: 'live',
  status: 'refunded',
  attention: [],
  transactions: [],
  events: [
    {
      ...{ id: 'event-1', event_name: 'transaction.refunded' },
      ...{ transaction_id: 'transaction-1', amount: '10.00', currency: 'USD' },
      ...{ received_at: '2026-11-21T10:00:00.000Z', recorded_at: '2026-11-21T10:00:00.050Z' },
      status_after: 'refunded',
    },
  ],
  sequence: 1,
  updated_at: '2026-11-21T10:05:00.061Z',
};

export const orderEvents: OrderEvents = {
  order_id: 'order-1001',
  mode: 'live',
  reasons: [],
  events: [],
  waiting: [],
  waiting_complete: true,
  acts: [],
};
