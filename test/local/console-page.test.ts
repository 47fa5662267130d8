import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { LiveLogEntry, LiveLogFields } from '../../local/live-log/live-log.ts';

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

interface Activity {
  add(entry: LiveLogEntry): void;
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

  it('keeps the latest 100 rows', () => {
    const rows = show(
      ...Array.from({ length: 130 }, (_, index) => entry('webhook accepted', { request_id: `r${index}` })),
    ).rows();
    expect([rows.length, rows[0]?.key, rows[99]?.key]).toEqual([100, 'r129', 'r30']);
  });
});
