import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itemKeyOf } from '../../../lambdas/aws/items.ts';
import { createReceiptIndex } from '../../../lambdas/aws/receipt-index.ts';
import { eventRecord } from '../../../lambdas/contract/schema.ts';
import type {
  ReceiptPosition,
  ReceiptReader,
  ReceiptSelection,
} from '../../../lambdas/ports/receipt-reader.ts';
import type { EventRow } from '../../../lambdas/ports/rows.ts';
import { conflictRow, eventRow } from '../../doubles/event-rows.ts';
import { type LocalTables, openTables, startTables } from '../../doubles/local-tables.ts';

let tables: LocalTables;
let receipts: ReceiptReader;
let store: ReturnType<typeof openTables>['store'];

beforeEach(async () => {
  tables = await startTables();
  receipts = createReceiptIndex({ client: tables.client, name: 'events' });
  ({ store } = openTables(tables.client));
});
afterEach(() => tables.close());

const at = (millisecond: number): string => new Date(Date.UTC(2026, 10, 21, 10) + millisecond).toISOString();
const end: ReceiptPosition = { receivedAt: '9999-12-31T23:59:59.999Z', tie: '' };

/** All that is listed, page after page. */
async function walk(limit: number, selection: Partial<ReceiptSelection> = {}) {
  let position = selection.position ?? end;
  const ids: string[] = [];
  for (;;) {
    const { rows, more } = await receipts.before({ mode: 'live', ...selection, position, limit });
    ids.push(...rows.map(({ eventId, receivedAt }) => `${receivedAt} ${eventId}`));
    const last = rows.at(-1);
    if (!more || last === undefined) return ids;
    position = last;
  }
}

describe('the index of what was received', () => {
  it('lists in pages of any size each event once, newest first, whichever shard it is in', async () => {
    // Up to five in one millisecond, recorded in another order.
    const rows = Array.from({ length: 40 }, (_, n) => {
      const recordedAt = new Date(Date.UTC(2026, 10, 22) - n).toISOString();
      return eventRow(`evt-${n}`, { receivedAt: at(n < 20 ? (n * 7) % 4 : n), recordedAt });
    });
    for (const row of rows) await store.put(row);
    await store.put(eventRow('of the sandbox', { mode: 'sandbox' }));
    await store.put(eventRow('of a heartbeat', { mode: 'heartbeat' }));
    const all = rows.map(({ eventId, receivedAt }) => `${receivedAt} ${eventId}`);
    const whole = await walk(100);
    expect(whole.toSorted()).toEqual(all.toSorted());
    expect(whole.map((line) => line.slice(0, 24))).toEqual(
      all
        .map((line) => line.slice(0, 24))
        .sort()
        .reverse(),
    );
    for (const limit of [1, 7, 13]) expect(await walk(limit)).toEqual(whole);
    for (const ofShard of [1, 2]) expect(await walk(13, { ofShard })).toEqual(whole);
    const short = await receipts.before({ mode: 'live', position: end, limit: 13, ofShard: 1 });
    expect([short.rows.length < 13, short.more]).toEqual([true, true]);
    const between = { since: at(1), position: { receivedAt: at(3), tie: '' } };
    expect(await walk(3, between)).toEqual(whole.filter((line) => line >= at(1) && line < at(3)));
    expect(await walk(9, { mode: 'heartbeat' as 'live' })).toEqual([]);
  });

  it('shows what a list needs of a row as it is now, at an unchanged place', async () => {
    const reading = { orderId: null };
    const waits = { outcome: 'unassigned', waiting: 'unassigned', assignedOrderIds: [] } as const;
    const row = eventRow('evt-1', { reading, ...waits });
    await store.put(row);
    await store.put(conflictRow('evt-1', 'other'));
    await store.settle({ mode: 'live', eventId: 'evt-1', orderIds: ['order-7'] });
    const { rows } = await receipts.before({ mode: 'live', position: end, limit: 10 });
    const [own, other] = rows.toSorted((a, b) => Number(a.record > b.record) - 0.5).reverse();
    expect(own).toEqual({
      ...{ key: row.key, record: 'event', recordedAt: row.recordedAt, receivedAt: row.receivedAt },
      ...{ eventId: 'evt-1', eventName: 'transaction.paid', transactionId: 'txn-1', outcome: 'applied' },
      ...{ amount: '10.00', currency: 'EUR', assignedOrderIds: ['order-7'], bodySha256: row.bodySha256 },
      tie: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(other).toMatchObject({ outcome: 'conflict', waiting: 'conflict', orderId: 'order-1' });
  });

  it('lists a row that has lost everything but its keys, with the others', async () => {
    for (const id of ['evt-1', 'evt-2']) await store.put(eventRow(id));
    const { key, receivedAt } = eventRow('evt-1');
    const { Item = {} } = await tables.client.send(
      new GetItemCommand({ TableName: 'events', Key: itemKeyOf(key, 'event') }),
    );
    const { event_key, record, receipt_shard, received_at } = Item;
    const kept = { event_key, record, receipt_shard, received_at } as typeof Item;
    await tables.client.send(new PutItemCommand({ TableName: 'events', Item: kept }));
    const { rows } = await receipts.before({ mode: 'live', position: end, limit: 10 });
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual(
      expect.objectContaining({ eventId: 'evt-1', receivedAt, recordedAt: '1970-01-01T00:00:00.000Z' }),
    );
  });

  it('has no row of a body that was admitted into another row', async () => {
    const event = eventRow('evt-1');
    const { body: _, ...bodiless } = event;
    const waits = { record: eventRecord.quarantine(event.bodySha256), outcome: 'quarantined' } as const;
    const before: EventRow = { ...bodiless, ...waits, waiting: 'quarantined' };
    await store.put(before);
    expect(await walk(10)).toHaveLength(1);
    const judged = { verdict: 'admitted', by: 'me', at: at(1), reason: 'checked' } as const;
    const { waiting: __, ...ended } = before;
    const events = [
      { before, after: { ...ended, judged } },
      { before: undefined, after: event },
    ];
    await store.commit({ events, transactions: [], orders: [], names: [], acts: [] });
    const { rows } = await receipts.before({ mode: 'live', position: end, limit: 10 });
    expect(rows.map(({ record }) => record)).toEqual(['event']);
  });
});
