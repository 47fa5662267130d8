import { setTimeout as pause } from 'node:timers/promises';

const firstMilliseconds = 100;
const longestMilliseconds = 5_000;

/** Waits before the next attempt, twice as long after each failure; at most until `stopping`. */
export async function backOff(failures: number, stopping: AbortSignal): Promise<void> {
  const milliseconds = Math.min(firstMilliseconds * 2 ** (failures - 1), longestMilliseconds);
  await pause(milliseconds, undefined, { signal: stopping }).catch(() => {});
}
