import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { LiveLogEntry, LiveLogFields } from '../../local/live-log/entry.ts';

/**
 * The page's modules that need no browser. They are JavaScript, as the browser gets them, so their types
 * are said here.
 */
const page = (name: string) => import(new URL(`../../local/console/page/${name}`, import.meta.url).href);
const paths: {
  orderPath(id: string, mode: 'live' | 'sandbox'): string;
  eventPath(id: string, mode: 'live' | 'sandbox'): string;
  pathInHash(hash: string): string | undefined;
  curlCommand(baseUrl: string, path: string): string;
} = await page('paths.js');
const foreignText: { visible(text: string): string; readableJson(value: unknown): string } =
  await page('foreign-text.js');
const { createActivity }: { createActivity(): Activity } = await page('activity.js');

const { latestOrders }: { latestOrders(ask: Ask, options: object): Promise<Order[]> } =
  await page('kept-orders.js');

type Ask = (path: string) => Promise<unknown>;
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

describe('the paths of the page', () => {
  it('hold a few harmless characters only, whatever the id', () => {
    expect(paths.orderPath('order-1001', 'live')).toBe('/orders/order-1001');
    expect(paths.eventPath("it's (*)!", 'sandbox')).toBe('/events/it%27s%20%28%2A%29%21?mode=sandbox');
    for (const id of hostileIds) expect(paths.orderPath(id, 'live')).toMatch(/^\/orders\/[\w.~%-]+$/);
  });

  it('lead back to the id', () => {
    const [, encoded = ''] = /^\/orders\/(.*)$/.exec(paths.orderPath(`';touch x;'`, 'live')) ?? [];
    expect(decodeURIComponent(encoded)).toBe(`';touch x;'`);
  });

  it('are taken from a hash only in the form in which they are written', () => {
    expect(paths.pathInHash('#/orders/a%2Fb?mode=sandbox')).toBe('/orders/a%2Fb?mode=sandbox');
    const others = [
      '',
      '#',
      '#/orders/',
      "#/orders/a'b",
      '#/orders/a/b',
      '#//evil.example/orders/a',
      '#/healthz',
    ];
    for (const hash of others) expect(paths.pathInHash(hash)).toBeUndefined();
  });

  it('are one word in a shell', async () => {
    for (const id of hostileIds) {
      const command = paths.curlCommand('http://127.0.0.1:4800', paths.orderPath(id, 'sandbox'));
      const { stdout } = await promisify(execFile)('sh', ['-c', `curl() { printf '%s|' "$@"; }; ${command}`]);
      expect(stdout).toBe(`-s|http://127.0.0.1:4800${paths.orderPath(id, 'sandbox')}|`);
    }
  });
});

describe('what strangers wrote', () => {
  it('shows a mark where it cannot be seen', () => {
    expect(foreignText.visible('a\u202eb\u001b\u200b')).toBe('a\ufffdb\ufffd\ufffd');
    expect(foreignText.visible('日本 Ä')).toBe('日本 Ä');
  });

  it('is the same JSON with its invisible characters escaped', () => {
    const value = { 'a\u202e': 'b\u2028\u009b\u{e0001}\n' };
    expect(foreignText.readableJson(value)).toBe('{\n  "a\\u202e": "b\\u2028\\u009b\\udb40\\udc01\\n"\n}');
    expect(JSON.parse(foreignText.readableJson(value))).toEqual(value);
  });
});

describe('the activity of the page', () => {
  let number = 0;
  const entry = (message: string, fields: LiveLogFields, more: Partial<LiveLogEntry> = {}): LiveLogEntry => {
    number += 1;
    const at = `2026-11-02T09:31:${String(number % 60).padStart(2, '0')}.000Z`;
    const nothing = { statusBefore: null, sinceAcceptedMilliseconds: null };
    return { number, at, stage: 'consumer', level: 'info', message, fields, ...nothing, ...more };
  };
  const show = (...entries: LiveLogEntry[]) => {
    const activity = createActivity();
    for (const each of entries) activity.add(each);
    return activity;
  };

  it('is one row per webhook, from its arrival to its outcome', () => {
    const handled = {
      request_id: 'r1',
      event_id: 'e1',
      order_id: 'o1',
      order_status: 'paid',
      outcome: 'applied',
    };
    const arrival = entry('webhook accepted', { request_id: 'r1', mode: 'sandbox' });
    expect(show(arrival).rows()).toMatchObject([{ key: 'r1', state: 'queued', mode: 'sandbox' }]);
    const outcome = entry(
      'event handled',
      { ...handled, mode: 'sandbox' },
      { sinceAcceptedMilliseconds: 12 },
    );
    for (const entries of [
      [arrival, outcome],
      [outcome, arrival],
    ]) {
      expect(show(...entries).rows()).toMatchObject([
        {
          key: 'r1',
          state: 'applied',
          eventId: 'e1',
          orderId: 'o1',
          orderStatus: 'paid',
          tookMilliseconds: 12,
        },
      ]);
    }
  });

  it('says why something was refused or comes back', () => {
    const rows = show(
      entry('webhook refused', { request_id: 'r1', status: 403, reason: 'mismatch' }),
      entry('webhook refused', { request_id: 'r2', status: 413, reason: 'too_large' }),
      entry('record will be retried', { message_id: 'm1', error_name: 'SlowDown' }),
    ).rows();
    expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
      ['retrying', 'SlowDown'],
      ['refused', 'too_large'],
      ['refused', 'signature mismatch'],
    ]);
  });

  it('lists orders by their latest change, live and sandbox apart', () => {
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

  it('has one row per change that the feed published, also when it took several attempts', () => {
    const change = { mode: 'live', order_id: 'a', dedupe_id: 'd1', sequence: 3 } as const;
    const activity = show(
      entry('order change not published', { ...change, error_code: 'ThrottlingException' }),
      entry('event handled', { request_id: 'r1', order_id: 'a', order_status: 'refunded', mode: 'live' }),
      entry(
        'order change published',
        { ...change, previous_status: 'pending', order_status: 'paid' },
        { statusBefore: 'pending' },
      ),
    );
    expect(activity.rows()).toMatchObject([
      { key: 'r1' },
      {
        key: 'd1',
        state: 'published',
        eventName: 'OrderStatusChanged',
        orderId: 'a',
        statusBefore: 'pending',
        orderStatus: 'paid',
        sequence: 3,
      },
    ]);
    // The feed tells of a change when the consumer may have made the next one.
    expect(activity.orders()).toMatchObject([{ id: 'a', status: 'refunded' }]);
  });

  it('lists the orders that were there before, among those that change', () => {
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
    expect(activity.orders().slice(49, 53)).toMatchObject([
      { id: 'new' },
      { id: 'middle' },
      { id: 'old' },
      {},
    ]);
  });

  it('has no row for an alarm, an audit or a rotation, which are about no event', () => {
    const stages = ['alarm', 'webhook-audit', 'token-refresh'];
    expect(show(...stages.map((stage) => entry('anything', {}, { stage }))).rows()).toEqual([]);
  });

  it('keeps the latest 100 rows', () => {
    const rows = show(
      ...Array.from({ length: 130 }, (_, index) => entry('webhook accepted', { request_id: `r${index}` })),
    ).rows();
    expect([rows.length, rows[0]?.key, rows[99]?.key]).toEqual([100, 'r129', 'r30']);
  });
});

describe('the orders that the page asks for', () => {
  const now = Date.parse('2026-11-02T12:00:00.000Z');
  const row = (n: number) => ({ order_id: `o${n}`, status: 'paid', updated_at: `time ${n}`, events: [] });

  /** An order query that answers each request with the next page, and remembers what it was asked. */
  function answering(...pages: { orders: object[]; next_cursor: string | null }[]) {
    const asked: Record<string, string>[] = [];
    const ask: Ask = async (path) => {
      expect(path).toMatch(/^\/orders\?/);
      asked.push(Object.fromEntries(new URLSearchParams(path.slice('/orders?'.length))));
      return pages[asked.length - 1] ?? { orders: [], next_cursor: null };
    };
    return { ask, asked };
  }

  it('are those of the last hour, page by page', async () => {
    const { ask, asked } = answering(
      { orders: [row(1), row(2)], next_cursor: 'c1' },
      { orders: [row(3)], next_cursor: null },
    );
    const found = await latestOrders(ask, { mode: 'sandbox', wanted: 2, now });
    expect(found).toEqual([
      { id: 'o2', mode: 'sandbox', status: 'paid', at: 'time 2' },
      { id: 'o3', mode: 'sandbox', status: 'paid', at: 'time 3' },
    ]);
    expect(asked).toEqual([
      { mode: 'sandbox', limit: '100', updated_since: '2026-11-02T11:00:00.000Z' },
      { mode: 'sandbox', limit: '100', cursor: 'c1' },
    ]);
  });

  it('are older ones when there are too few', async () => {
    const { ask, asked } = answering(
      { orders: [row(9)], next_cursor: null },
      { orders: [row(9)], next_cursor: null },
      { orders: [row(8), row(9)], next_cursor: null },
      { orders: [row(7), row(8), row(9)], next_cursor: null },
    );
    expect(await latestOrders(ask, { mode: 'live', wanted: 60, now })).toHaveLength(3);
    expect(asked.map(({ updated_since }) => updated_since)).toEqual([
      '2026-11-02T11:00:00.000Z',
      '2026-11-01T12:00:00.000Z',
      '2026-10-03T12:00:00.000Z',
      '1970-01-01T00:00:00.000Z',
    ]);
  });

  it('take ten pages at most', async () => {
    const endless = Array.from({ length: 50 }, (_, n) => ({ orders: [row(n)], next_cursor: `c${n}` }));
    const { ask, asked } = answering(...endless);
    await latestOrders(ask, { mode: 'live', wanted: 5, now });
    expect(asked).toHaveLength(10);
  });
});
