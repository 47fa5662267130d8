import type { Order } from '@payhooks/order-client';
import { type ApiError, asApiError } from '../data/api.ts';
import { type ListSources, type Read, readOrders, readWaiting, rowsMayLeave } from './pages.ts';
import type { RowList } from './row-list.ts';

export interface ListView<Row> {
  readonly rows: readonly Row[];
  /** Rows that came while the list was held. */
  readonly newCount: number;
  readonly state: 'loading' | 'more' | 'end' | 'full' | 'failed';
  readonly error: ApiError | undefined;
  /** What waits could not be read; the rest of the list can. */
  readonly waitingError: ApiError | undefined;
  /** More waits than the list holds. */
  readonly hasMoreWaiting: boolean;
}

export interface ListLoader<Row> {
  current(): ListView<Row>;
  subscribe(listener: () => void): () => void;
  /** Loads the next page, unless one is on its way. */
  loadMore(): Promise<void>;
  /** Reads what has changed at the top. While the list is held, new rows are only counted. */
  refresh(): Promise<void>;
  /** Holds the list still while the reader has scrolled; shows the new rows when released. */
  hold(isHeld: boolean): void;
  close(): void;
}

/** Memory for about this many rows: some 100 MB. */
export const rowsMax = 200_000;
const headPagesMax = 5;
const heldOrdersMax = 2_000;
/** In a row without a new row, before the reader decides. */
const emptyPagesMax = 20;

/** Loads a list page by page, and what is new at its top. */
export function createListLoader<Row>(
  sources: ListSources,
  createList: () => RowList<Row>,
  read: Read,
): ListLoader<Row> {
  const listeners = new Set<() => void>();
  let list = createList();
  let held = new Map<string, Order>();
  let isHeld = false;
  let isClosed = false;
  let cursor: string | undefined;
  let pages = 0;
  let busy: Promise<void> | undefined;
  let refreshing: Promise<void> | undefined;
  let isStale = false;
  let view: ListView<Row> = {
    rows: [],
    newCount: 0,
    state: 'loading',
    error: undefined,
    waitingError: undefined,
    hasMoreWaiting: false,
  };

  const show = (change: Partial<ListView<Row>>): void => {
    if (isClosed) return;
    view = { ...view, rows: list.rows(), newCount: list.countNew([...held.values()]), ...change };
    for (const listener of listeners) listener();
  };
  async function showWaiting(into: RowList<Row>): Promise<void> {
    if (sources.waiting === undefined) return;
    try {
      const { items, hasMore } = await readWaiting(read, sources.waiting);
      into.setWaiting(items);
      show({ waitingError: undefined, hasMoreWaiting: hasMore });
    } catch (error) {
      show({ waitingError: asApiError(error) });
    }
  }

  /** Adds the next page to a list; returns the cursor of the one after it. */
  async function addPage(into: RowList<Row>, from: string | undefined): Promise<string | undefined> {
    if (sources.orders === undefined) {
      into.addPage({ orders: [], isLast: true });
      return undefined;
    }
    const { orders, next_cursor } = await readOrders(read, sources.orders, from);
    into.addPage({ orders, isLast: next_cursor === null });
    return next_cursor ?? undefined;
  }

  const showPage = (next: string | undefined): void => {
    cursor = next;
    const isFull = list.rows().length >= rowsMax;
    show({ state: next === undefined ? 'end' : isFull ? 'full' : 'more', error: undefined });
  };

  async function load(): Promise<void> {
    show({ state: 'loading', error: undefined });
    try {
      if (pages === 0) await showWaiting(list);
      const before = list.rows().length;
      for (let page = 0; page < emptyPagesMax; page += 1) {
        const next = await addPage(list, cursor);
        pages += 1;
        showPage(next);
        if (view.state !== 'more' || list.rows().length > before || isClosed) return;
      }
    } catch (error) {
      show({ state: 'failed', error: asApiError(error) });
    }
  }

  /** The first page anew: it also shows what no longer matches a filter. */
  async function readAnew(): Promise<void> {
    const [before, fresh] = [pages, createList()];
    await showWaiting(fresh);
    const next = await addPage(fresh, undefined);
    // Another page belongs to the old list, and a reader who has scrolled wants its rows to stay.
    if (pages > before || busy !== undefined || isHeld) return readHead();
    list = fresh;
    pages = 1;
    showPage(next);
  }

  async function readHead(): Promise<void> {
    if (!isHeld) await showWaiting(list);
    if (sources.orders === undefined || isStale) return;
    let next: string | undefined;
    for (let page = 0; page < headPagesMax; page += 1) {
      const { orders, next_cursor } = await readOrders(read, sources.orders, next);
      for (const order of orders) if (!list.knows(order)) held.set(order.order_id, order);
      const last = orders.at(-1);
      if (next_cursor === null || last === undefined || list.knows(last)) break;
      next = next_cursor;
      // More has changed than is read again: the list starts anew when it is released.
      isStale = page === headPagesMax - 1;
    }
    isStale ||= held.size > heldOrdersMax;
  }

  function release(): void {
    if (!isHeld) {
      list.addChanged([...held.values()]);
      held = new Map();
    }
    show({});
    if (!isHeld && isStale) void restart();
  }

  async function restart(): Promise<void> {
    await busy;
    isStale = false;
    list = createList();
    cursor = undefined;
    pages = 0;
    show({ state: 'loading' });
    await loadMore();
  }

  function loadMore(): Promise<void> {
    if (isClosed || view.state === 'end' || view.state === 'full') return Promise.resolve();
    busy ??= load().finally(() => {
      busy = undefined;
    });
    return busy;
  }

  function refresh(): Promise<void> {
    if (view.state === 'failed' || pages === 0) return loadMore();
    // At the top, a reader sees none of the further pages that are lost.
    const isAnew = !isHeld && (pages <= 1 || rowsMayLeave(sources));
    // A failure shows in the banner of the connection, and the next change repeats it.
    refreshing ??= (isAnew ? readAnew() : readHead())
      .then(release, () => undefined)
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  }

  return {
    current: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    loadMore,
    refresh,
    hold(next) {
      if (isHeld === next) return;
      isHeld = next;
      release();
      if (!isHeld) void refresh();
    },
    close() {
      isClosed = true;
      listeners.clear();
    },
  };
}
