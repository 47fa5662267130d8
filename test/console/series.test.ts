import { describe, expect, it } from 'vitest';
import {
  type MeasuredResources,
  type Metric,
  type MetricId,
  metricsOf,
} from '../../console/server/series/metrics.ts';
import {
  createSeries,
  type Tolerance,
  type Values,
  withoutHeartbeats,
} from '../../console/server/series/series.ts';

const resources: MeasuredResources = {
  ...{ namespace: 'payhooks/shop', eventQueue: 'events', verifier: 'verify', heartbeat: 'beat' },
};
const now = Date.parse('2026-11-21T12:00:30.000Z');

/** Values of the last minutes; nothing before them. */
type Latest = Partial<Record<MetricId, Values>>;

function setUp(latest: Latest, options: Partial<Parameters<typeof createSeries>[0]> = {}) {
  const spans: { begin: string; end: string }[] = [];
  const read = createSeries({
    resources: async () => resources,
    async read(metrics: ReadonlyMap<MetricId, Metric>, { begin, end }) {
      spans.push({ begin: new Date(begin).toISOString(), end: new Date(end).toISOString() });
      const minutes = (end - begin) / 60_000;
      return new Map(
        [...metrics.keys()].map((id): [MetricId, Values] => {
          const values = latest[id] ?? [];
          return [id, [...Array.from({ length: minutes - values.length }, () => undefined), ...values]];
        }),
      );
    },
    now: () => now,
    ...{ lateMinutes: 0, ...options },
  });
  return { read, spans };
}

describe('heartbeats in a count per minute', () => {
  const near = { before: 1, after: 1 };

  it.each<[string, number[], number[], Tolerance, number[]]>([
    ['of their own minute', [0, 3, 1], [0, 1, 0], near, [0, 2, 1]],
    ['that the next minute counts', [0, 0, 2], [0, 1, 0], near, [0, 0, 1]],
    ['that the minute before counts', [2, 0, 0], [0, 1, 0], near, [1, 0, 0]],
    ['that were recorded long after', [0, 0, 0, 9], [1, 1, 0, 1], { before: 0, after: 4 }, [0, 0, 0, 6]],
  ])('are left out: those %s', (_, counts, heartbeats, tolerance, expected) => {
    expect(withoutHeartbeats(counts, heartbeats, tolerance)).toEqual(expected);
  });

  it('take nothing away from minutes that are further apart', () => {
    expect(withoutHeartbeats([0, 0, 5, 0], [1, 0, 0, 0], near)).toEqual([0, 0, 5, 0]);
    expect(withoutHeartbeats([5, 0], [0, 1], { before: 0, after: 9 })).toEqual([5, 0]);
  });
});

describe('the series of the last hour', () => {
  it('have 60 minutes, of which the last has begun', async () => {
    const { read, spans } = setUp({ sent: [4, 5] });
    const { since, until, accepted } = await read();
    expect([since, until]).toEqual(['2026-11-21T11:01:00.000Z', '2026-11-21T12:01:00.000Z']);
    expect(accepted).toHaveLength(60);
    expect(accepted.slice(-3)).toEqual([0, 4, 5]);
    expect(spans).toEqual([{ begin: '2026-11-21T10:01:00.000Z', end: '2026-11-21T12:01:00.000Z' }]);
  });

  it('end earlier where the newest minutes are not complete', async () => {
    const { read } = setUp({}, { lateMinutes: 3 });
    expect((await read()).until).toBe('2026-11-21T11:58:00.000Z');
  });

  it('count no heartbeat as a webhook, also one that is still in the queue', async () => {
    // The function runs twice for a heartbeat that returns: to send it, and when the bus returns it.
    const { read } = setUp({ sent: [1, 7, 1], deleted: [1, 6, 0], beats: [2, 0, 1], returned: [1, 0, 0] });
    const { accepted, recorded } = await read();
    expect(accepted.slice(-3)).toEqual([0, 7, 0]);
    expect(recorded.slice(-3)).toEqual([0, 6, 0]);
  });

  it('count no heartbeat that was sent before the hour and recorded in it', async () => {
    const stalled = { beats: Array.from({ length: 90 }, (_, index) => (index % 5 === 0 ? 1 : 0)) };
    const { read } = setUp({ ...stalled, deleted: [20] });
    expect((await read()).recorded.at(-1)).toBe(2);
  });

  it('have refusals by their reason', async () => {
    const { read } = setUp({ refused_mismatch: [3], refused_throttled: [8] });
    const { refused } = await read();
    expect(refused.mismatch.at(-1)).toBe(3);
    expect(refused.throttled.at(-1)).toBe(8);
    expect(refused.crashed.at(-1)).toBe(0);
  });

  it('have the age of the oldest event, and no value for a minute without one', async () => {
    const { read } = setUp({ oldest: [12, undefined] });
    expect((await read()).oldest_seconds.slice(-3)).toEqual([null, 12, null]);
  });
});

describe('a reading of the series', () => {
  it('takes 13 metrics of a deployed stack, each of which costs money', () => {
    expect(metricsOf(resources).size).toBe(13);
  });
});
