import { replayEventsAtOnce, replayMillisecondsMax } from '../contract/operations-limits.ts';
import type { Mode } from '../domain/signature.ts';
import { isToMove, type ReplayedEvent, type ReplayedId, replayEvent } from './replay-event.ts';
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

  async function replayBatch(): Promise<void> {
    const unique = [...new Map(batch.map((event) => [event.eventId, event])).values()];
    const moves = await Promise.all(unique.map((event) => isToMove(parts, mode, event)));
    if (moves.includes(true)) for (const event of unique) results.push(await replayEvent(parts, mode, event));
    else results.push(...(await Promise.all(unique.map((event) => replayEvent(parts, mode, event)))));
    after = batch.at(-1)?.after ?? after;
    batch = [];
  }

  for await (const event of events) {
    if (!('eventId' in event)) {
      if (parts.now().getTime() < ends) continue;
      await replayBatch();
      return { results, after: event.after };
    }
    batch.push(event);
    const isLast = results.length + batch.length >= limit;
    if (batch.length < replayEventsAtOnce && !isLast) continue;
    await replayBatch();
    if (isLast || parts.now().getTime() >= ends || (await isFull())) return { results, after };
  }
  await replayBatch();
  return { results, after: undefined };
}
