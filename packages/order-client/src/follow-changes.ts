import type { ReadOptions } from './connection.ts';
import { CredentialsError } from './errors.ts';
import type { Mode, Order, OrderList } from './openapi-types.ts';
import { isTransient, pauseUnlessAborted, type RetryPolicy, retryAfterOf } from './retry-policy.ts';

/** Start at `cursor`; without one at `since`; without either at the beginning. */
export interface ChangesOptions {
  /** The last cursor that `onCursor` received; continues where that reader stopped. */
  readonly cursor?: string | undefined;
  /** ISO 8601 with a time zone. */
  readonly since?: string | undefined;
  readonly mode?: Mode | undefined;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Between requests once there is nothing new; 5,000 by default. */
  readonly pauseMilliseconds?: number | undefined;
  /**
   * Receives the cursor to store once you took every order before it. The client awaits it; a reader that
   * restarts from it misses nothing.
   */
  readonly onCursor?: ((cursor: string) => void | Promise<void>) | undefined;
  /**
   * Receives an error that outlasted the retries but may pass; the iteration continues after its pause.
   * Without it the iteration throws such an error, as it does all others.
   */
  readonly onFault?: ((error: unknown) => void) | undefined;
  /** For how many orders the last yielded state is remembered, so as not to repeat it; 10,000 by default. */
  readonly rememberedOrdersMax?: number | undefined;
}

interface OrderPages {
  readonly orders: (list: ReadOptions<'/orders'>) => Promise<OrderList>;
  readonly policy: RetryPolicy;
}

const pageOrders = 100;

/** Yields an order whenever it differs from its last yielded state, until the signal aborts. */
export async function* followChanges(
  pages: OrderPages,
  options: ChangesOptions,
): AsyncGenerator<Order, void, undefined> {
  const { since, mode, signal, pauseMilliseconds = 5_000, onCursor } = options;
  const isNew = createMemory(options.rememberedOrdersMax ?? 10_000);
  let { cursor } = options;
  let limit = pageOrders;
  while (!signal?.aborted) {
    const page = await tryPage(pages, options, { cursor, updated_since: since, mode, limit, signal });
    for (const order of page?.orders ?? []) {
      if (isNew(order)) yield order;
      if (signal?.aborted) return;
    }
    if (page === undefined || page.next_cursor === null) {
      // One order fewer than there are: the next page then has a cursor, and each idle request from there
      // returns one order instead of a whole page.
      if (page !== undefined) limit = Math.max(1, page.orders.length - 1);
      await pauseUnlessAborted(pauseMilliseconds, signal);
    } else {
      cursor = page.next_cursor;
      limit = pageOrders;
      await onCursor?.(cursor);
    }
  }
}

/** `undefined` after an abort, and after an error that `onFault` took. */
async function tryPage(
  { orders, policy }: OrderPages,
  { signal, onFault }: ChangesOptions,
  list: ReadOptions<'/orders'>,
): Promise<OrderList | undefined> {
  try {
    return await orders(list);
  } catch (error) {
    if (signal?.aborted) return undefined;
    const mayPass = isTransient(error, policy) || error instanceof CredentialsError;
    if (!mayPass || onFault === undefined) throw error;
    onFault(error);
    await pauseUnlessAborted(retryAfterOf(error), signal);
    return undefined;
  }
}

/** Whether the order has another sequence than last time. It forgets all but the most recent orders. */
function createMemory(ordersMax: number): (order: Order) => boolean {
  // A Map keeps the order of insertion, so its first key is the least recent.
  const sequences = new Map<string, number>();
  return function isNew({ order_id, sequence }) {
    const known = sequences.get(order_id);
    sequences.delete(order_id);
    sequences.set(order_id, sequence);
    const [oldest] = sequences.keys();
    if (sequences.size > ordersMax && oldest !== undefined) sequences.delete(oldest);
    return known !== sequence;
  };
}
