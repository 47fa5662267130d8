import { mayPass, pauseOrAbort } from './ask.ts';
import { CredentialsError, ProblemError } from './errors.ts';
import type { Mode, Order, OrderList } from './openapi-types.ts';
import type { ListOptions } from './order-client.ts';
import { createRecentOrders } from './recent-orders.ts';
import type { RetryPolicy } from './retry-policy.ts';

/** Where to begin: at `cursor`, or else at what changed `since`, or else at everything. */
export interface ChangesOptions {
  /** What `onCursor` was last given; goes on where that reader stopped. */
  readonly cursor?: string | undefined;
  readonly since?: Date | string | undefined;
  readonly mode?: Mode | undefined;
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Between the end of what there is and the next look. */
  readonly pauseMilliseconds?: number | undefined;
  /**
   * Called with the cursor to store once every order before it was taken: it is awaited, and a reader that
   * starts again from it misses nothing.
   */
  readonly onCursor?: ((cursor: string) => void | Promise<void>) | undefined;
  /**
   * Called when a look failed in spite of its retries and may succeed later; the iteration then goes on after
   * its pause. Without it such an error is thrown, as all others are.
   */
  readonly onFault?: ((error: unknown) => void) | undefined;
  /**
   * Of how many orders it is remembered what was told last. Only what changed within the last seconds, or
   * fits one page, is ever told again, so a busy system with more than this sees some orders twice.
   */
  readonly rememberedOrdersMax?: number | undefined;
}

export interface ChangesParts {
  readonly orders: (options: ListOptions) => Promise<OrderList>;
  readonly policy: RetryPolicy;
}

const pageOrders = 100;

/** Yields an order whenever it differs from what was yielded for it last, until the signal aborts. */
export async function* followChanges(
  parts: ChangesParts,
  options: ChangesOptions,
): AsyncGenerator<Order, void, undefined> {
  const { since, mode, signal, pauseMilliseconds = 5_000, onCursor } = options;
  const recent = createRecentOrders(options.rememberedOrdersMax ?? 10_000);
  let { cursor } = options;
  let limit = pageOrders;
  while (!signal?.aborted) {
    const page = await look(parts, options, { cursor, updatedSince: since, mode, limit, signal });
    for (const order of page?.orders ?? []) {
      if (recent.isNews(order)) yield order;
      if (signal?.aborted) return;
    }
    if (page === undefined || page.next_cursor === null) {
      // One order fewer than there are: the next page gives a cursor, and from there an idle look is told one
      // order again instead of a whole page.
      if (page !== undefined) limit = Math.max(1, page.orders.length - 1);
      await pauseOrAbort(pauseMilliseconds, signal).catch(unlessAborted(signal));
    } else {
      cursor = page.next_cursor;
      limit = pageOrders;
      await onCursor?.(cursor);
    }
  }
}

/** A page; `undefined` when it cannot be had by now. */
async function look(
  { orders, policy }: ChangesParts,
  { signal, onFault }: ChangesOptions,
  list: ListOptions,
): Promise<OrderList | undefined> {
  try {
    return await orders(list);
  } catch (error) {
    if (signal?.aborted) return undefined;
    const passes = mayPass(error, policy) || error instanceof CredentialsError;
    if (!passes || onFault === undefined) throw error;
    onFault(error);
    const asked = error instanceof ProblemError ? (error.retryAfterMilliseconds ?? 0) : 0;
    await pauseOrAbort(asked, signal).catch(unlessAborted(signal));
    return undefined;
  }
}

const unlessAborted =
  (signal: AbortSignal | undefined) =>
  (error: unknown): void => {
    if (!signal?.aborted) throw error;
  };
