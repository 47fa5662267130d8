import type { Mode, Order, WaitingItem, WaitingList } from '@payhooks/order-client';
import type { EventRow } from '../events/event-rows.ts';
import { createNewestFirst } from '../events/newest-first.ts';

const latestRowsMax = 8;

interface LatestPage {
  /** The first page by the latest change. */
  readonly orders: readonly Order[];
  readonly isLast: boolean;
}

/** The latest events of a page of orders, with what waits among them. */
export function latestRows(
  { orders, isLast }: LatestPage,
  items: readonly WaitingItem[],
): readonly EventRow[] {
  const list = createNewestFirst();
  list.setWaiting(items);
  list.addPage({ orders, isLast });
  return list.rows().slice(0, latestRowsMax);
}

/** What waits and was recorded before this is none of the latest events; `undefined` while there are few. */
export const waitingSince = (page: LatestPage): string | undefined =>
  latestRows(page, [])[latestRowsMax - 1]?.receivedAt ?? undefined;

/** What waits is read oldest first: of very much, the latest may not be among the rows. */
export function latestNote(mode: Mode, waiting: WaitingList | undefined): string {
  const hasMore = waiting !== undefined && waiting.next_cursor !== null;
  return hasMore ? `${mode}; more events wait than are read here` : mode;
}
