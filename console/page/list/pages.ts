import type { Order, OrderList, WaitingItem, WaitingList } from '@payhooks/order-client';
import { type ApiError, asApiError, getApi, type Query } from '../data/api.ts';

const pageItems = 100;
/** Each change of stored data reads them again, and all operators share 20 requests per second. */
const waitingPagesMax = 5;
/** In a row without a row to show, before the reader decides. */
const emptyPagesMax = 20;
/** A list has up to 20 parts, and stored data may change every second. */
const keptMilliseconds = 60_000;

/** What was read so far of the sources of a list. */
export interface LoadedRows {
  /** By their latest change, newest first. */
  readonly orders: readonly Order[];
  readonly items: readonly WaitingItem[];
  /** No further order is left to read. */
  readonly isLast: boolean;
}

export interface ListSources {
  /** Parameters of `GET /orders`; `undefined`: the list shows only what waits. */
  readonly orders: Query | undefined;
  /** Parameters of `GET /operations/waiting`; `undefined`: the list shows only what counts. */
  readonly waiting: Query | undefined;
}

export interface ListPart extends Omit<LoadedRows, 'isLast'> {
  /** Milliseconds since the epoch; of the first part, when it was read as a whole. */
  readonly readAt: number;
  readonly next: string | null;
  /** More waits than was read. */
  readonly hasMoreWaiting: boolean;
  /** What waits could not be read; the rest of the list can. */
  readonly waitingError?: ApiError;
}

/** What a list shows: its parts, and the cursor that led to each. */
export interface ShownParts {
  readonly pages: readonly ListPart[];
  readonly pageParams: readonly (string | undefined)[];
}

/**
 * Reads a part that may be shown already. Of several parts only the top is read every time, and each of them
 * once a minute: until then, an order that has left a filtered list may stay in it.
 */
export async function readPartAgain(
  read: (cursor: string | undefined) => Promise<ListPart>,
  cursor: string | undefined,
  { pages, pageParams }: ShownParts = { pages: [], pageParams: [] },
): Promise<ListPart> {
  const shown = pages.length > 1 ? pages[pageParams.indexOf(cursor)] : undefined;
  if (shown === undefined || Date.now() - shown.readAt >= keptMilliseconds) return read(cursor);
  if (cursor !== undefined) return shown;
  const part = await read(cursor);
  if (part.next === null || !reaches(part, shown)) return part;
  const { readAt, next } = shown;
  return { ...part, readAt, next, orders: latestOf([...part.orders, ...shown.orders]) };
}

/** Whether no order can be missing between what was read and what is shown. */
function reaches(part: ListPart, shown: ListPart): boolean {
  const [oldest, newest] = [part.orders.at(-1), shown.orders[0]];
  return oldest !== undefined && newest !== undefined && oldest.updated_at <= newest.updated_at;
}

/** An order that changed between two readings is in both: its first state is the newest. */
export function latestOf(orders: readonly Order[]): readonly Order[] {
  const seen = new Set<string>();
  return orders.filter(({ order_id }) => !seen.has(order_id) && seen.add(order_id));
}

/** Reads what follows `cursor`, until there is a row to show; the first part also has all that waits. */
export async function readPart(
  { orders: query, waiting }: ListSources,
  cursor: string | undefined,
  hasRow: (loaded: LoadedRows) => boolean,
): Promise<ListPart> {
  const waits =
    waiting === undefined || cursor !== undefined
      ? { items: [], hasMoreWaiting: false }
      : await readWaiting(waiting).catch((error: unknown) => ({
          ...{ items: [], hasMoreWaiting: false, waitingError: asApiError(error) },
        }));
  const readAt = Date.now();
  if (query === undefined) return { ...waits, readAt, orders: [], next: null };
  let page: OrderList = await readOrders(query, cursor);
  let orders = page.orders;
  for (let pages = 1; pages < emptyPagesMax && page.next_cursor !== null; pages += 1) {
    if (hasRow({ orders, items: waits.items, isLast: false })) break;
    page = await readOrders(query, page.next_cursor);
    orders = [...orders, ...page.orders];
  }
  return { ...waits, readAt, orders, next: page.next_cursor };
}

const readOrders = (query: Query, cursor: string | undefined): Promise<OrderList> =>
  getApi<OrderList>('/orders', { ...query, sort_order: 'desc', limit: pageItems, cursor });

type Waiting = Pick<ListPart, 'items' | 'hasMoreWaiting'>;

/** The time of a second look, and of a third one, when more waits than is read; in milliseconds. */
const recent = [24 * 3_600_000, 3_600_000];

/** The API lists the oldest first: of more than 500 items the newest are read, for a true top of the list. */
async function readWaiting(query: Query): Promise<Waiting> {
  const oldest = await readItems(query);
  if (!oldest.hasMoreWaiting) return oldest;
  for (const milliseconds of recent) {
    const since = new Date(Date.now() - milliseconds).toISOString();
    const given = String(query['since'] ?? '');
    const { items, hasMoreWaiting } = await readItems({ ...query, since: since > given ? since : given });
    if (!hasMoreWaiting) return { items, hasMoreWaiting: true };
  }
  return oldest;
}

async function readItems(query: Query): Promise<Waiting> {
  const items: WaitingItem[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < waitingPagesMax; page += 1) {
    const list = await getApi<WaitingList>('/operations/waiting', { ...query, limit: pageItems, cursor });
    items.push(...list.events);
    if (list.next_cursor === null) return { items, hasMoreWaiting: false };
    cursor = list.next_cursor;
  }
  return { items, hasMoreWaiting: true };
}
