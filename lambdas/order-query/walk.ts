import { type ChangePosition, comparePositions } from '../contract/change-position.ts';
import { changesSettleSeconds } from '../contract/limits.ts';

/** `asc`: the oldest change first, for readers that follow changes · `desc`: the newest first, for people. */
export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

/**
 * A reader's place in the list, oldest change first. Time stamps are set before their write is committed, so
 * for up to `changesSettleSeconds` a change may appear in the index before a place that a reader has passed.
 * A walk therefore holds two places: the end of its page, and the place up to which the index had settled.
 * Within that time it continues at the end of its page; later it goes back to the settled place, so an order
 * may be listed twice but none is missed.
 */
export interface Walk {
  readonly sortOrder: 'asc';
  /** Where the page ended. */
  readonly position: ChangePosition;
  /** Up to here, inclusive, no change can appear that the reader has not seen. */
  readonly settled: ChangePosition;
  /** Where the walk ends; exclusive. */
  readonly updatedUntil?: string | undefined;
  /** When this walk through the pages began; milliseconds since the epoch. */
  readonly since: number;
}

/**
 * A reader's place in the list, newest change first. An order that changes between two pages moves to the
 * beginning, which this reader has passed.
 */
export interface BackwardWalk {
  readonly sortOrder: 'desc';
  /** Where the page ended. */
  readonly position: ChangePosition;
  /** Where the walk ends; inclusive. */
  readonly updatedSince: string;
}

/** Later than every time stamp. */
const endOfTime = '9999-12-31T23:59:59.999Z';

/** The times between which orders changed: the first inclusive, the second exclusive. */
interface Span {
  readonly updatedSince: string;
  readonly updatedUntil?: string | undefined;
  readonly sortOrder: SortOrder;
}

/** A walk through the changes of this time. */
export function beginWalk({ updatedSince, updatedUntil, sortOrder }: Span, now: number): Walk | BackwardWalk {
  if (sortOrder === 'desc') {
    return { sortOrder, position: { updatedAt: updatedUntil ?? endOfTime, tie: '' }, updatedSince };
  }
  const position = { updatedAt: updatedSince, tie: '' };
  return { sortOrder, position, settled: position, updatedUntil, since: now };
}

/** Whether the walk has not reached its end with this change. */
export const isWithin = (walk: Walk | BackwardWalk, { updatedAt }: ChangePosition): boolean =>
  walk.sortOrder === 'desc'
    ? updatedAt >= walk.updatedSince
    : walk.updatedUntil === undefined || updatedAt < walk.updatedUntil;

/** Where a reader continues; `now` in milliseconds since the epoch. */
export function resumeWalk(walk: Walk | BackwardWalk, now: number): Walk | BackwardWalk {
  if (walk.sortOrder === 'desc') return walk;
  const { settled, since } = walk;
  const late = now - since > changesSettleSeconds * 1000;
  return late ? { ...walk, position: settled, since: now } : walk;
}

/** The walk after a page that ended at `end` and whose reading began at `now`. */
export function advanceWalk(
  walk: Walk | BackwardWalk,
  { updatedAt, tie }: ChangePosition,
  now: number,
): Walk | BackwardWalk {
  const end = { updatedAt, tie };
  if (walk.sortOrder === 'desc') return { ...walk, position: end };
  const horizon = { updatedAt: new Date(now - changesSettleSeconds * 1000).toISOString(), tie: '' };
  // Only what was read without a gap from the settled place is settled.
  const whole = comparePositions(walk.position, walk.settled) === 0;
  const candidate = comparePositions(end, horizon) < 0 ? end : horizon;
  const settled = whole && comparePositions(candidate, walk.settled) > 0 ? candidate : walk.settled;
  return { ...walk, position: end, settled };
}
