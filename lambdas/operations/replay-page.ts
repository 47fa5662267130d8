import { replayEventsAtOnce, replayMillisecondsMax } from '../contract/operations-limits.ts';
import type { Mode } from '../domain/signature.ts';
import { type ReplayedEvent, type ReplayedId, readTogether, replayEvent } from './replay-event.ts';
import type { ReplayParts } from './replay-parts.ts';

/** How far a run has come. */
export interface Place {
  readonly after: readonly string[];
}

/** An event, and the place after it in the run. */
export interface NextEvent extends Place, ReplayedId {}

export interface PageOfEvents {
  readonly results: readonly ReplayedEvent[];
  /** The place after the last event; `undefined` when the run is complete. */
  readonly after: readonly string[] | undefined;
}

export interface PageRequest {
  readonly mode: Mode;
  readonly events: AsyncIterable<NextEvent | Place>;
  readonly limit: number;
  /** The time after which the page ends. */
  readonly millisecondsMax?: number;
  /** Whether the orders that have changed so far fill a response. */
  readonly isFull: () => Promise<boolean>;
}

/**
 * Replays the next events of a run, until the limit, the time of a request or the size of a response is
 * reached. Some run at the same time, but one by one when one of those is about to move to another order: the
 * others would read its transaction before or after it moved.
 */
export async function replayPage(
  parts: ReplayParts,
  { mode, events, limit, isFull, millisecondsMax = replayMillisecondsMax }: PageRequest,
): Promise<PageOfEvents> {
  const ends = parts.now().getTime() + millisecondsMax;
  const results: ReplayedEvent[] = [];
  let batch: NextEvent[] = [];
  let after: readonly string[] | undefined;
  const isLate = (): boolean => parts.now().getTime() >= ends;

  /** Whether all of it was replayed: a batch that moves ends early when the time is over. */
  async function replayBatch(): Promise<boolean> {
    const events = batch;
    batch = [];
    const found = await readTogether(parts, mode, events);
    if (found === undefined) return replayInTurn(events);
    results.push(...(await Promise.all(found.map((event) => replayEvent(parts, mode, event)))));
    after = events.at(-1)?.after ?? after;
    return true;
  }

  async function replayInTurn(events: readonly NextEvent[]): Promise<boolean> {
    for (const [index, event] of events.entries()) {
      if (index > 0 && isLate()) return false;
      results.push(await replayEvent(parts, mode, event));
      after = event.after;
    }
    return true;
  }

  for await (const event of events) {
    if (!('eventId' in event)) {
      if (!isLate()) continue;
      return { results, after: (await replayBatch()) ? event.after : after };
    }
    batch.push(event);
    const isLast = results.length + batch.length >= limit;
    if (batch.length < replayEventsAtOnce && !isLast) continue;
    await replayBatch();
    if (isLast || isLate() || (await isFull())) return { results, after };
  }
  return { results, after: (await replayBatch()) ? undefined : after };
}
