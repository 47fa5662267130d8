import { expect, it } from 'vitest';
import { fillResponse } from '../lambdas/operations/order-changes.ts';
import { memoryScans } from './doubles/act-stores.ts';
import { consumerOver } from './doubles/consumer.ts';
import { eventBody } from './doubles/event-body.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { memoryStores } from './doubles/memory-stores.ts';
import { deliver, readAs } from './doubles/misread.ts';
import { operationsOver } from './doubles/operations.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

/** A table of live events whose scan takes a second a page, and what a run over it returns, page by page. */
async function runOver(eventCount: number, route: string, fields: object) {
  const stores = memoryStores();
  const consume = consumerOver({ writer: stores.writer });
  const ids = Array.from({ length: eventCount }, (_, n) => `evt-${String(n).padStart(3, '0')}`);
  for (const id of ids) await consume(sqsEvent({ body: eventBody({ id, order: id }) }));
  let time = Date.parse('2026-11-22T10:00:00.000Z');
  const scans = memoryScans(stores);
  const eventScan: typeof scans.eventScan = {
    page(request) {
      time += 1_000;
      return scans.eventScan.page(request);
    },
  };
  const api = operationsOver(stores, { eventScan, now: () => new Date(time) });
  const pages: { seconds: number; handled: number }[] = [];
  let cursor: string | undefined;
  do {
    const began = time;
    const body = JSON.stringify({ ...fields, ...(cursor && { cursor }) });
    const response = await api(gatewayEvent({ routeKey: `POST /operations/${route}`, body }));
    const page = JSON.parse(response.body ?? '');
    pages.push({ seconds: (time - began) / 1_000, handled: page.replayed ?? page.compared.events });
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && pages.length < 100);
  return pages;
}

it.each([
  ['a replay of a time without events', 'replay', { since: '2026-12-01T00:00:00Z', dry_run: true }, 0],
  ['a comparison of the other mode', 'verify', { mode: 'sandbox' }, 0],
  ['a replay of everything', 'replay', { since: '2026-01-01T00:00:00Z', dry_run: true }, 60],
])(
  '%s pages through a large table, and no page takes longer than its time',
  async (_, route, fields, events) => {
    const pages = await runOver(60, route, fields);
    expect(Math.max(...pages.map(({ seconds }) => seconds))).toBeLessThanOrEqual(12);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.reduce((sum, { handled }) => sum + handled, 0)).toBe(events);
  },
);

it('a replay of payments that move ends between two of them when its time is over, and goes on there', async () => {
  const tables = sharedTables();
  const ids = ['p1', 'p2', 'p3', 'p4'];
  for (const id of ids) await deliver(tables, { id, order: 'A', transaction: id });
  for (const id of ids) readAs(tables, { id, order: 'B', transaction: id });
  let time = Date.parse('2026-11-22T10:00:00.000Z');
  const api = operationsOver(tables, {
    now() {
      time += 1_000;
      return new Date(time);
    },
  });
  const pages: number[] = [];
  let cursor: string | null = null;
  do {
    const body = JSON.stringify({ reason: 'read again', ...(cursor !== null && { cursor }) });
    const response = await api(gatewayEvent({ routeKey: 'POST /operations/replay', body }));
    const page = JSON.parse(response.body ?? '');
    pages.push(page.replayed);
    cursor = page.next_cursor;
  } while (cursor !== null && pages.length < 10);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.reduce((sum, replayed) => sum + replayed, 0)).toBe(4);
  expect(tables.orderViews()).toMatchObject({ A: { events: [] }, B: { events: ids } });
});

it('shows an order once in a comparison, however many of its events differ', async () => {
  const stores = memoryStores();
  const consume = consumerOver({ writer: stores.writer });
  const ids = Array.from({ length: 60 }, (_, n) => `evt-${n}`);
  for (const id of ids) await consume(sqsEvent({ body: eventBody({ id, order: 'A', transaction: id }) }));
  stores.orders.get('live:order:A')?.facts.clear();
  const api = operationsOver(stores, { now: () => new Date('2026-11-22T10:00:00.000Z') });
  const { body } = await api(gatewayEvent({ routeKey: 'POST /operations/verify', body: '{}' }));
  const { differences } = JSON.parse(body ?? '');
  expect(differences).toHaveLength(60);
  const shown = differences.filter(({ after }: { after: unknown }) => after !== null);
  expect(shown).toEqual([
    expect.objectContaining({ order_id: 'A', after: expect.objectContaining({ sequence: 60 }) }),
  ]);
});

it.each([
  ['99 small orders', 99, 1, false],
  ['100 small orders', 100, 1, true],
  ['two orders whose rows are full', 2, 2_600, true],
])('a response holds %s, and ends there or not', (_, orders, facts, isFull) => {
  const after = Array.from({ length: facts }, (_, n) => `["event.1","${n}"${'x'.repeat(140)}]`);
  const changed = Array.from({ length: orders }, (_, n) => ({
    order: { mode: 'live' as const, id: `${n}` },
    before: after.slice(0, -1),
    after,
  }));
  expect(fillResponse(changed)).toBe(isFull);
});
