import type * as api from '@payhooks/order-client';
import { eventIdBytesMax, transactionIdBytesMax } from '../contract/limits.ts';
import { eventKey, eventRecord, orderKey } from '../contract/schema.ts';
import { countEvents } from '../domain/counted-events.ts';
import { foldOrder } from '../domain/fold-order.ts';
import { fitsKey } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';
import { namedOrders, sharedTexts } from '../domain/transaction-entry.ts';
import {
  createHttpApi,
  type HttpApi,
  type Route,
  type RouteRequest,
  readSubject,
} from '../http-api/http-api.ts';
import { notFound, ProblemError } from '../http-api/problem.ts';
import { type EventRow, isOwn, type OrderRef } from '../ports/rows.ts';
import type { EventReader, TransactionReader } from '../ports/stores.ts';
import { eventView, inOrder, moneyView, orderOf } from './event-view.ts';
import { listOrders } from './list-orders.ts';
import { readRowsOfOrder } from './order-bodies.ts';
import {
  isOrderId,
  notKept,
  type OrderQueryParts,
  readSurroundings,
  unknownOrder,
} from './order-surroundings.ts';
import { type FoldedOrder, orderEventsView, orderViews } from './order-view.ts';

/**
 * The routes of the order query. `lib/order-query.ts` declares them, the OpenAPI document in `docs/`
 * describes them.
 */
export const orderQueryRoutes = {
  'GET /orders': listOrders,
  'GET /orders/{order_id}': getOrder,
  'GET /orders/{order_id}/events': getOrderEvents,
  'GET /events/{event_id}': getEvent,
  'GET /transactions/{transaction_id}': getTransaction,
} as const satisfies Readonly<Record<string, Route<OrderQueryParts>>>;

/** The read-only API of order systems. */
export const createOrderQuery = (parts: OrderQueryParts): HttpApi =>
  createHttpApi({ routes: orderQueryRoutes, parts });

async function getOrder(parts: OrderQueryParts, request: RouteRequest): Promise<unknown> {
  const [view] = await orderViews(parts, [await findOrder(parts, request)]);
  return view;
}

async function getOrderEvents(parts: OrderQueryParts, request: RouteRequest): Promise<unknown> {
  const order = await findOrder(parts, request);
  const [rows, surroundings] = await Promise.all([
    readRowsOfOrder(parts.events, order.row),
    readSurroundings(parts, order.row.order),
  ]);
  return orderEventsView({ ...order, ...rows, ...surroundings });
}

async function findOrder(parts: OrderQueryParts, request: RouteRequest): Promise<FoldedOrder> {
  const order = readOrderRef(request);
  const row = isOrderId(order.id) ? await parts.orders.get(order) : undefined;
  if (row === undefined) throw await unknownOrder(parts, order);
  return { row, state: foldOrder(row.facts) };
}

/** The mode of heartbeats is for the heartbeat alone, which reads its own order. */
function readOrderRef({ query, ...request }: RouteRequest): OrderRef {
  const isHeartbeat = query['mode'] === 'heartbeat';
  const order = readSubject({ ...request, query: isHeartbeat ? {} : query }, 'order_id');
  return isHeartbeat ? { ...order, mode: 'heartbeat' } : order;
}

async function getEvent({ events, orders }: OrderQueryParts, request: RouteRequest): Promise<unknown> {
  const { mode, id } = readSubject(request, 'event_id');
  // No event can have a longer id, and DynamoDB would refuse the key.
  const [row, ...others] = fitsKey(id, eventIdBytesMax) ? await readBodies(events, mode, id) : [];
  if (row === undefined) throw notFound(`No ${mode} event has the id ${JSON.stringify(id)}.`);
  const order = orderOf(row);
  const orderRow = order && (await orders.get(order));
  return eventView(id, [row, ...others], orderRow?.facts);
}

/** The bodies that can be read. Without the row of the event, another would be shown in its place. */
async function readBodies(events: EventReader, mode: Mode, id: string): Promise<readonly EventRow[]> {
  const key = eventKey(mode, id);
  const rows = inOrder(await events.find(key));
  if (rows.some(isOwn) || (await events.bodiesOf(key)).kind !== 'unreadable') return rows;
  throw new ProblemError({
    status: 500,
    title: 'The row of this event cannot be read',
    detail:
      `The row ${eventRecord.event} of ${JSON.stringify(key)} in the table of events is damaged, or a ` +
      'newer version wrote it. Deploy the newest version, or restore the row from a backup ' +
      '(docs/recovery.md). Its order still counts the event.',
  });
}

async function getTransaction(parts: OrderQueryParts, request: RouteRequest): Promise<unknown> {
  const { transactions } = parts;
  if (transactions === undefined) throw notKept('transactionRows');
  const { mode, id } = readSubject(request, 'transaction_id');
  const body = await readTransaction({ ...parts, transactions }, mode, id);
  if (body !== undefined) return body;
  const unknown = `The transaction ${JSON.stringify(id)} is not known in ${mode} mode`;
  throw notFound(
    `${unknown}: no recorded event about money names it and an order, and none without an order id ` +
      'names it. Events that wait for a person do not count.',
  );
}

/** `undefined` for a transaction of which nothing is known. */
async function readTransaction(
  { transactions, orders }: Pick<OrderQueryParts, 'orders'> & { readonly transactions: TransactionReader },
  mode: Mode,
  id: string,
): Promise<api.TransactionDetail | undefined> {
  if (id === '' || !fitsKey(id, transactionIdBytesMax)) return undefined;
  const { entries } = await transactions.getTransaction(mode, id);
  const orderIds = namedOrders(entries);
  const { events } = countEvents(sharedTexts(entries));
  if (orderIds.length === 0 && events.length === 0) return undefined;
  const rows = await orders.getAll(orderIds.map((orderId) => orderKey(mode, orderId)));
  const orderOf = (order_id: string): api.TransactionOrder => {
    // A consumer joins an order to its transaction before it writes to the order.
    const { facts = [] } = rows.get(orderKey(mode, order_id)) ?? {};
    const { status, attention, transactions: all } = foldOrder(facts);
    const transaction = all.find((folded) => folded.id === id) ?? null;
    return { order_id, status, attention: [...attention], transaction };
  };
  return {
    transaction_id: id,
    mode,
    orders: orderIds.map(orderOf),
    events_without_order_id: events.map((event) => ({
      event_id: event.eventId,
      event_name: event.eventName,
      ...moneyView(event),
    })),
  };
}
