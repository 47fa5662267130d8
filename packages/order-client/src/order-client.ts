import { EventNotFoundError, OrderNotFoundError, ProblemError, TransactionNotFoundError } from './errors.ts';
import { followChanges } from './follow-changes.ts';
import type { Event, Order, OrderEvents, OrderList, TransactionDetail } from './openapi-types.ts';
import type { ChangesOptions, ListOptions, ModeOptions, OrderClientOptions } from './options.ts';
import { parseBody } from './parse-body.ts';
import { idSegment, parseBaseUrl, type Query, requestUrl } from './request-url.ts';
import { defaultRetryPolicy } from './retry-policy.ts';
import { createSigner } from './signer.ts';
import { createSend } from './transport.ts';

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
  const { region, credentials, fetch = globalThis.fetch } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  const policy = { ...defaultRetryPolicy, ...options.retry };
  const send = createSend({ fetch, policy, sign: createSigner({ baseUrl, region, credentials }) });

  async function read<T>(kind: Kind, path: readonly string[], { query, signal }: Read): Promise<T> {
    const { NotFound, fields } = kinds[kind];
    const body = await send({ url: requestUrl(baseUrl, path, query), NotFound, signal });
    return parseBody<T>(body, { fields, api: 'order query' });
  }

  async function orders({ updatedSince, updatedUntil, sortOrder, signal, ...list }: ListOptions = {}) {
    const { status, attention, limit, cursor, mode } = list;
    const [updated_since, updated_until] = [updatedSince, updatedUntil].map(isoText);
    const query = {
      updated_since,
      updated_until,
      status,
      attention,
      sort_order: sortOrder,
      limit,
      cursor,
      mode,
    };
    return read<OrderList>('page', ['orders'], { query, signal });
  }

  async function* allOrders(list: ListOptions = {}) {
    let cursor: string | null | undefined = list.cursor;
    do {
      const page: OrderList = await orders({ ...list, cursor });
      yield* page.orders;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  return {
    async order(id, { mode, signal } = {}) {
      return read('order', ['orders', idSegment('order', id)], { query: { mode }, signal });
    },
    async orderEvents(id, { mode, signal } = {}) {
      return read('orderEvents', ['orders', idSegment('order', id), 'events'], { query: { mode }, signal });
    },
    async event(id, { mode, signal } = {}) {
      return read('event', ['events', idSegment('event', id)], { query: { mode }, signal });
    },
    async transaction(id, { mode, signal } = {}) {
      const path = ['transactions', idSegment('transaction', id)];
      return read('transaction', path, { query: { mode }, signal });
    },
    orders,
    allOrders,
    changes(changes = {}) {
      return followChanges({ listOrders: orders, policy }, changes);
    },
  };
}

const isoText = (time: Date | string | undefined): string | undefined =>
  time instanceof Date ? time.toISOString() : time;

interface Read {
  readonly query: Query;
  readonly signal: AbortSignal | undefined;
}

/** Enough fields of each response to recognise it; additional ones are fine. */
const kinds = {
  order: { NotFound: OrderNotFoundError, fields: ['order_id', 'status', 'attention', 'transactions'] },
  orderEvents: { NotFound: OrderNotFoundError, fields: ['order_id', 'events'] },
  event: { NotFound: EventNotFoundError, fields: ['id', 'outcome', 'body_base64'] },
  transaction: { NotFound: TransactionNotFoundError, fields: ['transaction_id', 'orders'] },
  page: { NotFound: ProblemError, fields: ['orders', 'next_cursor'] },
} as const;
type Kind = keyof typeof kinds;
