import type * as api from '@payhooks/order-client';
import { orderIdBytesMax } from '../contract/limits.ts';
import { orderKey } from '../contract/schema.ts';
import { fitsKey } from '../domain/payment-event.ts';
import { notFound, ProblemError } from '../http-api/problem.ts';
import type { Act } from '../ports/acts.ts';
import type { OrderRef } from '../ports/rows.ts';
import { orderActs } from './order-events.ts';
import { type OrderWaiting, waitingFor } from './order-waiting.ts';
import type { OrderQueryParts } from './parts.ts';

/** Whether a row can have this id. */
export const isOrderId = (id: string): boolean => fitsKey(id, orderIdBytesMax);

/** The response for an order that has no row: no event counts in it. */
export async function unknownOrder(
  { waiting, acts }: OrderQueryParts,
  order: OrderRef,
): Promise<ProblemError> {
  if (!isOrderId(order.id)) return orderNotFound(tooLong(order), { waiting: [], acts: [] });
  const [found, history] = await Promise.all([
    waitingFor(waiting, order),
    acts.actsOf(orderKey(order.mode, order.id)),
  ]);
  const detail = reasonOf(order, found, history);
  return orderNotFound(detail, { waiting: [...found.events], acts: orderActs(history) });
}

/** With the events that name the order and wait, and what operators did. */
const orderNotFound = (
  detail: string,
  more: Pick<api.OrderNotFoundProblem, 'waiting' | 'acts'>,
): ProblemError => new ProblemError({ ...notFound(detail).problem, ...more });

function reasonOf(
  { mode, id }: OrderRef,
  { events, isComplete }: OrderWaiting,
  acts: readonly Act[],
): string {
  const order = JSON.stringify(id);
  const count = events.length;
  if (count > 0) {
    const subject = count === 1 ? `One ${mode} event that names` : `${count} ${mode} events that name`;
    return `${subject} the order ${order} ${count === 1 ? 'waits' : 'wait'} for a person; none counts yet.`;
  }
  const none = `No ${mode} event counts in the order ${order}`;
  if (!isComplete) return `${none}; more events wait than could be searched.`;
  if (acts.length > 0) return `${none}; see acts for what operators did with the events that named it.`;
  return `No ${mode} event has named the order ${order}.`;
}

/** Such an id is not in the row of the event, which may exist. */
const tooLong = ({ mode }: OrderRef): string =>
  `No ${mode} order can have an id of more than ${orderIdBytesMax} bytes; ` +
  'an event that names it waits for a person, with the reason order_id_invalid.';
