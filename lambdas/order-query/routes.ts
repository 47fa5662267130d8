import { eventIdBytesMax } from '../contract/limits.ts';
import { foldOrder, type OrderState } from '../domain/fold-order.ts';
import { fitsKey } from '../domain/payment-event.ts';
import { readMode, refuseUnknown } from '../http-api/parameters.ts';
import { notFound, type Route, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { OrderRef, OrderRow } from '../ports/stores.ts';
import { eventView, leadingEvent, orderOf } from './event-view.ts';
import { listOrders } from './list-orders.ts';
import { readOrderEvents, summariesOf } from './order-events.ts';
import { orderView } from './order-view.ts';
import { readListRequest } from './parameters.ts';
import type { OrderQueryParts } from './parts.ts';
import { readTransaction } from './transaction-detail.ts';
import { isOrderId, unknownOrder } from './unknown-order.ts';

/**
 * The routes of the order query. `lib/order-query.ts` declares them, the OpenAPI document in `docs/`
 * describes them.
 */
export const orderQueryRoutes = {
  'GET /orders': getOrders,
  'GET /orders/{order_id}': getOrder,
  'GET /orders/{order_id}/events': getOrderEvents,
  'GET /events/{event_id}': getEvent,
  'GET /transactions/{transaction_id}': getTransaction,
} as const satisfies Readonly<Record<string, Route<OrderQueryParts>>>;

const listParameters = [
  ...['updated_since', 'updated_until', 'status', 'attention', 'sort_order', 'limit', 'cursor', 'mode'],
];

async function getOrders(parts: OrderQueryParts, { query }: RouteRequest): Promise<RouteResult> {
  refuseUnknown(query, listParameters);
  return { ok: true, body: await listOrders(parts, readListRequest(query)) };
}

async function getOrder(parts: OrderQueryParts, request: RouteRequest): Promise<RouteResult> {
  return withOrder(parts, request, async (row, state) => {
    const summaries = await summariesOf(parts, row, state);
    return orderView({ row, state, summaries, meaningOf: parts.meaningOf });
  });
}

async function getOrderEvents(parts: OrderQueryParts, request: RouteRequest): Promise<RouteResult> {
  return withOrder(parts, request, (row, state) => readOrderEvents(parts, row, state));
}

async function getEvent(
  { events, orders }: OrderQueryParts,
  { path, query }: RouteRequest,
): Promise<RouteResult> {
  refuseUnknown(query, ['mode']);
  const mode = readMode(query);
  const id = path['event_id'] ?? '';
  // No event can have a longer id, and DynamoDB would refuse the key.
  const found = leadingEvent(fitsKey(id, eventIdBytesMax) ? await events.find(mode, id) : []);
  if (found === undefined) return notFound(`No ${mode} event has the id ${JSON.stringify(id)}.`);
  const order = orderOf(found.row);
  const orderRow = order && (await orders.get(order));
  return { ok: true, body: eventView(id, found, orderRow?.facts) };
}

async function getTransaction(parts: OrderQueryParts, { path, query }: RouteRequest): Promise<RouteResult> {
  refuseUnknown(query, ['mode']);
  const mode = readMode(query);
  const id = path['transaction_id'] ?? '';
  const body = await readTransaction(parts, mode, id);
  if (body !== undefined) return { ok: true, body };
  const unknown = `The transaction ${JSON.stringify(id)} is not known in ${mode} mode`;
  return notFound(
    `${unknown}: no recorded payment of it names an order, and no recorded event without an order id ` +
      'names it. Events that wait for a person do not count.',
  );
}

type ReadBody = (row: OrderRow, state: OrderState) => Promise<unknown>;

async function withOrder(
  parts: OrderQueryParts,
  { path, query }: RouteRequest,
  readBody: ReadBody,
): Promise<RouteResult> {
  refuseUnknown(query, ['mode']);
  const order: OrderRef = { mode: readMode(query), id: path['order_id'] ?? '' };
  const row = isOrderId(order.id) ? await parts.orders.get(order) : undefined;
  if (row === undefined) return unknownOrder(parts, order);
  return { ok: true, body: await readBody(row, foldOrder(row.facts, parts.meaningOf)) };
}
