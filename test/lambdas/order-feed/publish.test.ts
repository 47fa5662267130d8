import { describe, expect, it, vi } from 'vitest';
import { entryBytes, type FeedEntry, feedEntry } from '../../../lambdas/order-feed/order-status-changed.ts';
import { publish } from '../../../lambdas/order-feed/publish.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const entry: FeedEntry = feedEntry({
  ...{ id: 'ab', order_id: 'order-1', mode: 'live', sequence: 1, previous: null },
  ...{ current: { status: 'paid', attention: [] }, transactions: [], caused_by: [] },
  updated_at: '2026-11-21T10:00:00.000Z',
});
const parts = { pause: async () => {}, telemetry: recordTelemetry() };

describe('publish', () => {
  it('puts entries of exactly 250 KiB into one request', async () => {
    const fill = (bytes: number): FeedEntry => ({
      ...entry,
      detail: 'x'.repeat(bytes - entryBytes({ ...entry, detail: '' })),
    });
    const put = vi.fn(async (_: readonly FeedEntry[]) => []);
    await publish({ ...parts, bus: { put } }, [fill(128_000), fill(128_000), fill(128_000), fill(128_001)]);
    expect(put.mock.calls.map(([entries]) => entries.length)).toEqual([2, 1, 1]);
  });

  it('calls a failure of the bus that is no error unknown', async () => {
    const bus = { put: () => Promise.reject('no error') };
    expect([...(await publish({ ...parts, bus }, [entry])).values()]).toEqual(['unknown']);
  });
});
