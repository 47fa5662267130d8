import { describe, expect, it } from 'vitest';
import { waitingPagesMax } from '../../../lambdas/contract/limits.ts';
import { waitingFor } from '../../../lambdas/order-query/order-waiting.ts';
import type { EventRow } from '../../../lambdas/ports/rows.ts';
import { eventRow } from '../../doubles/event-rows.ts';
import { memoryWaiting } from '../../doubles/memory-indexes.ts';
import { createMemoryTables } from '../../doubles/memory-store.ts';

const order = { mode: 'live', id: 'order-1' } as const;
const quarantined = {
  record: 'quarantine:ab',
  outcome: 'quarantined',
  reason: 'sandbox_flag_missing',
  waiting: 'quarantined',
} as const;
const full = { outcome: 'quarantined', reason: 'order_refused', waiting: 'order_refused' } as const;
const conflict = { record: 'conflict:ab', outcome: 'conflict', waiting: 'conflict' } as const;
const at = (hour: number) => ({ receivedAt: `2026-11-21T${hour}:00:00.000Z` });

async function waitingOf(...rows: readonly EventRow[]) {
  const tables = createMemoryTables();
  for (const row of rows) await tables.open().store.put(row);
  return waitingFor(memoryWaiting(tables), order);
}

describe('the events that wait and name an order', () => {
  it('are found in every kind that names orders, oldest first, and no others', async () => {
    const { events, isComplete } = await waitingOf(
      eventRow('evt-0', { ...quarantined, ...at(11) }),
      eventRow('evt-1', { ...quarantined, bodySha256: '1' }),
      eventRow('evt-2', { ...conflict, bodySha256: '2' }),
      eventRow('evt-3', {
        ...full,
        bodySha256: '3',
        reading: { orderId: null },
        assignedOrderIds: ['order-1'],
      }),
      eventRow('evt-4', { ...conflict, ...at(12) }),
      eventRow('evt-other', { ...quarantined, reading: { orderId: 'order-2' } }),
      eventRow('evt-sandbox', { ...quarantined, mode: 'sandbox' }),
      eventRow('evt-done'),
    );
    expect(events.map(({ event_id, kind }) => [event_id, kind])).toEqual([
      ['evt-1', 'quarantined'],
      ['evt-2', 'conflict'],
      ['evt-3', 'order_refused'],
      ['evt-0', 'quarantined'],
      ['evt-4', 'conflict'],
    ]);
    expect(events[0]).toEqual({
      event_id: 'evt-1',
      event_name: 'transaction.paid',
      kind: 'quarantined',
      outcome: 'quarantined',
      reason: 'sandbox_flag_missing',
      received_at: '2026-11-21T10:00:00.000Z',
      body_sha256: '1',
    });
    expect(isComplete).toBe(true);
  });

  it('are in the order of their kinds where one body waits twice', async () => {
    const { events } = await waitingOf(eventRow('evt-1', quarantined), eventRow('evt-1', full));
    expect(events.map(({ kind }) => kind)).toEqual(['quarantined', 'order_refused']);
  });

  it('are searched in a bounded number of pages, and the result shows that there are more', async () => {
    const next = { key: 'k', record: 'r', recordedAt: '2026' };
    const searched: string[] = [];
    const list = async ({ kind }: { readonly kind: string }) => {
      searched.push(kind);
      return { rows: [], next: kind === 'conflict' ? next : undefined };
    };
    expect(await waitingFor({ list }, order)).toEqual({ events: [], isComplete: false });
    expect(searched.filter((kind) => kind === 'conflict')).toHaveLength(waitingPagesMax);
  });
});
