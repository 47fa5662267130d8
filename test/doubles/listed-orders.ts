import type { Order, OrderEvent, OrderList, WaitingItem } from '@payhooks/order-client';
import { ApiError, type Query } from '../../console/page/data/api.ts';
import type { Read } from '../../console/page/lists/pages.ts';

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

export interface ListServer {
  readonly read: Read;
  readonly requests: { readonly path: string; readonly query: Query }[];
  orders: readonly Order[];
  waiting: readonly WaitingItem[];
  failWith: ApiError | undefined;
}

/** Serves pages of `pageOrders` orders by their latest change, newest first, and what waits. */
export function createListServer(pageOrders: number): ListServer {
  const server: ListServer = { read, requests: [], orders: [], waiting: [], failWith: undefined };
  async function read<T>(path: string, query: Query): Promise<T> {
    server.requests.push({ path, query });
    if (server.failWith !== undefined) throw server.failWith;
    if (path === '/operations/waiting') return { events: server.waiting, next_cursor: null } as T;
    const newest = [...server.orders].sort((one, other) => (one.updated_at < other.updated_at ? 1 : -1));
    const start = Number(query['cursor'] ?? 0);
    const end = start + pageOrders;
    const page: OrderList = {
      orders: newest.slice(start, end),
      next_cursor: end < newest.length ? String(end) : null,
    };
    return page as T;
  }
  return server;
}

export const unavailable = new ApiError(503, 'The tables do not respond.');
