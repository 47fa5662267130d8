import { expect, it } from 'vitest';
import { fillResponse } from '../lambdas/operations/order-changes.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { memoryScans } from './doubles/act-stores.ts';
import { consumerOver } from './doubles/consumer.ts';
import { eventBody } from './doubles/event-body.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { memoryActs } from './doubles/memory-acts.ts';
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
    expect(pages.length).toBeLessThan(40);
    expect(pages.reduce((sum, { handled }) => sum + handled, 0)).toBe(events);
  },
);

/** All pages of a run, with a clock that goes on by so many seconds each time it is read. */
async function pagesOf(stores: ReturnType<typeof memoryStores>, route: string, fields = {}, seconds = 0) {
  let time = Date.parse('2026-11-22T10:00:00.000Z');
  const acts = memoryActs();
  const api = operationsOver(stores, {
    acts,
    now() {
      time += 1_000 * seconds;
      return new Date(time);
    },
  });
  const reason = route === 'replay' ? { reason: 'read again' } : {};
  const pages = [];
  let cursor: string | null = null;
  do {
    const body = JSON.stringify({ ...reason, ...fields, ...(cursor !== null && { cursor }) });
    const response = await api(gatewayEvent({ routeKey: `POST /operations/${route}`, body }));
    const page = JSON.parse(response.body ?? '');
    pages.push(page);
    cursor = page.next_cursor;
  } while (cursor !== null && pages.length < 20);
  const counts = pages.map(({ replayed, compared }) => replayed ?? compared.events);
  return { pages, counts, acts: acts.acts };
}

it.each([
  ['in one page', {}, 0, [4]],
  ['page by page while there is time for one of them', {}, 13, [1, 1, 1, 1]],
  ['page by page of an order while there is time for one of them', { order_id: 'A' }, 13, [1, 1, 1, 1]],
])('a replay of payments that move handles each once, %s', async (_, subject, seconds, expected) => {
  const tables = sharedTables();
  const ids = ['p1', 'p2', 'p3', 'p4'];
  for (const id of ids) {
    // Other bytes: several rows of one event, which pages of the scan divide.
    for (const attempt of [1, 2]) await deliver(tables, { id, order: 'A', transaction: id, attempt });
    readAs(tables, { id, order: 'B', transaction: id });
  }
  const { counts } = await pagesOf(tables, 'replay', subject, seconds);
  expect(counts.filter((count) => count > 0)).toEqual(expected);
  expect(tables.orderViews()).toMatchObject({ A: { events: [] }, B: { events: ids } });
});

it('counts an event with several bodies once in a page, and once in pages of one event', async () => {
  const tables = sharedTables();
  for (const attempt of [1, 2, 3]) await deliver(tables, { id: 'p', order: 'A', attempt });
  await deliver(tables, { id: 'q', order: 'A' });
  expect((await pagesOf(tables, 'replay')).counts).toEqual([2]);
  readAs(tables, { id: 'p', order: 'B' });
  expect((await pagesOf(tables, 'replay')).counts).toEqual([2]);
  const others = sharedTables();
  for (const attempt of [1, 2]) await deliver(others, { id: 'p', order: 'A', attempt });
  expect((await pagesOf(others, 'replay', { limit: 1 })).counts).toEqual([1, 0]);
});

it.each([true, false])(
  'counts an event once whose replay stores a row that the scan still reaches (dry run %j)',
  async (dryRun) => {
    const counts: number[] = [];
    for (let before = 0; before < 8; before += 1) {
      const tables = sharedTables();
      for (let n = 0; n < before; n += 1) await deliver(tables, { id: `a${n}`, order: 'A' });
      await deliver(tables, { id: 'p', order: 'A' }, { id: 'p', order: 'B', attempt: 2 });
      for (const id of ['q', 'r', 's']) await deliver(tables, { id, order: 'A' });
      // The conflict becomes other bytes of the same event.
      readAs(tables, { id: 'p', order: 'B' });
      counts.push(...(await pagesOf(tables, 'replay', { dry_run: dryRun })).counts);
    }
    expect(counts).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
  },
);

it.each([
  [{ event_id: 'p', limit: 1 }, [1]],
  [{ order_id: 'A' }, [2]],
])('a run of %j ends', async (fields, counts) => {
  const tables = sharedTables();
  await deliver(tables, { id: 'p', order: 'A' }, { id: '1', order: 'A' });
  expect((await pagesOf(tables, 'replay', fields)).counts).toEqual(counts);
});

it('ends a page with the hundredth order that changes, in a comparison too', async () => {
  const tables = sharedTables();
  for (let n = 0; n < 104; n += 1)
    await deliver(tables, { id: `e${n}`, order: `A${n}`, transaction: `T${n}` });
  tables.orders.clear();
  expect((await pagesOf(tables, 'verify')).counts).toEqual([100, 4, 0]);
  expect((await pagesOf(tables, 'replay')).counts).toEqual([100, 4]);
});

it.each<[string, object, Partial<EventRow>, string[]]>([
  ['an order', { order_id: 'A' }, { eventName: 'transaction.old' }, ['live:order:A', 'live:replay']],
  ['an event', { event_id: 'p' }, { outcome: 'quarantined' }, ['live:event:p']],
])('a replay of %s is among the acts where only a row changes, and nowhere after that', async (...given) => {
  const [, subject, change, keys] = given;
  const tables = sharedTables();
  await deliver(tables, { id: 'p', order: 'A' });
  const row = tables.events.get('live:event:p event');
  if (row) tables.events.set('live:event:p event', { ...row, ...change });
  const { pages, acts } = await pagesOf(tables, 'replay', subject);
  expect(pages).toMatchObject([{ changed: true, orders: [] }]);
  expect([...acts.keys()].sort()).toEqual(keys);
  expect(tables.events.get('live:event:p event')).toMatchObject(row ?? {});
  const [fields] = [...acts.values()].flat();
  const named = 'order_id' in subject ? { orderId: 'A' } : { eventId: 'p' };
  const { act, by, at, reason, ...names } = fields ?? {};
  expect(names).toStrictEqual(named);
  expect((await pagesOf(tables, 'replay', subject)).acts.size).toBe(0);
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

it('a response of exactly the most bytes is full', () => {
  const order = { mode: 'live' as const, id: 'A' };
  const fact = 'x'.repeat(512 * 1024);
  expect(fillResponse([{ order, before: [fact], after: [fact] }])).toBe(true);
  expect(fillResponse([{ order, before: [fact], after: [fact.slice(1)] }])).toBe(false);
});
