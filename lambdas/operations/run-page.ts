import { replayEventsAtOnce, replayMillisecondsMax } from '../contract/operations-limits.ts';
import type { Handled, NextEvent, Place } from './run.ts';

export interface RunPage {
  readonly handled: readonly Handled[];
  /** Where the run goes on. */
  readonly after: Place['after'] | null;
  readonly isComplete: boolean;
  /** What the next event has to wait for, before which the page ended. */
  readonly retryAfterSeconds: number | null;
}

export interface PageRequest {
  readonly events: AsyncIterable<NextEvent | Place>;
  /** Where the page begins. */
  readonly start: Place['after'] | null;
  readonly limit: number;
  readonly now: () => Date;
  readonly handle: (event: NextEvent) => Promise<Handled>;
  /** Whether what was handled so far fills a response. */
  readonly isFull: (handled: readonly Handled[]) => boolean;
}

/**
 * Handles the next events of a run, some at a time, until the limit, the time or the size of a response is
 * reached.
 */
export async function runPage({ events, start, limit, now, handle, isFull }: PageRequest): Promise<RunPage> {
  const ends = now().getTime() + replayMillisecondsMax;
  const isLate = (): boolean => now().getTime() >= ends;
  const handled: Handled[] = [];
  let after = start;
  let batch: NextEvent[] = [];
  let retryAfterSeconds: number | null = null;

  /** Whether the page goes on. */
  async function handleBatch(): Promise<boolean> {
    const results = await Promise.all(batch.map(handle));
    batch = [];
    for (const result of results) {
      if (result.repaired.kind === 'busy') {
        retryAfterSeconds ??= result.repaired.retryAfterSeconds;
        continue;
      }
      handled.push(result);
      // What was done after an event that has to wait is shown, and is handled again with it.
      if (retryAfterSeconds === null) after = result.after;
    }
    return retryAfterSeconds === null && handled.length < limit && !isLate() && !isFull(handled);
  }

  for await (const event of events) {
    if ('eventId' in event) batch.push(event);
    else if (batch.length === 0) after = event.after;
    const isBatch = batch.length >= Math.min(replayEventsAtOnce, limit - handled.length);
    if ((isBatch || isLate()) && !(await handleBatch()))
      return { handled, after, isComplete: false, retryAfterSeconds };
  }
  await handleBatch();
  return { handled, after, isComplete: retryAfterSeconds === null, retryAfterSeconds };
}
