import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWaitingIndex } from '../lambdas/aws/waiting-index.ts';
import type { WaitingReader } from '../lambdas/ports/waiting-reader.ts';
import { recordCalls } from './doubles/call-recorder.ts';
import { type LocalTables, startTables } from './doubles/local-tables.ts';

let tables: LocalTables;
let waiting: WaitingReader;

beforeAll(async () => {
  tables = await startTables();
  waiting = createWaitingIndex(tables.client, 'events');
});
afterAll(() => tables.close());

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
  it('counts the rows of one mode and kind, and none that do not wait', async () => {
    await put(
      { waiting: 'live:conflict' },
      { waiting: 'live:conflict' },
      { waiting: 'sandbox:conflict' },
      { waiting: 'live:quarantined' },
      { outcome: 'applied' },
    );
    expect(await waiting.count('live', 'conflict')).toBe(2);
    expect(await waiting.count('sandbox', 'conflict')).toBe(1);
    expect(await waiting.count('live', 'unrecognised')).toBe(0);
  });

  const [earlier, later] = ['2026-11-21T08:00:00.000Z', '2026-11-21T09:00:00.000Z'];

  it('lists the event names without a meaning of one mode, oldest first', async () => {
    await put(
      { waiting: 'live:event_name', event_name: 'charge.won', recorded_at: later },
      { waiting: 'live:event_name', event_name: 'charge.lost', recorded_at: earlier },
      { waiting: 'sandbox:event_name', event_name: 'payout.made', recorded_at: later },
    );
    expect(await waiting.eventNames('live')).toEqual([
      { eventName: 'charge.lost', recordedAt: earlier },
      { eventName: 'charge.won', recordedAt: later },
    ]);
    expect(await waiting.eventNames('sandbox')).toEqual([{ eventName: 'payout.made', recordedAt: later }]);
  });

  it('shows since when the oldest row of a kind waits', async () => {
    await put(
      { waiting: 'live:unassigned', recorded_at: later },
      { waiting: 'live:unassigned', recorded_at: earlier },
    );
    expect(await waiting.oldest('live', 'unassigned')).toBe(earlier);
    expect(await waiting.oldest('sandbox', 'unassigned')).toBeUndefined();
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
