import { percentilesOf } from './percentiles.ts';
import type { LoadResult } from './run.ts';

/** A part of the time: a point of each curve. */
export interface Point {
  /** Its end, in seconds since the start of the load. */
  readonly at: number;
  readonly acknowledgedPerSecond: number;
  /** Milliseconds; `undefined` when nothing was acknowledged. */
  readonly p99: number | undefined;
  /** `undefined` when no sample was taken. */
  readonly memoryBytes: number | undefined;
}

const pointsMax = 120;

/** The run in parts of equal length: whole seconds, and not more parts than a picture can show. */
export function timelineOf({
  outcomes,
  samples,
  seconds,
  drainSeconds,
}: Pick<LoadResult, 'outcomes' | 'samples' | 'seconds' | 'drainSeconds'>): Point[] {
  const total = seconds + drainSeconds;
  const width = Math.max(1, Math.ceil(total / pointsMax));
  const parts = Array.from({ length: Math.max(1, Math.floor(total / width)) }, () => ({
    latencies: [] as number[],
    memory: [] as number[],
  }));
  for (const { at, milliseconds, status } of outcomes)
    if (status === 202) parts[Math.floor(at / width)]?.latencies.push(milliseconds);
  for (const { at, memoryBytes } of samples) parts[Math.floor(at / width)]?.memory.push(memoryBytes);
  return parts.map(({ latencies, memory }, index) => ({
    at: (index + 1) * width,
    acknowledgedPerSecond: latencies.length / width,
    p99: latencies.length === 0 ? undefined : percentilesOf(latencies).p99,
    memoryBytes: memory.length === 0 ? undefined : Math.max(...memory),
  }));
}
