import { connect, type OrderClientOptions, type ReadOptions } from './connection.ts';
import { EventNotFoundError, OrderNotFoundError, TransactionNotFoundError } from './errors.ts';
import { type ChangesOptions, followChanges } from './follow-changes.ts';
import type { Event, Order, OrderEvents, OrderList, TransactionDetail } from './openapi-types.ts';

export type ModeOptions = ReadOptions<'/orders/{order_id}'>;
export type ListOptions = ReadOptions<'/orders'>;

/** Every method throws an `OrderClientError`, or the reason of its signal. */
export interface OrderClient {
  /** Throws OrderNotFoundError until an event counts in the order. */
  order(id: string, options?: ModeOptions): Promise<Order>;
  /** Throws OrderNotFoundError until an event counts in the order. */
  orderEvents(id: string, options?: ModeOptions): Promise<OrderEvents>;
  /** Holds customer data. Throws EventNotFoundError when nothing is stored under the id. */
  event(id: string, options?: ModeOptions): Promise<Event>;
  /** The orders in which a transaction was paid. Throws TransactionNotFoundError while none is known. */
  transaction(id: string, options?: ModeOptions): Promise<TransactionDetail>;
  /** One page. */
  orders(options?: ListOptions): Promise<OrderList>;
  /** Every order, page after page. An order that changes in the meantime may appear twice. */
  allOrders(options?: ListOptions): AsyncGenerator<Order, void, undefined>;
  /** Follows changes until the signal aborts; see `ChangesOptions`. */
  changes(options?: ChangesOptions): AsyncGenerator<Order, void, undefined>;
}

export function createOrderClient(options: OrderClientOptions): OrderClient {
  const { routes, call, policy } = connect(options, 'order query');
  const ofOrder = { NotFound: OrderNotFoundError };
  const ofEvent = { NotFound: EventNotFoundError };
  const ofTransaction = { NotFound: TransactionNotFoundError };

  const orders = (list?: ListOptions): Promise<OrderList> =>
    call({ field: 'orders' }, list, (init, query) => routes['/orders'].GET({ params: { query }, ...init }));

  return {
    order: (order_id, options) =>
      call({ field: 'transactions', ...ofOrder }, options, (init, query) =>
        routes['/orders/{order_id}'].GET({ params: { path: { order_id }, query }, ...init }),
      ),
    orderEvents: (order_id, options) =>
      call({ field: 'events', ...ofOrder }, options, (init, query) =>
        routes['/orders/{order_id}/events'].GET({ params: { path: { order_id }, query }, ...init }),
      ),
    event: (event_id, options) =>
      call({ field: 'body_base64', ...ofEvent }, options, (init, query) =>
        routes['/events/{event_id}'].GET({ params: { path: { event_id }, query }, ...init }),
      ),
    transaction: (transaction_id, options) =>
      call({ field: 'transaction_id', ...ofTransaction }, options, (init, query) =>
        routes['/transactions/{transaction_id}'].GET({
          params: { path: { transaction_id }, query },
          ...init,
        }),
      ),
    orders,
    async *allOrders(list = {}) {
      let { cursor } = list;
      do {
        const page: OrderList = await orders({ ...list, cursor });
        yield* page.orders;
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
    },
    changes: (changes = {}) => followChanges({ orders, policy }, changes),
  };
}
