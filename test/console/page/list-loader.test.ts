import { describe, expect, it } from 'vitest';
import { createNewestFirst } from '../../../console/page/events/newest-first.ts';
import { createListLoader, type ListLoader } from '../../../console/page/lists/list-loader.ts';
import { createLatestOrders } from '../../../console/page/orders/latest-orders.ts';
import {
  createListServer,
  type ListServer,
  listedOrder,
  unavailable,
  waitingItem,
} from '../../doubles/listed-orders.ts';

const sources = { orders: { mode: 'live' }, waiting: { mode: 'live' } };
const open = (server: ListServer) => createListLoader(sources, () => createNewestFirst(), server.read);
const order = (number: number) =>
  listedOrder(`order-${number}`, [{ id: `event-${number}`, at: number * 1_000 }]);
const idsOf = (loader: ListLoader<{ readonly id: string | null }>) =>
  loader.current().rows.map(({ id }) => id);

describe('the loader of a list', () => {
  it('loads page after page until the end', async () => {
    const server = createListServer(2);
    server.orders = [1, 2, 3, 4, 5].map(order);
    const loader = open(server);
    await loader.loadMore();
    expect(loader.current().state).toBe('more');
    expect(idsOf(loader)).toEqual(['event-5']);
    await loader.loadMore();
    await loader.loadMore();
    expect(loader.current().state).toBe('end');
    expect(idsOf(loader)).toEqual(['event-5', 'event-4', 'event-3', 'event-2', 'event-1']);
  });

  it('sends one request when the end of the list is reached twice', async () => {
    const server = createListServer(2);
    server.orders = [1, 2, 3].map(order);
    const loader = open(server);
    await Promise.all([loader.loadMore(), loader.loadMore()]);
    expect(server.requests.map(({ path }) => path)).toEqual(['/operations/waiting', '/orders']);
  });

  it('requests pages by the newest change, and no page after the last one', async () => {
    const server = createListServer(2);
    server.orders = [1].map(order);
    const loader = open(server);
    await loader.loadMore();
    await loader.loadMore();
    expect(server.requests).toEqual([
      { path: '/operations/waiting', query: { mode: 'live', limit: 100, cursor: undefined } },
      { path: '/orders', query: { mode: 'live', sort_order: 'desc', limit: 100, cursor: undefined } },
    ]);
  });

  it('shows a new event at the top while the list is not held', async () => {
    const server = createListServer(2);
    server.orders = [1, 2, 3, 4].map(order);
    const loader = open(server);
    await loader.loadMore();
    await loader.loadMore();
    server.orders = [1, 2, 3, 4, 5].map(order);
    await loader.refresh();
    expect(idsOf(loader)).toEqual(['event-5', 'event-4', 'event-3', 'event-2', 'event-1']);
  });

  it('misses no page when the first one is read anew while another one is on its way', async () => {
    const server = createListServer(2);
    server.orders = [1, 2, 3, 4, 5, 6].map(order);
    const second = Promise.withResolvers<void>();
    const read: typeof server.read = async (path, query) => {
      const response = server.read(path, query);
      if (query['cursor'] === '2') await second.promise;
      return response as never;
    };
    const loader = createListLoader(sources, () => createNewestFirst(), read);
    await loader.loadMore();
    const more = loader.loadMore();
    await loader.refresh();
    second.resolve();
    await more;
    while (loader.current().state !== 'end') await loader.loadMore();
    expect(idsOf(loader)).toEqual(['event-6', 'event-5', 'event-4', 'event-3', 'event-2', 'event-1']);
  });

  it('only counts new events while the list is held, and shows them when it is released', async () => {
    const server = createListServer(2);
    server.orders = [1, 2, 3, 4].map(order);
    const loader = open(server);
    await loader.loadMore();
    await loader.loadMore();
    loader.hold(true);
    server.orders = [1, 2, 3, 4, 5, 6].map(order);
    await loader.refresh();
    await loader.refresh();
    expect(loader.current().newCount).toBe(2);
    expect(idsOf(loader)).toEqual(['event-4', 'event-3', 'event-2', 'event-1']);
    loader.hold(false);
    expect(loader.current().newCount).toBe(0);
    expect(idsOf(loader).slice(0, 2)).toEqual(['event-6', 'event-5']);
  });

  it('starts anew when more has changed than it reads again', async () => {
    const server = createListServer(2);
    server.orders = [1, 2, 3, 4].map(order);
    const loader = open(server);
    await loader.loadMore();
    await loader.loadMore();
    server.orders = Array.from({ length: 40 }, (_, number) => order(number + 1));
    await loader.refresh();
    while (loader.current().state !== 'end') await loader.loadMore();
    expect(idsOf(loader)).toEqual(Array.from({ length: 40 }, (_, number) => `event-${40 - number}`));
  });

  it('drops what no longer waits, and an order that no longer matches a filter, from a list of one page', async () => {
    const server = createListServer(10);
    server.orders = [1, 2].map(order);
    server.waiting = [waitingItem('waiting-1', 9_000)];
    const loader = open(server);
    await loader.loadMore();
    expect(idsOf(loader)).toEqual(['waiting-1', 'event-2', 'event-1']);
    server.orders = [1].map(order);
    server.waiting = [];
    await loader.refresh();
    expect(idsOf(loader)).toEqual(['event-1']);
  });

  it.each([{ status: 'paid' }, { attention: 'any' }, { updated_until: '2026-11-22T10:00:00Z' }])(
    'drops an order that no longer matches %o from a list of several pages, whose further pages come again',
    async (filter) => {
      const server = createListServer(2);
      server.orders = [1, 2, 3, 4, 5].map(order);
      const filtered = { orders: { mode: 'live', ...filter }, waiting: undefined };
      const loader = createListLoader(filtered, createLatestOrders, server.read);
      const shown = () => loader.current().rows.map(({ order_id }) => order_id);
      await loader.loadMore();
      await loader.loadMore();
      server.orders = [1, 2, 3, 5].map(order);
      loader.hold(true);
      await loader.refresh();
      expect(shown()).toEqual(['order-5', 'order-4', 'order-3', 'order-2']);
      loader.hold(false);
      await loader.refresh();
      expect(shown()).toEqual(['order-5', 'order-3']);
      await loader.loadMore();
      expect(shown()).toEqual(['order-5', 'order-3', 'order-2', 'order-1']);
      expect(loader.current().state).toBe('end');
    },
  );

  it('shows why a page cannot be loaded, keeps the rows, and loads it at the next attempt', async () => {
    const server = createListServer(2);
    server.orders = [1, 2, 3].map(order);
    const loader = open(server);
    await loader.loadMore();
    server.failWith = unavailable;
    await loader.loadMore();
    expect(loader.current()).toMatchObject({
      state: 'failed',
      error: { message: 'The tables do not respond.' },
    });
    expect(idsOf(loader)).toEqual(['event-3']);
    server.failWith = undefined;
    await loader.loadMore();
    expect(loader.current()).toMatchObject({ state: 'end', error: undefined });
  });

  it('shows the orders when what waits cannot be read', async () => {
    const server = createListServer(2);
    server.orders = [1].map(order);
    const read: typeof server.read = (path, query) =>
      path === '/orders' ? server.read(path, query) : Promise.reject(unavailable);
    const loader = createListLoader(sources, () => createNewestFirst(), read);
    await loader.loadMore();
    expect(idsOf(loader)).toEqual(['event-1']);
    expect(loader.current().waitingError?.message).toBe('The tables do not respond.');
  });

  it('shows what waits again after it could not be read', async () => {
    const server = createListServer(2);
    server.orders = [1].map(order);
    server.waiting = [waitingItem('waiting-1', 9_000)];
    const loader = open(server);
    await loader.loadMore();
    server.failWith = unavailable;
    await loader.refresh();
    expect(loader.current().waitingError?.message).toBe('The tables do not respond.');
    server.failWith = undefined;
    await loader.refresh();
    expect(loader.current().waitingError).toBe(undefined);
    expect(idsOf(loader)).toEqual(['waiting-1', 'event-1']);
  });

  it('reads the newest of very much that waits, and says that there is more', async () => {
    const server = createListServer(2);
    server.orders = [1].map(order);
    let requests = 0;
    const read: typeof server.read = async (path, query) => {
      if (path === '/orders') return server.read(path, query);
      requests += 1;
      const isRecent = query['since'] !== undefined;
      const events = Array.from({ length: isRecent ? 3 : 100 }, (_, n) =>
        waitingItem(`${isRecent ? 'new' : 'old'}-${requests}-${n}`, isRecent ? 9_000 : 500),
      );
      return { events, next_cursor: isRecent ? null : `${requests}` } as never;
    };
    const loader = createListLoader(sources, () => createNewestFirst(), read);
    await loader.loadMore();
    expect(loader.current().hasMoreWaiting).toBe(true);
    expect(idsOf(loader)).toEqual(['new-6-0', 'new-6-1', 'new-6-2', 'event-1']);
    requests = 0;
    await loader.refresh();
    expect(requests).toBeLessThanOrEqual(10);
  });

  it('moves an order that changed to the top of the list of orders', async () => {
    const server = createListServer(2);
    server.orders = [1, 2, 3].map(order);
    const loader = createListLoader({ ...sources, waiting: undefined }, createLatestOrders, server.read);
    await loader.loadMore();
    await loader.loadMore();
    const changed = listedOrder('order-1', [
      { id: 'event-1', at: 1_000 },
      { id: 'event-9', at: 9_000 },
    ]);
    server.orders = [changed, order(2), order(3)];
    await loader.refresh();
    expect(loader.current().rows.map(({ order_id }) => order_id)).toEqual(['order-1', 'order-3', 'order-2']);
  });
});
