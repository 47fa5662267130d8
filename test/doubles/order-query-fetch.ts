import { paid } from './facts.ts';
import { gatewayEvent } from './gateway-event.ts';
import { createMemoryTables } from './memory-store.ts';
import { orderQueryOver, readerOf } from './order-query.ts';

/** A `fetch` that reaches the real order query, over tables in memory and a clock that the test sets. */
export function createOrderQueryFetch() {
  const tables = createMemoryTables();
  /** `respond` replaces the order query while it is set. */
  const state: { now: number; respond?: ((request: Request) => Promise<Response>) | undefined } = {
    now: 1_000_000,
  };
  const query = orderQueryOver({ reader: readerOf(tables), now: () => state.now });
  const requests: URL[] = [];
  return {
    state,
    requests,
    async fetch(request: Request): Promise<Response> {
      const url = new URL(request.url);
      requests.push(url);
      if (state.respond !== undefined) return state.respond(request);
      const queryStringParameters = Object.fromEntries(url.searchParams);
      const event = gatewayEvent({ routeKey: 'GET /orders', queryStringParameters });
      const { body = '', headers, statusCode } = await query(event);
      return new Response(body, {
        status: statusCode ?? 0,
        headers: { 'content-type': String(headers?.['content-type']) },
      });
    },
    /** An event that changes an order; the change has the time stamp `at` and is committed now. */
    async change(id: string, event: string, at: number = state.now) {
      const facts = [paid(event, { transactionId: `txn-${event}` })];
      await tables.open().store.merge({ order: { mode: 'live', id }, facts, now: () => new Date(at) });
    },
  };
}
