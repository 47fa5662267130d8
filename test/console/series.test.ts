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

/** The series of these values of the last minutes; nothing before them. */
const read = (latest: Partial<Record<MetricId, Values>>) =>
  createSeries({
    resources: async () => resources,
    async read(metrics: ReadonlyMap<MetricId, Metric>, { begin, end }) {
      const minutes = (end - begin) / 60_000;
      const valuesOf = (id: MetricId): Values => latest[id] ?? [];
      return new Map(
        [...metrics.keys()].map((id): [MetricId, Values] => {
          const nothing = Array.from({ length: minutes - valuesOf(id).length }, () => undefined);
          return [id, [...nothing, ...valuesOf(id)]];
        }),
      );
    },
    now: () => Date.parse('2026-11-21T12:00:30.000Z'),
    lateMinutes: 0,
  })();

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
  it('count no heartbeat as a webhook, also one that is still in the queue', async () => {
    // The function runs twice for a heartbeat that returns: to send it, and when the bus returns it.
    const heartbeats = { beats: [2, 0, 1], returned: [1, 0, 0] };
    const { accepted, recorded } = await read({ sent: [1, 7, 1], deleted: [1, 6, 0], ...heartbeats });
    expect(accepted.slice(-3)).toEqual([0, 7, 0]);
    expect(recorded.slice(-3)).toEqual([0, 6, 0]);
  });

  it('count no heartbeat that was sent before the hour and recorded in it', async () => {
    const stalled = { beats: Array.from({ length: 90 }, (_, index) => (index % 5 === 0 ? 1 : 0)) };
    expect((await read({ ...stalled, deleted: [20] })).recorded.at(-1)).toBe(2);
  });
});

describe('a reading of the series', () => {
  it('takes 13 metrics of a deployed stack, each of which costs money', () => {
    expect(metricsOf(resources).size).toBe(13);
  });
});
