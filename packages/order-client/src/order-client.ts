import { addressOf, idSegment, parseBaseUrl, type Query } from './address.ts';
import { createAsk, type Fetch } from './ask.ts';
import { EventNotFoundError, ForeignAnswerError, OrderNotFoundError, ProblemError } from './errors.ts';
import { type ChangesOptions, followChanges } from './follow-changes.ts';
import type { Event, Mode, Order, OrderEvents, OrderList, OrderStatus } from './openapi-types.ts';
import { parseObject } from './problem-answer.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry-policy.ts';
import { type Credentials, createSigner } from './signer.ts';

export interface OrderClientOptions {
  /** The stack's output `OrderQueryUrl`, or the address of local mode. */
  readonly baseUrl: string;
  /** Read from the address that API Gateway gave, or else from `AWS_REGION`. */
  readonly region?: string | undefined;
  readonly credentials?: Credentials | undefined;
  /** What differs from `defaultRetryPolicy`. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly fetch?: Fetch | undefined;
  /** In [0, 1): spreads the pauses. */
  readonly random?: (() => number) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ModeOptions extends CallOptions {
  readonly mode?: Mode | undefined;
}

export interface ListOptions extends ModeOptions {
  /** Orders that changed then or later. */
  readonly updatedSince?: Date | string | undefined;
  readonly status?: OrderStatus | undefined;
  /** Orders in one page. */
  readonly limit?: number | undefined;
  /** A `next_cursor`; it holds the mode and the status. */
  readonly cursor?: string | undefined;
}

/** What an order system asks. Every method throws an `OrderClientError`, or the reason of its signal. */
export interface OrderClient {
  /** Throws OrderNotFoundError while no event has named the order. */
  order(id: string, options?: ModeOptions): Promise<Order>;
  /** Throws OrderNotFoundError while no event has named the order. */
  orderEvents(id: string, options?: ModeOptions): Promise<OrderEvents>;
  /** Holds customer data. Throws EventNotFoundError when nothing is stored under the id. */
  event(id: string, options?: ModeOptions): Promise<Event>;
  /** One page. */
  orders(options?: ListOptions): Promise<OrderList>;
  /** Every order that there is by now, page after page. One that changes meanwhile may be told again. */
  allOrders(options?: ListOptions): AsyncGenerator<Order, void, undefined>;
  /** Follows changes until the signal aborts; see `ChangesOptions`. */
  changes(options?: ChangesOptions): AsyncGenerator<Order, void, undefined>;
}

export function createOrderClient(options: OrderClientOptions): OrderClient {
  const { region, credentials, fetch = globalThis.fetch, random = Math.random } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  const policy = { ...defaultRetryPolicy, ...options.retry };
  const ask = createAsk({ fetch, random, policy, sign: createSigner({ baseUrl, region, credentials }) });

  async function get<T>(kind: Kind, path: readonly string[], query: Query, signal?: AbortSignal): Promise<T> {
    const { NotFound, fields } = kinds[kind];
    return parseAnswer<T>(await ask({ url: addressOf(baseUrl, path, query), NotFound, signal }), fields);
  }

  async function orders({ updatedSince, status, limit, cursor, mode, signal }: ListOptions = {}) {
    const since = updatedSince instanceof Date ? updatedSince.toISOString() : updatedSince;
    return get<OrderList>('page', ['orders'], { updated_since: since, status, limit, cursor, mode }, signal);
  }

  return {
    order: async (id, { mode, signal } = {}) =>
      get<Order>('order', ['orders', idSegment('order', id)], { mode }, signal),
    orderEvents: async (id, { mode, signal } = {}) =>
      get<OrderEvents>('orderEvents', ['orders', idSegment('order', id), 'events'], { mode }, signal),
    event: async (id, { mode, signal } = {}) =>
      get<Event>('event', ['events', idSegment('event', id)], { mode }, signal),
    orders,
    async *allOrders(list = {}) {
      let cursor: string | null | undefined = list.cursor;
      do {
        const page: OrderList = await orders({ ...list, cursor });
        yield* page.orders;
        cursor = page.next_cursor;
      } while (cursor !== null);
    },
    changes: (changes = {}) => followChanges({ orders, policy }, changes),
  };
}

/**
 * Enough of the fields of each answer to tell it from a stranger's; a new field does not make it foreign.
 */
const kinds = {
  order: { NotFound: OrderNotFoundError, fields: ['order_id', 'status', 'attention', 'transactions'] },
  orderEvents: { NotFound: OrderNotFoundError, fields: ['order_id', 'events'] },
  event: { NotFound: EventNotFoundError, fields: ['id', 'outcome', 'body_base64'] },
  page: { NotFound: ProblemError, fields: ['orders', 'next_cursor'] },
} as const;
type Kind = keyof typeof kinds;

function parseAnswer<T>(body: string, fields: readonly string[]): T {
  const answer = parseObject(body);
  const missing = fields.filter((field) => !(field in answer));
  if (missing.length === 0) return answer as T;
  throw new ForeignAnswerError(
    `The answer has no ${missing.join(', ')}; is the baseUrl that of the order query?`,
  );
}
