import { eventIdBytesMax, orderIdBytesMax } from '../contract/limits.ts';
import { foldOrder, type OrderState } from '../domain/fold-order.ts';
import { fitsKey } from '../domain/payment-event.ts';
import { readMode, refuseUnknown } from '../http-api/parameters.ts';
import { notFound, type Route, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { EventSummary, OrderRef, OrderRow } from '../ports/stores.ts';
import { eventView, leadingEvent, orderOf } from './event-view.ts';
import { type ListParts, listOrders } from './list-orders.ts';
import { orderEventsView } from './order-events-view.ts';
import { orderView } from './order-view.ts';
import { readListRequest } from './parameters.ts';

/**
 * The routes of the order query. `lib/order-query.ts` declares them, the OpenAPI document in `docs/`
 * describes them.
 */
export const orderQueryRoutes = {
  'GET /orders': getOrders,
  'GET /orders/{order_id}': getOrder,
  'GET /orders/{order_id}/events': getOrderEvents,
  'GET /events/{event_id}': getEvent,
} as const satisfies Readonly<Record<string, Route<ListParts>>>;

async function getOrders(parts: ListParts, { query }: RouteRequest): Promise<RouteResult> {
  refuseUnknown(query, ['updated_since', 'status', 'attention', 'sort_order', 'limit', 'cursor', 'mode']);
  return { ok: true, body: await listOrders(parts, readListRequest(query)) };
}

async function getOrder(parts: ListParts, request: RouteRequest): Promise<RouteResult> {
  return withOrder(parts, request, (row, state, summaries) => orderView({ row, state, summaries }));
}

async function getOrderEvents(parts: ListParts, request: RouteRequest): Promise<RouteResult> {
  return withOrder(parts, request, orderEventsView);
}

async function getEvent({ events, orders }: ListParts, { path, query }: RouteRequest): Promise<RouteResult> {
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

type ToBody = (row: OrderRow, state: OrderState, summaries: ReadonlyMap<string, EventSummary>) => unknown;

async function withOrder(
  { orders, events, meaningOf }: ListParts,
  { path, query }: RouteRequest,
  toBody: ToBody,
): Promise<RouteResult> {
  refuseUnknown(query, ['mode']);
  const order: OrderRef = { mode: readMode(query), id: path['order_id'] ?? '' };
  const row = fitsKey(order.id, orderIdBytesMax) ? await orders.get(order) : undefined;
  if (row === undefined) {
    return notFound(`No ${order.mode} event has named the order ${JSON.stringify(order.id)}.`);
  }
  const state = foldOrder(row.facts, meaningOf);
  const summaries = await events.summaries(
    order.mode,
    state.events.map(({ id }) => id),
  );
  return { ok: true, body: toBody(row, state, summaries) };
}
