import { putEventsBytesMax } from '../contract/limits.ts';
import type { Attention, OrderStatus } from '../domain/fold-order.ts';
import type { Mode } from '../domain/signature.ts';
import type { Transaction } from '../domain/transaction.ts';

/**
 * The event that order systems build on; `docs/order-feed.md` explains it field by field, and
 * `docs/order-status-changed.schema.json` is its schema. It holds ids, states and amounts, no customer data.
 */
export interface OrderStatusChanged {
  /** The same for every copy of this change, and of no other. */
  readonly id: string;
  readonly order_id: string;
  readonly mode: Mode;
  /** How many facts the order had after the change; of two events of an order, the higher one is newer. */
  readonly sequence: number;
  /** `null`: there was no such order before. */
  readonly previous: OrderCondition | null;
  readonly current: OrderCondition;
  /** All transactions of the order after the change; `null` when they do not fit into an event. */
  readonly transactions: readonly Transaction[] | null;
  readonly caused_by: readonly Cause[];
  /** ISO 8601 UTC. */
  readonly updated_at: string;
}

export interface OrderCondition {
  readonly status: OrderStatus;
  readonly attention: readonly Attention[];
}

export interface Cause {
  readonly id: string;
  /** `null`: another body came under an event id that was taken (`conflicting_event`). */
  readonly event_name: string | null;
}

export const feedDetailType = 'OrderStatusChanged';

/**
 * Live and sandbox never meet: a rule that forgets to ask for the mode sees live orders only, as a query does
 * that does not name one.
 */
export const feedSources = {
  live: 'payhooks',
  sandbox: 'payhooks.sandbox',
} as const satisfies Record<Mode, string>;

/** One entry of PutEvents. */
export interface FeedEntry {
  readonly change: OrderStatusChanged;
  readonly source: string;
  readonly detailType: string;
  readonly detail: string;
  readonly time: Date;
}

/**
 * The change as an entry. What grows without a bound are the transactions, so they are what an entry leaves
 * out when it would be too large, and says so by `null`. The causes do not grow: one merge adds at most the
 * facts of one batch of the consumer, so what is left always fits.
 */
export function feedEntry(change: OrderStatusChanged): FeedEntry {
  const whole = entryOf(change);
  return entryBytes(whole) <= putEventsBytesMax ? whole : entryOf({ ...change, transactions: null });
}

function entryOf(change: OrderStatusChanged): FeedEntry {
  return {
    change,
    source: feedSources[change.mode],
    detailType: feedDetailType,
    detail: JSON.stringify(change),
    time: new Date(change.updated_at),
  };
}

/** As EventBridge counts it: a time is 14 bytes, text is its UTF-8. */
export function entryBytes({ source, detailType, detail }: FeedEntry): number {
  return 14 + [source, detailType, detail].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
