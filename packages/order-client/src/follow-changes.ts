import { CredentialsError, ProblemError } from './errors.ts';
import type { Order, OrderList } from './openapi-types.ts';
import type { ChangesOptions, ListOptions } from './options.ts';
import { createRecentOrders } from './recent-orders.ts';
import { isTransient, type RetryPolicy } from './retry-policy.ts';
import { pauseUnlessAborted } from './transport.ts';

export interface OrderPages {
  readonly listOrders: (options: ListOptions) => Promise<OrderList>;
  readonly policy: RetryPolicy;
}

const pageOrders = 100;

/** Yields an order whenever it differs from its last yielded state, until the signal aborts. */
export async function* followChanges(
  pages: OrderPages,
  options: ChangesOptions,
): AsyncGenerator<Order, void, undefined> {
  const { since, mode, signal, pauseMilliseconds = 5_000, onCursor } = options;
  const recent = createRecentOrders(options.rememberedOrdersMax ?? 10_000);
  let { cursor } = options;
  let limit = pageOrders;
  while (!signal?.aborted) {
    const page = await tryPage(pages, options, { cursor, updatedSince: since, mode, limit, signal });
    for (const order of page?.orders ?? []) {
      if (recent.isNew(order)) yield order;
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
  { listOrders, policy }: OrderPages,
  { signal, onFault }: ChangesOptions,
  list: ListOptions,
): Promise<OrderList | undefined> {
  try {
    return await listOrders(list);
  } catch (error) {
    if (signal?.aborted) return undefined;
    const mayPass = isTransient(error, policy) || error instanceof CredentialsError;
    if (!mayPass || onFault === undefined) throw error;
    onFault(error);
    const retryAfter = error instanceof ProblemError ? (error.retryAfterMilliseconds ?? 0) : 0;
    await pauseUnlessAborted(retryAfter, signal);
    return undefined;
  }
}
