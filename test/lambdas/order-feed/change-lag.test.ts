import { describe, expect, it } from 'vitest';
import { createOrderFeed } from '../../../lambdas/order-feed/order-feed.ts';
import { paid } from '../../doubles/facts.ts';
import { streamEvent, streamRecord, type WrittenOrder } from '../../doubles/stream-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const published = { batchItemFailures: [] };

function startFeed() {
  const telemetry = recordTelemetry();
  const bus = { put: async () => [] };
  const publishOrderChanges = createOrderFeed({
    ...{ bus, pause: async () => {}, sequenceBase: 0, telemetry },
  });
  const publish = (...written: WrittenOrder[]) => publishOrderChanges(streamEvent(...written));
  return { publishOrderChanges, publish, telemetry };
}

describe('the lag of a change', () => {
  /** A write with the time stamp 10:00:00, committed this many seconds later. */
  const committedAfter = (seconds: number, more: Partial<WrittenOrder> = {}) => ({
    after: [paid('evt-1')],
    updatedAt: '2026-11-21T10:00:00.000Z',
    committedAt: 1_795_255_200 + seconds,
    ...more,
  });

  it('is emitted from a third of the bound on, as the longest time that it can have been', async () => {
    const { publish, telemetry } = startFeed();
    await publish(committedAfter(9), committedAfter(20));
    expect(telemetry.measured).toEqual([
      { metric: 'ChangeLag', value: 10, unit: 'Seconds' },
      { metric: 'ChangeLag', value: 21, unit: 'Seconds' },
    ]);
    expect(telemetry.lines[0]).toEqual({
      level: 'warn',
      message: 'order change committed late',
      fields: { mode: 'live', order_id: 'order-1', updated_at: '2026-11-21T10:00:00.000Z', lag_seconds: 10 },
    });
  });

  it('is not emitted below that, nor for a time stamp of a clock that is ahead', async () => {
    const { publish, telemetry } = startFeed();
    await publish(committedAfter(8), committedAfter(-60));
    expect(telemetry.measured).toEqual([]);
  });

  it('is not measured for a record without the time of its commit', async () => {
    const { publishOrderChanges, telemetry } = startFeed();
    const record = streamRecord(committedAfter(20));
    const { ApproximateCreationDateTime: _, ...dynamodb } = record.dynamodb ?? {};
    expect(await publishOrderChanges({ Records: [{ ...record, dynamodb }] })).toEqual(published);
    expect(telemetry.measured).toEqual([]);
  });

  it('is emitted for a write to a row that had no time stamp', async () => {
    const { publishOrderChanges, telemetry } = startFeed();
    const { dynamodb, ...record } = streamRecord(committedAfter(20, { before: [paid('a')] }));
    const { updated_at: _, ...OldImage } = dynamodb?.OldImage ?? {};
    const Records = [{ ...record, dynamodb: { ...dynamodb, OldImage } }];
    expect(await publishOrderChanges({ Records })).toEqual(published);
    expect(telemetry.measured).toEqual([{ metric: 'ChangeLag', value: 21, unit: 'Seconds' }]);
  });

  it('is not measured for a write that keeps the time stamp', async () => {
    const { publish, telemetry } = startFeed();
    const updatedBefore = '2026-11-21T10:00:00.000Z';
    await publish(committedAfter(86_400, { before: [paid('evt-1')], updatedBefore }));
    expect(telemetry.measured).toEqual([]);
  });
});
