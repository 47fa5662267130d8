import type { Order, WaitingItem } from '@payhooks/order-client';

/** A list that grows downwards by pages of orders, and at its top by what has changed. */
export interface RowList<Row> {
  /** Newest first, as far down as is certain. */
  rows(): readonly Row[];
  /** Adds the next page of `GET /orders?sort_order=desc`. */
  addPage(page: { readonly orders: readonly Order[]; readonly isLast: boolean }): void;
  /** Adds orders that changed since, in any order. */
  addChanged(orders: readonly Order[]): void;
  /** Replaces everything that waits. */
  setWaiting(items: readonly WaitingItem[]): void;
  /** How many new rows `addChanged` would show. */
  countNew(orders: readonly Order[]): number;
  /** Whether this state of the order was added. */
  knows(order: Order): boolean;
}
