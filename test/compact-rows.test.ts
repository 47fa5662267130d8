import { readFileSync } from 'node:fs';
import { GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import { createOperatorTables } from '../lambdas/aws/operator-tables.ts';
import { createOrderTable } from '../lambdas/aws/order-table.ts';
import { waitingAttributes } from '../lambdas/contract/schema.ts';
import { fullFact } from '../lambdas/domain/fact.ts';
import type { Erasure } from '../lambdas/ports/decisions.ts';
import { type EventRow, PermanentStoreError } from '../lambdas/ports/stores.ts';
import { type LocalTables, startTables } from './doubles/local-tables.ts';
import { sha256 } from './doubles/older-parser.ts';
import { isRowOfEventIn020, readRowAs020, readSummaryAs020 } from './doubles/reader-of-0.2.0.ts';

let tables: LocalTables;
let events: ReturnType<typeof createEventTable>;
let operator: ReturnType<typeof createOperatorTables>;
beforeAll(async () => {
  tables = await startTables();
  events = createEventTable(tables.client, 'events', { compact: true });
  operator = createOperatorTables(tables.client, { events: 'events', orders: 'orders' });
});
afterAll(() => tables.close());

const at = '2026-11-21T10:00:00.000Z';
const erased: Erasure = { by: 'ann', at, reason: 'requested' };

/** The row of a payment of the order `A`, or of an event that names no order. */
function rowOf(
  eventId: string,
  { orderId = 'A' as string | null } = {},
): Required<Pick<EventRow, 'fact' | 'body'>> & EventRow {
  const event = paidEvent({
    orderId: orderId ?? '',
    seed: eventId,
    eventId,
    createdAt: '2026-11-21T09:59:59.000000Z',
  });
  const body = new Uint8Array(bytesOf(event));
  const transactionId = event.payload.transaction.id;
  return {
    key: `live:event:${eventId}`,
    record: 'event',
    mode: 'live',
    outcome: orderId === null ? 'recorded' : 'applied',
    eventId,
    eventName: 'transaction.paid',
    ...(orderId === null ? {} : { orderId }),
    transactionId,
    fact: JSON.stringify([
      'event.1',
      eventId,
      'transaction.paid',
      transactionId,
      '100.00',
      'USD',
      '2026-11-21T09:59:59.000000Z',
    ]),
    body,
    bodySha256: sha256(body),
    signature: 'ab'.repeat(32),
    keyId: '0123456789abcdef',
    receivedAt: at,
    recordedAt: at,
  };
}

async function itemOf(eventId: string) {
  const Key = { event_key: { S: `live:event:${eventId}` }, record: { S: 'event' } };
  const { Item } = await tables.client.send(new GetItemCommand({ TableName: 'events', Key }));
  return Item ?? {};
}

async function read(eventId: string): Promise<EventRow | undefined> {
  const row = await events.getRow(`live:event:${eventId}`, 'event');
  return row?.body ? { ...row, body: new Uint8Array(row.body) } : row;
}

describe('the compact row of an event', () => {
  it('has these attributes and no others', async () => {
    await events.put(rowOf('names'));
    expect(Object.keys(await itemOf('names')).sort()).toEqual(
      ['b', 'event_key', 'f', 'h', 'k', 'o', 'outcome', 'r', 'record', 's', 't'].sort(),
    );
  });

  it('is the existing row for a second delivery, whichever version put it', async () => {
    const plain = createEventTable(tables.client, 'events');
    for (const [id, first, second] of [
      ['new-old', events, plain],
      ['old-new', plain, events],
    ] as const) {
      expect(await first.put(rowOf(id))).toEqual({ kind: 'stored' });
      const { fact, body, ...row } = rowOf(id);
      const present = await second.put({ ...row, body });
      expect(present).toMatchObject({ kind: 'present', row: { fact, bodySha256: row.bodySha256 } });
    }
  });

  it('is found by its event id, has a summary, and is scanned by the time of its recording', async () => {
    await events.put(rowOf('found'));
    expect(await events.find('live', 'found')).toMatchObject([{ eventId: 'found', orderId: 'A' }]);
    expect(await events.summaries('live', ['found'])).toEqual(
      new Map([
        [
          'found',
          {
            orderId: 'A',
            transactionId: rowOf('found').transactionId,
            receivedAt: at,
            recordedAt: at,
            keyId: '0123456789abcdef',
            bodySha256: rowOf('found').bodySha256,
          },
        ],
      ]),
    );
    const scanned = async (since: string, until: string) => {
      const { events: found } = await operator.eventScan.page({
        mode: 'live',
        since,
        until,
        after: undefined,
      });
      return found.filter(({ eventId }) => eventId === 'found').length;
    };
    expect(await scanned(at, at)).toBe(1);
    expect(await scanned('2026-11-21T10:00:00.001Z', '2027-01-01T00:00:00.000Z')).toBe(0);
    expect(await scanned('2026-01-01T00:00:00.000Z', '2026-11-21T09:59:59.999Z')).toBe(0);
  });

  it('that a full order refuses is rewritten for the index of what waits, and says the same', async () => {
    const row = rowOf('refused');
    await events.put(row);
    const state = { outcome: 'quarantined', reason: 'order_refused', waiting: 'order_refused' } as const;
    await events.settle({
      key: row.key,
      mode: 'live',
      bodySha256: row.bodySha256,
      ...state,
      assignedOrderId: 'A',
    });
    expect(await read('refused')).toEqual({ ...row, ...state, assignedOrderId: 'A' });
    const item = await itemOf('refused');
    const projected = waitingAttributes.filter((name) => item[name]?.S !== undefined);
    expect(projected).toEqual([...waitingAttributes]);
    expect(item).not.toHaveProperty('h');
    expect(item).not.toHaveProperty('b');
  });

  it('is settled by its fact, which is not stored a second time', async () => {
    const row = rowOf('joined', { orderId: null });
    await events.put(row);
    const settlement = { key: row.key, mode: 'live', outcome: 'applied', assignedOrderId: 'B' } as const;
    expect(await events.settle({ ...settlement, fact: row.fact.replace('100.00', '1.00') })).toBeUndefined();
    expect(await events.settle({ ...settlement, fact: row.fact })).toBe(row.bodySha256);
    expect(await read('joined')).toEqual({ ...row, outcome: 'applied', assignedOrderId: 'B' });
    expect(await itemOf('joined')).not.toHaveProperty('fact');
  });

  it('is settled by its body, and not by another one', async () => {
    const row = rowOf('settled');
    await events.put(row);
    const settlement = { key: row.key, mode: 'live', outcome: 'recorded' } as const;
    expect(await events.settle({ ...settlement, bodySha256: 'ab'.repeat(32) })).toBeUndefined();
    expect(await events.settle({ ...settlement, bodySha256: row.bodySha256 })).toBe(row.bodySha256);
    expect(await read('settled')).toEqual({ ...row, outcome: 'recorded' });
  });

  it('can be read in another way, whatever its body was deflated with', async () => {
    const row = rowOf('reread');
    await events.put(row);
    const reading = {
      eventName: 'transaction.refunded',
      orderId: 'C',
      transactionId: 'U',
      fact: row.fact.replace('paid', 'refunded'),
    };
    const { key, mode, bodySha256 } = row;
    await operator.events.reread({ key, mode, bodySha256, ...reading, outcome: 'applied', from: 'applied' });
    expect(await read('reread')).toEqual({ ...row, ...reading });
  });

  it('begins to wait when an operator admits it', async () => {
    const row = rowOf('claimed', { orderId: null });
    await events.put(row);
    const judged = { ...erased, verdict: 'admitted' } as const;
    const change = { row, expected: { judged: null }, judged, waiting: 'unassigned' } as const;
    expect(await operator.judgements.judge(change)).toBe(true);
    expect(await read('claimed')).toEqual({ ...row, judged, waiting: 'unassigned' });
    expect(await itemOf('claimed')).toMatchObject({ recorded_at: { S: at }, event_id: { S: 'claimed' } });
  });

  it.each([
    ['goes on', {}],
    ['has ended', { waiting: null }],
  ])('stays compact when it is judged and its wait %s', async (name, waiting) => {
    const row = rowOf(name);
    await events.put(row);
    const before = await itemOf(name);
    const judged = { ...erased, verdict: 'dismissed' } as const;
    expect(await operator.judgements.judge({ row, expected: {}, judged, ...waiting })).toBe(true);
    expect(await itemOf(name)).toEqual({ ...before, judged: expect.anything() });
  });

  it('loses its body to an erasure, and nothing else', async () => {
    const row = rowOf('erased');
    await events.put(row);
    await events.eraseBody({ key: row.key, record: 'event', erased, fact: row.fact });
    const { body: _, ...rest } = row;
    expect(await read('erased')).toEqual({ ...rest, erased });
    const state = { outcome: 'quarantined', waiting: 'order_refused' } as const;
    await events.settle({ key: row.key, mode: 'live', bodySha256: row.bodySha256, ...state });
    expect(await read('erased')).toEqual({ ...rest, ...state, erased });
  });

  it('has a body in a row of its own that expires, is kept and is erased', async () => {
    const { body, ...row } = rowOf('apart');
    await events.putBody({ key: row.key, body, bodySha256: row.bodySha256, expiresAt: 1_800_000_000 });
    await events.put(row);
    const found = await events.find('live', 'apart');
    expect(found.map((one) => one.body && new Uint8Array(one.body))).toEqual([body]);
    await events.setBodyExpiry(row, undefined);
    const Key = { event_key: { S: row.key }, record: { S: `body:${row.bodySha256}` } };
    const bodyItem = async () =>
      (await tables.client.send(new GetItemCommand({ TableName: 'events', Key }))).Item;
    expect(Object.keys((await bodyItem()) ?? {}).sort()).toEqual(['b', 'event_key', 'record']);
    await events.eraseBody({ key: row.key, record: `body:${row.bodySha256}`, erased });
    expect(Object.keys((await bodyItem()) ?? {}).sort()).toEqual(['erased', 'event_key', 'record']);
  });
});

describe('the compact row of an order', () => {
  it.each([
    ['is still on', { id: 'full-on', compact: true }],
    ['has been switched off', { id: 'full-off', compact: false }],
  ])('takes the report that it is full in 400 KB when the setting %s', async (_, { id, compact }) => {
    const orders = createOrderTable(tables.client, 'orders', { compact: true });
    const later = createOrderTable(tables.client, 'orders', { compact });
    const merge = (facts: string[], { to = orders, releasesHeadroom = false } = {}) =>
      to.merge({ order: { mode: 'live', id }, facts, now: () => new Date(at), releasesHeadroom });
    const named = {
      order_key: `live:order:${id}`,
      updated_at: at,
      change_shard: 'live:00',
      facts: '',
      p: '0'.repeat(12),
    };
    const filler = 409_600 - Object.entries(named).flat().join('').length;
    // The number of the shard has one digit or two.
    await merge(['x'.repeat(filler + 1)]).catch(() => merge(['x'.repeat(filler)]));
    await expect(merge(['a payment'.repeat(9)], { to: later })).rejects.toThrow(PermanentStoreError);
    const report = await merge([fullFact], { to: later, releasesHeadroom: true });
    expect(report.facts).toContain('["full.1"]');
    expect(await orders.get({ mode: 'live', id })).toMatchObject({ order: { mode: 'live', id } });
  });
});

describe('release 0.2.0', () => {
  it('refuses a compact row wherever it would read one, and takes none for no row', async () => {
    await events.put(rowOf('old-code'));
    const item = await itemOf('old-code');
    expect(isRowOfEventIn020(item)).toBe(true);
    expect(() => readRowAs020(item)).toThrow('no text attribute "body_sha256"');
    expect(() => readSummaryAs020(item)).toThrow('no text attribute "event_id"');
  });

  it('reads what is written without `compactRows`, and a row that has begun to wait', async () => {
    const plain = createEventTable(tables.client, 'events');
    for (const [id, table] of [
      ['plain', plain],
      ['waits', events],
    ] as const) {
      const row = rowOf(id);
      await table.put(row);
      const state = { outcome: 'quarantined', waiting: 'order_refused' } as const;
      await table.settle({ key: row.key, mode: 'live', bodySha256: row.bodySha256, ...state });
      const { bodySha256, orderId, body } = readRowAs020(await itemOf(id));
      expect([bodySha256, orderId, new Uint8Array(body)]).toEqual([row.bodySha256, 'A', row.body]);
    }
  });

  it('leaves behind rows that docs/deploy.md finds, and compact rows of history are not among them', async () => {
    const guide = readFileSync('docs/deploy.md', 'utf8');
    const [, FilterExpression] = /--filter-expression '([^']+)'/.exec(guide) ?? [];
    const [, values = ''] = /--expression-attribute-values '([^']+)'/.exec(guide) ?? [];
    const { signature: _, ...unsigned } = { ...rowOf('unsigned', { orderId: null }), signature: undefined };
    await events.put(rowOf('history', { orderId: null }));
    await createEventTable(tables.client, 'events').put(unsigned);
    const scan = { TableName: 'events', FilterExpression, ExpressionAttributeValues: JSON.parse(values) };
    const { Items = [] } = await tables.client.send(new ScanCommand(scan));
    expect(Items.map((found) => found['event_key']?.S)).toEqual(['live:event:unsigned']);
  });
});
