import { putEventsBytesMax } from '../contract/limits.ts';
import type { Attention } from '../domain/attention.ts';
import type { OrderStatus } from '../domain/fold-order.ts';
import type { AnyMode, Mode } from '../domain/signature.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { BusEntry } from '../ports/event-bus.ts';

/**
 * The event that order systems build on; `docs/order-feed.md` explains it field by field, and
 * `docs/order-status-changed.schema.json` is its schema. It holds ids, states and amounts, no customer data.
 */
export interface OrderStatusChanged {
  /** The same for every copy of this change, and unique to it. */
  readonly id: string;
  readonly order_id: string;
  readonly mode: AnyMode;
  /** Counts the changes of the order; of two events of one order, the higher is newer. */
  readonly sequence: number;
  /** `null` for a new order. */
  readonly previous: OrderCondition | null;
  readonly current: OrderCondition;
  /** All transactions of the order after the change; `null` when they do not fit into one event. */
  readonly transactions: readonly Transaction[] | null;
  /** Whose facts came or left; empty when only payhooks' own did. */
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
  /** `null`: a body under this id concerns the order, and is not one of its facts (`conflicting_event`). */
  readonly event_name: string | null;
}

export const feedDetailType = 'OrderStatusChanged';

/**
 * Live and sandbox never meet: a rule that names no mode sees live orders only, just like a query without
 * one.
 */
export const feedSources = {
  live: 'payhooks',
  sandbox: 'payhooks.sandbox',
} as const satisfies Record<Mode, string>;

/** No rule of an order system matches a heartbeat: both differ, and it is not archived. */
export const heartbeatSource = 'payhooks.heartbeat';
export const heartbeatDetailType = 'Heartbeat';

/** A change, ready for PutEvents. */
export interface FeedEntry extends BusEntry {
  readonly change: OrderStatusChanged;
}

/**
 * The change as an entry. Only the transactions grow without a bound, so an entry that would be too large has
 * `null` in their place. The causes are bounded by the facts of one write, so the rest always fits.
 */
export function feedEntry(change: OrderStatusChanged): FeedEntry {
  const whole = entryOf(change);
  return entryBytes(whole) <= putEventsBytesMax ? whole : entryOf({ ...change, transactions: null });
}

function entryOf(change: OrderStatusChanged): FeedEntry {
  const { mode } = change;
  return {
    change,
    source: mode === 'heartbeat' ? heartbeatSource : feedSources[mode],
    detailType: mode === 'heartbeat' ? heartbeatDetailType : feedDetailType,
    detail: JSON.stringify(change),
    time: new Date(change.updated_at),
  };
}

/** EventBridge's own count: 14 bytes for the time, and the UTF-8 length of each text. */
export function entryBytes({ source, detailType, detail }: FeedEntry): number {
  return 14 + [source, detailType, detail].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
