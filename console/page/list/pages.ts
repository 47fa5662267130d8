import type { Order, OrderList, WaitingItem, WaitingList } from '@payhooks/order-client';
import { type ApiError, asApiError, getApi, type Query } from '../data/api.ts';

const pageItems = 100;
/** Each change of stored data reads them again, and all operators share 20 requests per second. */
const waitingPagesMax = 5;
/** In a row without a row to show, before the reader decides. */
const emptyPagesMax = 20;

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
  readonly next: string | null;
  /** More waits than was read. */
  readonly hasMoreWaiting: boolean;
  /** What waits could not be read; the rest of the list can. */
  readonly waitingError?: ApiError;
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
  if (query === undefined) return { ...waits, orders: [], next: null };
  let page: OrderList = await readOrders(query, cursor);
  let orders = page.orders;
  for (let pages = 1; pages < emptyPagesMax && page.next_cursor !== null; pages += 1) {
    if (hasRow({ orders, items: waits.items, isLast: false })) break;
    page = await readOrders(query, page.next_cursor);
    orders = [...orders, ...page.orders];
  }
  return { ...waits, orders, next: page.next_cursor };
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
