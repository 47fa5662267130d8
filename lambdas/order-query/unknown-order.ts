import { orderIdBytesMax } from '../contract/limits.ts';
import { fitsKey } from '../domain/payment-event.ts';
import type { Problem } from '../http-api/problem.ts';
import { notFound, type RouteResult } from '../http-api/route.ts';
import type { OrderWaiting } from '../ports/order-waiting.ts';
import type { OrderRef } from '../ports/stores.ts';
import type { OrderQueryParts } from './parts.ts';
import { type WaitingView, waitingView } from './waiting-view.ts';

/** The 404 of an order without a state, and the events that name it and wait. */
export interface OrderNotFound extends Problem {
  readonly waiting: readonly WaitingView[];
}

/** Whether a row can have this id. */
export const isOrderId = (id: string): boolean => fitsKey(id, orderIdBytesMax);

/** The response for an order that has no row: no event counts in it. */
export async function unknownOrder({ waiting }: OrderQueryParts, order: OrderRef): Promise<RouteResult> {
  if (!isOrderId(order.id)) return orderNotFound(tooLong(order));
  const found = await waiting.waitingFor(order);
  return orderNotFound(reasonOf(order, found), found.events.map(waitingView));
}

function orderNotFound(detail: string, waiting: readonly WaitingView[] = []): RouteResult {
  const problem: OrderNotFound = { ...notFound(detail).problem, waiting };
  return { ok: false, problem };
}

function reasonOf({ mode, id }: OrderRef, { events, isComplete }: OrderWaiting): string {
  const order = JSON.stringify(id);
  const count = events.length;
  if (count > 0) {
    const subject = count === 1 ? `One ${mode} event that names` : `${count} ${mode} events that name`;
    return `${subject} the order ${order} ${count === 1 ? 'waits' : 'wait'} for a person; none counts yet.`;
  }
  if (isComplete) return `No ${mode} event has named the order ${order}.`;
  return `No ${mode} event counts in the order ${order}; more events wait than could be searched.`;
}

/** Such an id is not in the row of the event, which may exist. */
const tooLong = ({ mode }: OrderRef): string =>
  `No ${mode} order can have an id of more than ${orderIdBytesMax} bytes; ` +
  'an event that names it waits for a person, with the reason order_id_invalid.';
