import type { OrderList } from '@payhooks/order-client';
import { expect } from 'vitest';
import type { Mode } from '../../lambdas/domain/signature.ts';
import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import type { OrderQueryParts } from '../../lambdas/order-query/order-surroundings.ts';
import { createOrderQuery } from '../../lambdas/order-query/routes.ts';
import { consumerOver } from './consumer.ts';
import { paid } from './facts.ts';
import { type GatewayRequest, gatewayEvent } from './gateway-event.ts';
import { memoryChanges, memoryWaiting } from './memory-indexes.ts';
import { createMemoryTables } from './memory-store.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

type QueryReader = Omit<OrderQueryParts, 'now' | 'telemetry'>;
type Texts = Record<string, string>;

/** What the order query reads, over tables in memory. */
export function readerOf(tables: ReturnType<typeof createMemoryTables>) {
  const { events, orders, transactions, acts } = tables.open();
  return {
    events,
    orders,
    transactions,
    acts,
    changes: memoryChanges(tables),
    waiting: memoryWaiting(tables),
  };
}

interface OrderQueryOver extends Partial<Pick<OrderQueryParts, 'now' | 'telemetry'>> {
  readonly reader: QueryReader;
}

/** The order query over one reader of both tables. */
export function orderQueryOver({
  reader,
  now = Date.now,
  telemetry = recordTelemetry(),
}: OrderQueryOver): HttpApi {
  return createOrderQuery({ ...reader, now, telemetry });
}

/** Sends a request to an API and reads its response. */
export async function request(api: HttpApi, parameters: GatewayRequest) {
  const { statusCode, headers, body = '' } = await api(gatewayEvent(parameters));
  return { status: statusCode, type: headers?.['content-type'], body: JSON.parse(body) };
}

/** The order query over tables in memory, or with other readers, and a clock that the test sets. */
export function setUpQuery(readers: (reader: QueryReader) => Partial<QueryReader> = () => ({})) {
  const tables = createMemoryTables();
  const { store } = tables.open();
  const reader = readerOf(tables);
  const telemetry = recordTelemetry();
  const state = { now: 1_000_000 };
  const query = orderQueryOver({
    reader: { ...reader, ...readers(reader) },
    now: () => state.now,
    telemetry,
  });
  const get = (route: string, pathParameters: Texts = {}, queryStringParameters: Texts = {}) =>
    request(query, { routeKey: `GET ${route}`, pathParameters, queryStringParameters });
  const list = async (parameters: Texts = {}): Promise<OrderList> => {
    const { status, body } = await get('/orders', {}, parameters);
    expect(status).toBe(200);
    return body;
  };
  return {
    ...tables,
    ...{ tables, reader, telemetry, state, query, get, list },
    /** The consumer receives these bodies in one batch, a second after the verifier by default. */
    async deliver(sent: readonly (SentBody | Uint8Array)[], at = '2026-11-21T10:00:01.000Z') {
      const consume = consumerOver(store, { now: () => new Date(at) });
      const bodies = sent.map((one) => ('body' in one ? one : { body: one }));
      expect(await consume(sqsEvent(...bodies))).toEqual({ batchItemFailures: [] });
    },
    /** Adds facts to an order; the change has this time stamp and becomes visible now. */
    commit: (id: string, at: number, facts: readonly string[] = [paid(id)], mode: Mode = 'live') =>
      store.merge({ order: { mode, id }, facts, now: () => new Date(at) }),
    /** The ids of all pages. */
    async walk(parameters: Texts = {}) {
      const ids: string[] = [];
      for (let page = await list(parameters); ; ) {
        ids.push(...idsOf(page));
        if (page.next_cursor === null) return ids;
        page = await list({ ...parameters, cursor: page.next_cursor });
      }
    },
  };
}

export const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
export const idsOf = (page: OrderList): string[] => page.orders.map((order) => order.order_id);
export const cursorOf = ({ next_cursor }: OrderList): string => next_cursor ?? '';
