import { describe, expect, it } from 'vitest';
import { percentile, percentilesOf } from './percentiles.ts';
import { pictureOf, ticksUpTo } from './picture.ts';
import { reportOf } from './report.ts';
import type { LoadResult } from './run.ts';
import { timelineOf } from './timeline.ts';

/** Two seconds of load: 100 webhooks that take 1 to 100 ms, one in ten of them refused. */
const result: LoadResult = {
  seconds: 2,
  drainSeconds: 0.5,
  sent: 103,
  acknowledged: 90,
  errors: 1,
  outcomes: Array.from({ length: 100 }, (_, index) => ({
    at: index / 50,
    milliseconds: index + 1,
    status: index % 10 === 9 ? 503 : 202,
  })),
  samples: [
    { at: 0.1, memoryBytes: 300e6, waiting: 0, acknowledged: 4 },
    { at: 1.1, memoryBytes: 420e6, waiting: 12, acknowledged: 50 },
    { at: 2.1, memoryBytes: 400e6, waiting: 0, acknowledged: 90 },
  ],
  judgement: { recordedOnce: 92, lost: [], doubled: [], invented: [] },
};

describe('percentiles of a load', () => {
  it('are the least value that so many percent do not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentilesOf(hundred)).toEqual({ p50: 50, p90: 90, p99: 99, max: 100 });
    expect(percentilesOf([7])).toEqual({ p50: 7, p90: 7, p99: 7, max: 7 });
    expect(percentilesOf([1, 1_000])).toEqual({ p50: 1, p90: 1_000, p99: 1_000, max: 1_000 });
  });

  it('are 0 of no values', () => {
    expect(percentile([], 99)).toBe(0);
  });
});

it('the report of a load counts webhooks, responses by status, latency, the queue and memory', () => {
  expect(reportOf(result).join('\n').replaceAll(/ {2,}/g, '  ')).toBe(`webhooks:
  sent  103  51.5/s
  acknowledged  90  45.0/s
  recorded exactly once  92  36.8/s

responses:
  202  90
  503  10
  failed or without a response in time  1
  under way when the load ended  2

latency of acknowledged webhooks:
  p50  49 ms
  p90  89 ms
  p99  99 ms
  max  99 ms

local mode:
  time until the queue was empty  0.5 s
  most events waiting  12
  memory at the start  300 MB
  memory at most  420 MB
  memory at the end  400 MB`);
});

describe('the picture of a load', () => {
  it('has a point for each second of a short run', () => {
    expect(timelineOf(result)).toEqual([
      { at: 1, acknowledgedPerSecond: 45, p99: 49, memoryBytes: 300e6 },
      { at: 2, acknowledgedPerSecond: 45, p99: 99, memoryBytes: 420e6 },
    ]);
  });

  it('has at most 120 points, of whole seconds, for a long run', () => {
    const points = timelineOf({ ...result, seconds: 600, drainSeconds: 30 });
    expect(points.length).toBe(105);
    expect(points.at(-1)).toEqual({
      at: 630,
      acknowledgedPerSecond: 0,
      p99: undefined,
      memoryBytes: undefined,
    });
  });

  it('shows three curves with their units, light and dark', () => {
    const svg = pictureOf(timelineOf(result), 2);
    expect(svg.match(/<polyline /g)).toHaveLength(3);
    for (const title of ['webhooks per second', 'latency in milliseconds', 'memory of local mode in MB'])
      expect(svg).toContain(title);
    expect(svg).toContain('@media (prefers-color-scheme: dark)');
    // 45 of 60 webhooks per second, at the middle and at the end of the plot.
    expect(svg).toContain('points="432.0,72.5 800.0,72.5"');
    expect(svg).not.toContain('NaN');
  });

  it('can be drawn when nothing was acknowledged', () => {
    const svg = pictureOf(timelineOf({ ...result, outcomes: [], samples: [] }), 2);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it.each([
    [0, 4, [0, 1]],
    [45, 4, [0, 20, 40, 60]],
    [437, 4, [0, 200, 400, 600]],
    [600, 10, [0, 100, 200, 300, 400, 500, 600]],
  ])('marks an axis up to %d with %d steps at most', (value, steps, ticks) => {
    expect(ticksUpTo(value, steps)).toEqual(ticks);
  });
});
