import type { OrderList, WaitingItem, WaitingList } from '@payhooks/order-client';
import type { Query } from '../data/api.ts';

export type Read = <T>(path: string, query: Query) => Promise<T>;

const pageOrders = 100;
const pageItems = 100;
/** Each change of stored data reads them again, and all operators share 20 requests per second. */
const waitingPagesMax = 5;

export interface ListSources {
  /** Parameters of `GET /orders`; `undefined`: the list shows only what waits. */
  readonly orders: Query | undefined;
  /** Parameters of `GET /operations/waiting`; `undefined`: the list shows only what counts. */
  readonly waiting: Query | undefined;
}

/** Whether an order that changes may no longer match; only the first page anew shows that. */
export function rowsMayLeave({ orders = {} }: ListSources): boolean {
  return ['status', 'attention', 'updated_until'].some((name) => orders[name] !== undefined);
}

/** A page of orders, newest change first. */
export function readOrders(read: Read, query: Query, cursor: string | undefined): Promise<OrderList> {
  return read<OrderList>('/orders', { ...query, sort_order: 'desc', limit: pageOrders, cursor });
}

export interface WaitingRead {
  readonly items: readonly WaitingItem[];
  /** More waits than was read. */
  readonly hasMore: boolean;
}

/** The time of a second look, and of a third one, when more waits than is read; in milliseconds. */
const recent = [24 * 3_600_000, 3_600_000];

/**
 * What waits: up to 500 items, since a list of events shows all of them at once. The API lists the oldest
 * first: of more items, the newest are read, so that the top of the list is true.
 */
export async function readWaiting(read: Read, query: Query): Promise<WaitingRead> {
  const whole = await readPages(read, query);
  if (!whole.hasMore) return whole;
  for (const milliseconds of recent) {
    const since = new Date(Date.now() - milliseconds).toISOString();
    const { items, hasMore } = await readPages(read, {
      ...query,
      since: since > String(query['since'] ?? '') ? since : query['since'],
    });
    if (!hasMore) return { items, hasMore: true };
  }
  return whole;
}

async function readPages(read: Read, query: Query): Promise<WaitingRead> {
  const items: WaitingItem[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < waitingPagesMax; page += 1) {
    const list = await read<WaitingList>('/operations/waiting', { ...query, limit: pageItems, cursor });
    items.push(...list.events);
    if (list.next_cursor === null) return { items, hasMore: false };
    cursor = list.next_cursor;
  }
  return { items, hasMore: true };
}
