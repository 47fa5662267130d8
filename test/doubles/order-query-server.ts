import { gatewayEvent } from './gateway-event.ts';
import { type ScriptedAnswer, startHttpServer } from './http-server.ts';
import { memoryStores } from './memory-stores.ts';
import { orderQueryOver } from './order-query.ts';

/**
 * The order query on loopback, over tables in memory and a clock that the test moves. `fault` answers in its
 * place while it is set.
 */
export async function startOrderQuery() {
  const stores = memoryStores();
  const state: { now: number; fault?: ScriptedAnswer | undefined } = { now: 1_000_000 };
  const query = orderQueryOver({ reader: stores.reader, now: () => state.now });
  const server = await startHttpServer(async ({ url }): Promise<ScriptedAnswer> => {
    if (state.fault !== undefined) return state.fault;
    const { searchParams } = new URL(url, 'http://localhost');
    const queryStringParameters = Object.fromEntries(searchParams);
    const answer = await query(gatewayEvent({ routeKey: 'GET /orders', queryStringParameters }));
    const headers = { 'content-type': String(answer.headers?.['content-type']) };
    return { status: answer.statusCode ?? 0, headers, body: answer.body ?? '' };
  });
  const fact = (event: string): string =>
    JSON.stringify(['event.1', event, 'transaction.paid', `txn-${event}`, '1.00', 'USD', null]);
  return {
    ...server,
    state,
    /** An event that changes an order; the change bears the time `at` and is committed now. */
    async change(id: string, event: string, at: number = state.now) {
      const order = { mode: 'live' as const, id };
      const change = { order, facts: [fact(event)], status: 'paid', at: new Date(at).toISOString() };
      await stores.writer.merge(change);
    },
  };
}
