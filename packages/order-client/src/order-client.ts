import { connect, given, type OrderClientOptions, type ReadOptions } from './connection.ts';
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

  function orders({ signal, ...query }: ListOptions = {}): Promise<OrderList> {
    const params = { query: given(query) };
    return call((init) => routes['/orders'].GET({ params, ...init }), { field: 'orders', signal });
  }

  return {
    order(id, { signal, ...query } = {}) {
      const params = { path: { order_id: id }, query: given(query) };
      const get = '/orders/{order_id}';
      return call((init) => routes[get].GET({ params, ...init }), {
        field: 'transactions',
        signal,
        ...ofOrder,
      });
    },
    orderEvents(id, { signal, ...query } = {}) {
      const params = { path: { order_id: id }, query: given(query) };
      const get = '/orders/{order_id}/events';
      return call((init) => routes[get].GET({ params, ...init }), { field: 'events', signal, ...ofOrder });
    },
    event(id, { signal, ...query } = {}) {
      const params = { path: { event_id: id }, query: given(query) };
      const expected = { field: 'body_base64', signal, NotFound: EventNotFoundError } as const;
      return call((init) => routes['/events/{event_id}'].GET({ params, ...init }), expected);
    },
    transaction(id, { signal, ...query } = {}) {
      const params = { path: { transaction_id: id }, query: given(query) };
      const expected = { field: 'transaction_id', signal, NotFound: TransactionNotFoundError } as const;
      return call((init) => routes['/transactions/{transaction_id}'].GET({ params, ...init }), expected);
    },
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
