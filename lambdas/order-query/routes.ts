import { eventIdBytesMax } from '../contract/limits.ts';
import { eventKey, eventRecord } from '../contract/schema.ts';
import { foldOrder, type OrderState } from '../domain/fold-order.ts';
import { fitsKey } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';
import { createHttpApi, type HttpApi } from '../http-api/http-api.ts';
import { readMode, refuseUnknown } from '../http-api/parameters.ts';
import { notFound, ProblemError } from '../http-api/problem.ts';
import type { Route, RouteRequest } from '../http-api/route.ts';
import { type EventRow, isOwn, type OrderRef, type OrderRow } from '../ports/rows.ts';
import type { EventReader } from '../ports/stores.ts';
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

/** The read-only API of order systems. */
export const createOrderQuery = (parts: OrderQueryParts): HttpApi =>
  createHttpApi({ routes: orderQueryRoutes, parts });

const listParameters = [
  ...['updated_since', 'updated_until', 'status', 'attention', 'sort_order', 'limit', 'cursor', 'mode'],
];

async function getOrders(parts: OrderQueryParts, { query }: RouteRequest): Promise<unknown> {
  refuseUnknown(query, listParameters);
  return listOrders(parts, readListRequest(query));
}

async function getOrder(parts: OrderQueryParts, request: RouteRequest): Promise<unknown> {
  return withOrder(parts, request, async (row, state) => {
    const summaries = await summariesOf(parts, row, state);
    return orderView({ row, state, summaries });
  });
}

async function getOrderEvents(parts: OrderQueryParts, request: RouteRequest): Promise<unknown> {
  return withOrder(parts, request, (row, state) => readOrderEvents(parts, row, state));
}

async function getEvent(
  { events, orders }: OrderQueryParts,
  { path, query }: RouteRequest,
): Promise<unknown> {
  refuseUnknown(query, ['mode']);
  const mode = readMode(query);
  const id = path['event_id'] ?? '';
  // No event can have a longer id, and DynamoDB would refuse the key.
  const rows = fitsKey(id, eventIdBytesMax) ? await readRows(events, mode, id) : [];
  if (rows === undefined) throw unreadableEvent(mode, id);
  const found = leadingEvent(rows);
  if (found === undefined) throw notFound(`No ${mode} event has the id ${JSON.stringify(id)}.`);
  const order = orderOf(found.row);
  const orderRow = order && (await orders.get(order));
  return eventView(id, found, orderRow?.facts);
}

/** The rows that can be read; `undefined` when that of the event itself cannot. */
async function readRows(
  events: EventReader,
  mode: Mode,
  id: string,
): Promise<readonly EventRow[] | undefined> {
  const bodies = await events.bodiesOf(eventKey(mode, id));
  if (bodies.kind === 'found') return bodies.rows;
  const rows = await events.find(eventKey(mode, id));
  return bodies.kind === 'too_many_bodies' || rows.some(isOwn) ? rows : undefined;
}

const unreadableEvent = (mode: Mode, id: string): ProblemError =>
  new ProblemError({
    status: 500,
    title: 'The row of this event cannot be read',
    detail:
      `The row ${eventRecord.event} of ${JSON.stringify(eventKey(mode, id))} in the table of events is ` +
      'damaged, or a newer version wrote it. Deploy the newest version, or restore the row from a backup ' +
      '(docs/recovery.md). Its order still counts the event.',
  });

async function getTransaction(parts: OrderQueryParts, { path, query }: RouteRequest): Promise<unknown> {
  refuseUnknown(query, ['mode']);
  const mode = readMode(query);
  const id = path['transaction_id'] ?? '';
  const body = await readTransaction(parts, mode, id);
  if (body !== undefined) return body;
  const unknown = `The transaction ${JSON.stringify(id)} is not known in ${mode} mode`;
  throw notFound(
    `${unknown}: no recorded event about money names it and an order, and none without an order id ` +
      'names it. Events that wait for a person do not count.',
  );
}

type ReadBody = (row: OrderRow, state: OrderState) => Promise<unknown>;

async function withOrder(
  parts: OrderQueryParts,
  { path, query }: RouteRequest,
  readBody: ReadBody,
): Promise<unknown> {
  refuseUnknown(query, ['mode']);
  const order: OrderRef = { mode: readMode(query), id: path['order_id'] ?? '' };
  const row = isOrderId(order.id) ? await parts.orders.get(order) : undefined;
  if (row === undefined) throw await unknownOrder(parts, order);
  return readBody(row, foldOrder(row.facts));
}
