import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { LiveLogEntry, LiveLogFields } from '../../local/live-log/entry.ts';

/** The modules of the page that need no browser. They are JavaScript, so their types are declared here. */
const page = (name: string) => import(new URL(`../../local/console/page/${name}`, import.meta.url).href);
const paths: {
  orderPath(id: string, mode: 'live' | 'sandbox'): string;
  eventPath(id: string, mode: 'live' | 'sandbox'): string;
  pathInHash(hash: string): string | undefined;
  curlCommand(baseUrl: string, path: string): string;
} = await page('paths.js');
const elements: { visible(text: string): string; readableJson(value: unknown): string } =
  await page('element.js');
const { createActivity }: { createActivity(): Activity } = await page('activity.js');
const { latestOrders }: { latestOrders(getJson: GetJson, options: object): Promise<Order[]> } =
  await page('latest-orders.js');

type GetJson = (path: string) => Promise<unknown>;
type Order = { id: string; mode: string; status: string; at: string };

interface Activity {
  add(entry: LiveLogEntry): void;
  addOrder(order: Order): void;
  rows(): readonly { readonly key: string; readonly state: string; readonly [name: string]: unknown }[];
  orders(): readonly object[];
}

const hostileIds = [
  `';touch x;'`,
  '`id`$(id)"\\',
  '<img src=x>',
  'a/../b?c#d',
  '日本\u202e\ud800',
  "it's (*)!",
];

describe('a path of the console page', () => {
  it.each(hostileIds)('has only harmless characters and is one word in a shell for the id %j', async (id) => {
    expect(paths.orderPath(id, 'live')).toMatch(/^\/orders\/[\w.~%-]+$/);
    const path = paths.orderPath(id, 'sandbox');
    const command = paths.curlCommand('http://127.0.0.1:4800', path);
    const { stdout } = await promisify(execFile)('sh', ['-c', `curl() { printf '%s|' "$@"; }; ${command}`]);
    expect(stdout).toBe(`-s|http://127.0.0.1:4800${path}|`);
  });

  it('contains the whole id', () => {
    expect(paths.orderPath('order-1001', 'live')).toBe('/orders/order-1001');
    expect(paths.eventPath("it's (*)!", 'sandbox')).toBe('/events/it%27s%20%28%2A%29%21?mode=sandbox');
    expect(paths.orderPath(`';touch x;'`, 'live')).toBe('/orders/%27%3Btouch%20x%3B%27');
  });

  it.each(['', '#', '#/orders/', "#/orders/a'b", '#/orders/a/b', '#//evil.example/orders/a', '#/healthz'])(
    'is not read from the hash "%s"',
    (hash) => expect(paths.pathInHash(hash)).toBeUndefined(),
  );

  it('is read from a hash that the page has written', () => {
    expect(paths.pathInHash('#/orders/a%2Fb?mode=sandbox')).toBe('/orders/a%2Fb?mode=sandbox');
  });
});

describe('foreign text on the console page', () => {
  it('has a mark for each invisible character', () => {
    expect(elements.visible('a\u202eb\u001b\u200b')).toBe('a\ufffdb\ufffd\ufffd');
    expect(elements.visible('日本 Ä')).toBe('日本 Ä');
  });

  it('stays the same JSON with its invisible characters escaped', () => {
    const value = { 'a\u202e': 'b\u2028\u009b\u{e0001}\n' };
    expect(elements.readableJson(value)).toBe('{\n  "a\\u202e": "b\\u2028\\u009b\\udb40\\udc01\\n"\n}');
    expect(JSON.parse(elements.readableJson(value))).toEqual(value);
  });
});

describe('the activity on the console page', () => {
  let number = 0;
  const entry = (message: string, fields: LiveLogFields, more: Partial<LiveLogEntry> = {}): LiveLogEntry => {
    number += 1;
    const at = `2026-11-02T09:31:${String(number % 60).padStart(2, '0')}.000Z`;
    const none = { statusBefore: null, sinceAcceptedMilliseconds: null };
    return { number, at, stage: 'consumer', level: 'info', message, fields, ...none, ...more };
  };
  const show = (...entries: LiveLogEntry[]) => {
    const activity = createActivity();
    for (const each of entries) activity.add(each);
    return activity;
  };

  it('has one row per webhook, from its arrival to its outcome', () => {
    const ids = { request_id: 'r1', mode: 'sandbox' };
    const arrival = entry('webhook accepted', ids);
    expect(show(arrival).rows()).toMatchObject([{ key: 'r1', state: 'queued', mode: 'sandbox' }]);
    const handled = { ...ids, event_id: 'e1', order_id: 'o1', order_status: 'paid', outcome: 'applied' };
    const outcome = entry('event handled', handled, { sinceAcceptedMilliseconds: 12 });
    const row = { key: 'r1', state: 'applied', eventId: 'e1', orderId: 'o1', orderStatus: 'paid' };
    const expected = [{ ...row, tookMilliseconds: 12 }];
    expect(show(arrival, outcome).rows()).toMatchObject(expected);
    expect(show(outcome, arrival).rows()).toMatchObject(expected);
  });

  it.each([
    ['webhook refused', { status: 403, reason: 'mismatch' }, 'refused', 'signature mismatch'],
    ['webhook refused', { status: 413, reason: 'too_large' }, 'refused', 'too_large'],
    ['record will be retried', { error_name: 'SlowDown' }, 'retrying', 'SlowDown'],
  ])('shows the reason of "%s" with %j', (message, fields, state, reason) => {
    expect(show(entry(message, fields)).rows()).toMatchObject([{ state, reason }]);
  });

  it('lists orders by their latest change, live and sandbox separately', () => {
    const change = (order_id: string, order_status: string, mode = 'live') =>
      entry('event handled', { order_id, order_status, mode });
    const activity = show(
      change('a', 'paid'),
      change('b', 'paid'),
      change('a', 'paid', 'sandbox'),
      change('a', 'refunded'),
    );
    expect(activity.orders()).toMatchObject([
      { id: 'a', mode: 'live', status: 'refunded' },
      { id: 'a', mode: 'sandbox', status: 'paid' },
      { id: 'b', mode: 'live', status: 'paid' },
    ]);
  });

  it('has one row per published change, and takes no order status from a feed that lags', () => {
    const change = { mode: 'live', order_id: 'a', dedupe_id: 'd1', sequence: 3 } as const;
    const activity = show(
      entry('order change not published', { ...change, error_code: 'ThrottlingException' }),
      entry('event handled', { request_id: 'r1', order_id: 'a', order_status: 'refunded', mode: 'live' }),
      entry('order change published', { ...change, order_status: 'paid' }, { statusBefore: 'pending' }),
    );
    const row = { key: 'd1', state: 'published', eventName: 'OrderStatusChanged', orderId: 'a', sequence: 3 };
    expect(activity.rows()).toMatchObject([
      { key: 'r1' },
      { ...row, statusBefore: 'pending', orderStatus: 'paid' },
    ]);
    expect(activity.orders()).toMatchObject([{ id: 'a', status: 'refunded' }]);
  });

  it('merges orders from before a restart with those that change, and keeps the latest 60', () => {
    const activity = createActivity();
    const order = (id: string, second: number, status = 'paid'): Order => {
      const at = `2026-11-02T09:31:${String(second).padStart(2, '0')}.000Z`;
      return { id, mode: 'live', status, at };
    };
    activity.addOrder(order('old', 1));
    activity.addOrder(order('new', 3));
    activity.addOrder(order('middle', 2, 'refunded'));
    activity.addOrder(order('new', 2, 'pending'));
    expect(activity.orders()).toEqual([order('new', 3), order('middle', 2, 'refunded'), order('old', 1)]);
    for (let second = 10; second < 59; second += 1) activity.addOrder(order(`order-${second}`, second));
    for (let n = 0; n < 20; n += 1) activity.addOrder(order(`older-${n}`, 0));
    expect(activity.orders()).toHaveLength(60);
    expect(activity.orders().slice(49, 52)).toMatchObject([{ id: 'new' }, { id: 'middle' }, { id: 'old' }]);
  });

  it.each(['alarm', 'webhook-audit', 'token-refresh'])('has no row for a line of %s', (stage) => {
    expect(show(entry('anything', {}, { stage })).rows()).toEqual([]);
  });

  it('keeps the latest 100 rows', () => {
    const entries = Array.from({ length: 130 }, (_, n) => entry('webhook accepted', { request_id: `r${n}` }));
    const rows = show(...entries).rows();
    expect([rows.length, rows[0]?.key, rows[99]?.key]).toEqual([100, 'r129', 'r30']);
  });
});

describe('the latest orders for the console page', () => {
  const now = Date.parse('2026-11-02T12:00:00.000Z');
  const row = (n: number) => ({ order_id: `o${n}`, status: 'paid', updated_at: `time ${n}`, events: [] });

  /** An order query that responds to each request with the next page, and keeps the requests. */
  function orderQuery(...pages: { orders: object[]; next_cursor: string | null }[]) {
    const requests: Record<string, string>[] = [];
    const getJson: GetJson = async (path) => {
      expect(path).toMatch(/^\/orders\?/);
      requests.push(Object.fromEntries(new URLSearchParams(path.slice('/orders?'.length))));
      return pages[requests.length - 1] ?? { orders: [], next_cursor: null };
    };
    return { getJson, requests };
  }

  it('are those of the last hour, page by page', async () => {
    const { getJson, requests } = orderQuery(
      { orders: [row(1), row(2)], next_cursor: 'c1' },
      { orders: [row(3)], next_cursor: null },
    );
    expect(await latestOrders(getJson, { mode: 'sandbox', wanted: 2, now })).toEqual([
      { id: 'o2', mode: 'sandbox', status: 'paid', at: 'time 2' },
      { id: 'o3', mode: 'sandbox', status: 'paid', at: 'time 3' },
    ]);
    expect(requests).toEqual([
      { mode: 'sandbox', limit: '100', updated_since: '2026-11-02T11:00:00.000Z' },
      { mode: 'sandbox', limit: '100', cursor: 'c1' },
    ]);
  });

  it('are older ones while too few are found', async () => {
    const { getJson, requests } = orderQuery(
      { orders: [row(9)], next_cursor: null },
      { orders: [row(9)], next_cursor: null },
      { orders: [row(8), row(9)], next_cursor: null },
      { orders: [row(7), row(8), row(9)], next_cursor: null },
    );
    expect(await latestOrders(getJson, { mode: 'live', wanted: 60, now })).toHaveLength(3);
    expect(requests.map(({ updated_since }) => updated_since)).toEqual([
      '2026-11-02T11:00:00.000Z',
      '2026-11-01T12:00:00.000Z',
      '2026-10-03T12:00:00.000Z',
      '1970-01-01T00:00:00.000Z',
    ]);
  });

  it('are read from ten pages at most', async () => {
    const endless = Array.from({ length: 50 }, (_, n) => ({ orders: [row(n)], next_cursor: `c${n}` }));
    const { getJson, requests } = orderQuery(...endless);
    await latestOrders(getJson, { mode: 'live', wanted: 5, now });
    expect(requests).toHaveLength(10);
  });
});
