import { gatewayEvent } from './gateway-event.ts';
import { memoryStores } from './memory-stores.ts';
import { orderQueryOver } from './order-query.ts';

/** A `fetch` that reaches the real order query, over tables in memory and a clock that the test sets. */
export function createOrderQueryFetch() {
  const stores = memoryStores();
  /** `respond` replaces the order query while it is set. */
  const state: { now: number; respond?: ((request: Request) => Promise<Response>) | undefined } = {
    now: 1_000_000,
  };
  const query = orderQueryOver({ reader: stores.reader, now: () => state.now });
  const requests: URL[] = [];
  const fact = (event: string): string =>
    JSON.stringify(['event.1', event, 'transaction.paid', `txn-${event}`, '1.00', 'USD', null]);
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
      const order = { mode: 'live' as const, id };
      const change = { order, facts: [fact(event)], status: 'paid', now: () => new Date(at) };
      await stores.writer.merge(change);
    },
  };
}
