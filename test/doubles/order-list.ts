import type { OrderList } from '@payhooks/order-client';
import { expect } from 'vitest';
import { paid } from './facts.ts';
import { createMemoryTables } from './memory-store.ts';
import { orderQueryOver, readerOf, request } from './order-query.ts';

export const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
export const idsOf = (page: OrderList): string[] => page.orders.map((order) => order.order_id);
export const cursorOf = ({ next_cursor }: OrderList): string => next_cursor ?? '';
export const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** The order query over tables in memory, with a clock that the test sets. */
export function setUp() {
  const tables = createMemoryTables();
  const { store } = tables.open();
  const reader = readerOf(tables);
  const state = { now: 1_000_000 };
  const query = orderQueryOver({ reader, now: () => state.now });
  const get = (queryStringParameters: Record<string, string>) =>
    request(query, { routeKey: 'GET /orders', queryStringParameters });
  const list = async (parameters: Record<string, string> = {}) => {
    const { status, body } = await get(parameters);
    expect(status).toBe(200);
    return body as OrderList;
  };
  /** An order whose change has this time stamp and becomes visible now. */
  const commit = (id: string, at: number, facts = [paid(id)], mode: 'live' | 'sandbox' = 'live') =>
    store.merge({ order: { mode, id }, facts, now: () => new Date(at) });
  /** The ids of all pages. */
  const walk = async (parameters: Record<string, string> = {}) => {
    let page = await list(parameters);
    const ids = idsOf(page);
    while (page.next_cursor !== null) {
      page = await list({ ...parameters, cursor: page.next_cursor });
      ids.push(...idsOf(page));
    }
    return ids;
  };
  return { ...tables, state, get, list, commit, walk };
}
