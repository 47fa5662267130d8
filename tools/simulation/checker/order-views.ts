import type { Order, OrderList } from '@payhooks/order-client';
import type { History, HttpCall } from '../history.ts';
import { orderKey } from './evidence.ts';
import type { OrderState } from './order-state.ts';
import type { Mode } from './signed-body.ts';

/** The body of a response with status 200. */
export const responseOf = <T>({ outcome }: HttpCall): T | undefined =>
  outcome.kind === 'status' && outcome.status === 200 ? (outcome.body as T) : undefined;

/** The mode that a call of the order query names. */
export const modeOf = ({ query }: HttpCall): Mode => (query['mode'] === 'sandbox' ? 'sandbox' : 'live');

/** The final `GET /orders/{id}` by mode and id; `undefined` for an order that is not there. */
export function finalOrders({ finalReads }: History): ReadonlyMap<string, Order | undefined> {
  return new Map(
    finalReads.orders.map((call) => {
      const id = decodeURIComponent(call.path.replace(/^\/orders\//, ''));
      return [orderKey(modeOf(call), id), responseOf<Order>(call)];
    }),
  );
}

/** What the follower of the list knows at the end: the last view of every order. */
export function followed({ follower: { mode, pages } }: History) {
  const read = pages.flatMap((page) => responseOf<OrderList>(page) ?? []);
  const orders = read.flatMap((page) => page.orders);
  return {
    mode,
    known: new Map(orders.map((order) => [orderKey(mode, order.order_id), order])),
    isAtEnd: read.at(-1)?.next_cursor === null,
  };
}

/** Everything about money, as text: equal texts are equal states. */
export const moneyText = ({
  status,
  attention,
  transactions,
}: Pick<OrderState, 'status' | 'attention' | 'transactions'> | Order): string => {
  const moved = transactions.map((one) => [
    ...[one.id, one.status, one.amount, one.returned, one.currency, one.created_at],
  ]);
  return JSON.stringify([status, attention.toSorted(), moved]);
};
