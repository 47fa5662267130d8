import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWaitingIndex } from '../../../lambdas/aws/waiting-index.ts';
import type { WaitingPage, WaitingReader, WaitingSelection } from '../../../lambdas/ports/waiting-reader.ts';
import { recordCalls } from '../../doubles/call-recorder.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { type LocalTables, openTables, startTables } from '../../doubles/local-tables.ts';

let tables: LocalTables;
let waiting: WaitingReader;

beforeEach(async () => {
  tables = await startTables();
  waiting = createWaitingIndex({ client: tables.client, name: 'events' });
});
afterEach(() => tables.close());

/** Rows with these attributes and a unique key. */
async function put(...rows: readonly Readonly<Record<string, string>>[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 25) {
    const requests = rows.slice(from, from + 25).map((row, index) => {
      const texts = { record: 'event', recorded_at: '2026-11-21T10:00:00.000Z', ...row };
      const key = `${JSON.stringify(row).slice(0, 100)} ${from + index}`;
      const Item = Object.fromEntries(Object.entries(texts).map(([name, S]) => [name, { S }]));
      return { PutRequest: { Item: { event_key: { S: key }, ...Item } } };
    });
    await tables.client.send(new BatchWriteItemCommand({ RequestItems: { events: requests } }));
  }
}

describe('the index of what waits', () => {
  const [earlier, later] = ['2026-11-21T08:00:00.000Z', '2026-11-21T09:00:00.000Z'];

  it('lists and counts the event names without a meaning of one mode, and since when the oldest waits', async () => {
    await put(
      { waiting: 'live:event_name', event_name: 'charge.won', recorded_at: later },
      { waiting: 'live:event_name', event_name: 'charge.lost', recorded_at: earlier },
      { waiting: 'sandbox:event_name', event_name: 'payout.made', recorded_at: later },
    );
    expect(await waiting.eventNames('live')).toEqual([
      { eventName: 'charge.lost', recordedAt: earlier },
      { eventName: 'charge.won', recordedAt: later },
    ]);
    expect(await waiting.count('live', 'event_name')).toBe(2);
    expect(await waiting.count('sandbox', 'event_name')).toBe(1);
    expect(await waiting.oldest('live', 'event_name')).toBe(earlier);
    expect(await waiting.oldest('sandbox', 'unassigned')).toBeUndefined();
  });

  const at = (minute: number): string => `2026-11-22T10:0${minute}:00.000Z`;
  const listed = async (selection: Partial<WaitingSelection>): Promise<WaitingPage> =>
    waiting.list({ mode: 'live', kind: 'order_refused', limit: 10, ...selection });
  const putFourRows = (): Promise<void> =>
    put(
      ...['o-1', 'o-2', 'o-1', 'o-2'].map((order_id, n) => ({
        ...{ waiting: 'live:order_refused', record: `quarantine:${n}`, recorded_at: at(4 - (n % 3)) },
        ...{ outcome: 'quarantined', order_id, transaction_id: `t-${n}`, body: 'never listed' },
      })),
    );

  it('lists one kind oldest first, in pages that continue where the one before ended', async () => {
    await putFourRows();
    const { rows, next } = await listed({ limit: 3 });
    expect(rows.map(({ recordedAt }) => recordedAt)).toEqual([at(2), at(3), at(4)]);
    expect(rows[0]).toEqual({
      ...{ key: expect.any(String), record: 'quarantine:2', recordedAt: at(2) },
      ...{ outcome: 'quarantined', orderId: 'o-1', transactionId: 't-2', assignedOrderIds: [] },
    });
    const last = await listed({ limit: 3, after: next });
    expect(last.rows.map(({ recordedAt }) => recordedAt)).toEqual([at(4)]);
    expect(last.next).toBeUndefined();
    expect((await listed({ limit: 4 })).next).toBeUndefined();
  });

  it('lists the rows of one order, of one transaction or of a time, both ends inclusive', async () => {
    await putFourRows();
    const transactions = async (selection: Partial<WaitingSelection>): Promise<unknown> =>
      (await listed(selection)).rows.map(({ transactionId }) => transactionId).toSorted();
    expect(await transactions({ orderId: 'o-1' })).toEqual(['t-0', 't-2']);
    expect(await transactions({ transactionId: 't-3' })).toEqual(['t-3']);
    expect(await transactions({ orderId: 'o-1', transactionId: 't-3' })).toEqual([]);
    expect(await transactions({ since: at(3), until: at(3) })).toEqual(['t-1']);
    const page = await listed({ orderId: 'o-1', limit: 1 });
    expect(page.rows).toHaveLength(1);
    expect((await listed({ orderId: 'o-1', limit: 1, after: page.next })).rows).toHaveLength(1);
  });

  it('lists an event under its assigned orders, and a name with its first event', async () => {
    const { store } = openTables(tables.client);
    const reading = { orderId: null };
    const wait = { waiting: 'order_refused', assignedOrderIds: ['o-1', 'o-2'] } as const;
    const row = eventRow('evt-1', { reading, ...wait });
    await store.put(row);
    const { rows } = await listed({ orderId: 'o-2' });
    expect(rows).toMatchObject([
      { eventId: 'evt-1', bodySha256: row.bodySha256, assignedOrderIds: ['o-1', 'o-2'] },
    ]);
    expect((await listed({ orderId: 'o-3' })).rows).toEqual([]);
    await store.putEventName({ mode: 'live', eventName: 'a.b', eventId: 'evt-2', recordedAt: at(1) });
    const { rows: first } = await listed({ kind: 'event_name' });
    expect(first).toMatchObject([{ eventId: 'evt-2', eventName: 'a.b', recordedAt: at(1) }]);
  });

  it('counts every page up to the fourth; the result is then a lower bound', async () => {
    const padding = 'p'.repeat(100_000);
    // Ten of these rows are a page of 1 MB.
    await put(...Array.from({ length: 25 }, () => ({ waiting: 'live:unrecognised', reason: padding })));
    expect(await waiting.count('live', 'unrecognised')).toBe(25);
    await put(
      ...Array.from({ length: 25 }, (_, n) => ({ waiting: 'live:unrecognised', n: `${n}`, reason: padding })),
    );
    const recorder = recordCalls();
    const count = await waiting.count('live', 'unrecognised');
    recorder.stop();
    expect(recorder.calls.map(({ action }) => action)).toEqual(Array(4).fill('dynamodb:Query'));
    expect(count).toBeGreaterThanOrEqual(40);
    expect(count).toBeLessThan(50);
  });
});
