import type * as api from '@payhooks/order-client';
import { orderIdBytesMax } from '../contract/limits.ts';
import { fitsKey } from '../domain/payment-event.ts';
import { notFound, ProblemError } from '../http-api/problem.ts';
import type { OrderRef } from '../ports/rows.ts';
import { orderActs } from './order-view.ts';
import { type OrderSurroundings, readSurroundings } from './order-waiting.ts';
import type { OrderQueryParts } from './parts.ts';

/** Whether a row can have this id. */
export const isOrderId = (id: string): boolean => fitsKey(id, orderIdBytesMax);

/** The 404 of an order that has no row: no event counts in it. */
export async function unknownOrder(parts: OrderQueryParts, order: OrderRef): Promise<ProblemError> {
  const isPossible = isOrderId(order.id);
  const found = isPossible ? await readSurroundings(parts, order) : undefined;
  const more: Pick<api.OrderNotFoundProblem, 'waiting' | 'acts'> = {
    waiting: [...(found?.waiting.events ?? [])],
    acts: orderActs(found?.acts ?? []),
  };
  const detail = found === undefined ? tooLong(order) : reasonOf(order, found);
  return new ProblemError({ ...notFound(detail).problem, ...more });
}

function reasonOf({ mode, id }: OrderRef, { waiting, acts }: OrderSurroundings): string {
  const order = JSON.stringify(id);
  const count = waiting.events.length;
  if (count === 1)
    return `One ${mode} event that names the order ${order} waits for a person; none counts yet.`;
  if (count > 1)
    return `${count} ${mode} events that name the order ${order} wait for a person; none counts yet.`;
  const none = `No ${mode} event counts in the order ${order}`;
  if (!waiting.isComplete) return `${none}; more events wait than could be searched.`;
  if (acts.length > 0) return `${none}; see acts for what operators did with the events that named it.`;
  return `No ${mode} event has named the order ${order}.`;
}

/** Such an id is not in the row of the event, which may exist. */
const tooLong = ({ mode }: OrderRef): string =>
  `No ${mode} order can have an id of more than ${orderIdBytesMax} bytes; ` +
  'an event that names it waits for a person, with the reason order_id_invalid.';
