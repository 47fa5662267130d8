import * as v from 'valibot';
import { type ChangePosition, comparePositions } from '../contract/change-position.ts';
import { stamp } from '../contract/instant.ts';
import { changesSettleSeconds, cursorCharactersMax } from '../contract/limits.ts';
import { attentions } from '../domain/attention.ts';
import { orderStatuses } from '../domain/fold-order.ts';
import { cursorText, readCursorText } from '../http-api/parameters.ts';

/** `asc`: the oldest change first, for readers that follow changes · `desc`: the newest first, for people. */
export const sortOrders = ['asc', 'desc'] as const;
/** `any`: orders with at least one attention. */
export const attentionFilters = ['any', ...attentions] as const;

/** `tie`: empty, or a part of a hash (see `changeOf`). */
const position = v.strictObject({ updatedAt: stamp, tie: v.pipe(v.string(), v.regex(/^([0-9a-f]{32})?$/)) });
const filter = {
  mode: v.picklist(['live', 'sandbox']),
  status: v.optional(v.picklist(orderStatuses)),
  attention: v.optional(v.picklist(attentionFilters)),
};

/**
 * A reader's place in the list, oldest change first. Time stamps are set before their write is committed, so
 * for up to `changesSettleSeconds` a change may appear in the index before a place that a reader has already
 * passed. A cursor therefore holds two places: the end of its page, and the place up to which the index had
 * settled. Within that time a reader continues at the end of its page; later it goes back to the settled
 * place, so an order may be listed twice but none is missed.
 */
const forwards = v.strictObject({
  ...filter,
  sortOrder: v.literal('asc'),
  /** Where the page ended. */
  position,
  /** Up to here, inclusive, no change can appear that the reader has not seen. */
  settled: position,
  /** Where the list ends; exclusive. */
  updatedUntil: v.optional(stamp),
  /** When this walk through the pages began; milliseconds since the epoch. */
  since: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});

/**
 * The same, newest change first. An order that changes between two pages moves to the beginning, which this
 * reader has passed.
 */
const backwards = v.strictObject({
  ...filter,
  sortOrder: v.literal('desc'),
  position,
  /** Where the list ends; inclusive. */
  updatedSince: stamp,
});

const format = v.variant('sortOrder', [forwards, backwards]);
/** Where a reader continues, and the orders that its list is about. */
export type Cursor = v.InferOutput<typeof format>;

export const encodeCursor = (cursor: Cursor): string => cursorText(cursor);

/** The inverse; `undefined` for any other text. */
export const decodeCursor = (text: string): Cursor | undefined =>
  text.length > cursorCharactersMax ? undefined : readCursorText(format, text);

/** Whether the list has not reached its end with this change. */
export const isWithin = (cursor: Cursor, { updatedAt }: ChangePosition): boolean =>
  cursor.sortOrder === 'desc'
    ? updatedAt >= cursor.updatedSince
    : cursor.updatedUntil === undefined || updatedAt < cursor.updatedUntil;

/** Where a reader continues, at a time in milliseconds since the epoch. */
export function resume(cursor: Cursor, now: number): Cursor {
  if (cursor.sortOrder === 'desc') return cursor;
  const isLate = now - cursor.since > changesSettleSeconds * 1000;
  return isLate ? { ...cursor, position: cursor.settled, since: now } : cursor;
}

/** The place after a page that ended at `end` and whose reading began at `now`. */
export function advance(cursor: Cursor, { updatedAt, tie }: ChangePosition, now: number): Cursor {
  const end = { updatedAt, tie };
  if (cursor.sortOrder === 'desc') return { ...cursor, position: end };
  const horizon = { updatedAt: new Date(now - changesSettleSeconds * 1000).toISOString(), tie: '' };
  // Only what was read without a gap from the settled place is settled.
  const whole = comparePositions(cursor.position, cursor.settled) === 0;
  const candidate = comparePositions(end, horizon) < 0 ? end : horizon;
  const settled = whole && comparePositions(candidate, cursor.settled) > 0 ? candidate : cursor.settled;
  return { ...cursor, position: end, settled };
}
