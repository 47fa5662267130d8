import type { Order, OrderEvent, WaitingItem } from '@payhooks/order-client';

/** Milliseconds since 1970, as the API writes them. */
export const iso = (at: number): string => new Date(at).toISOString();

export interface ListedEvent {
  readonly id: string;
  readonly at: number;
}

/** An order with events at given times, which changed `lag` milliseconds after its newest event. */
export function listedOrder(id: string, events: readonly ListedEvent[], lag = 0): Order {
  const sorted = [...events].sort((one, other) => one.at - other.at);
  return {
    order_id: id,
    mode: 'live',
    status: 'paid',
    attention: [],
    transactions: [],
    events: sorted.map(listedEvent),
    sequence: events.length,
    updated_at: iso((sorted.at(-1)?.at ?? 0) + lag),
  };
}

function listedEvent({ id, at }: ListedEvent): OrderEvent {
  return {
    id,
    event_name: 'transaction.paid',
    transaction_id: null,
    amount: null,
    currency: null,
    received_at: iso(at),
    recorded_at: iso(at),
    status_after: 'paid',
  };
}

export function waitingItem(id: string, at: number): WaitingItem {
  return {
    kind: 'quarantined',
    outcome: 'quarantined',
    reason: 'sandbox_flag_missing',
    event_id: id,
    event_name: 'transaction.paid',
    order_id: null,
    transaction_id: null,
    received_at: iso(at),
    recorded_at: iso(at),
    body_sha256: `sha-${id}`,
    key_id: 'key',
  };
}
