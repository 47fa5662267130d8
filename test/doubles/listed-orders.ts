import type { Order, WaitingItem } from '@payhooks/order-client';

/** Milliseconds since 1970, as the API writes them. */
export const iso = (at: number): string => new Date(at).toISOString();

interface ListedEvent {
  readonly id: string;
  readonly at: number;
}

/** An order with events at given times, which changed `lag` milliseconds after its newest event. */
export function listedOrder(id: string, events: readonly ListedEvent[], lag = 0): Order {
  const sorted = events.toSorted((one, other) => one.at - other.at);
  return {
    ...{ order_id: id, mode: 'live', status: 'paid', attention: [], transactions: [] },
    events: sorted.map((event) => ({
      ...{ id: event.id, event_name: 'transaction.paid', status_after: 'paid' },
      ...{ transaction_id: null, meaning: 'paid', amount: null, currency: null },
      ...{ received_at: iso(event.at), recorded_at: iso(event.at) },
    })),
    sequence: events.length,
    updated_at: iso((sorted.at(-1)?.at ?? 0) + lag),
  };
}

export const waitingItem = (id: string, at: number): WaitingItem => ({
  ...{ kind: 'quarantined', outcome: 'quarantined', reason: 'sandbox_flag_missing' },
  ...{ event_id: id, event_name: 'transaction.paid', order_id: null, transaction_id: null },
  ...{ meaning: 'paid', amount: '20.00', currency: 'EUR' },
  ...{ received_at: iso(at), recorded_at: iso(at), body_sha256: `sha-${id}`, key_id: 'key', event: null },
});
