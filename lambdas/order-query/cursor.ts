import * as v from 'valibot';
import { type ChangePosition, comparePositions } from '../contract/change-position.ts';
import { cursorCharactersMax } from '../contract/limits.ts';
import { type OrderStatus, orderStatuses } from '../domain/fold-order.ts';
import type { Mode } from '../domain/signature.ts';
import { isStamp } from '../http-api/instant.ts';

/**
 * A reader's place in the list. Time stamps are set before their write is committed, so for up to
 * `settleSeconds` a change may appear in the index before a place that a reader has already passed. A
 * cursor therefore holds two places: the end of its page, and the place up to which the index had settled.
 * Within that time it continues at the end of its page; later it goes back to the settled place, so an order
 * may be listed twice but none is missed.
 */
export interface Cursor {
  readonly mode: Mode;
  readonly status: OrderStatus | undefined;
  /** Where the page ended. */
  readonly position: ChangePosition;
  /** Up to here, inclusive, no change can appear that the reader has not seen. */
  readonly settled: ChangePosition;
  /** When this walk through the pages began; milliseconds since the epoch. */
  readonly since: number;
}

/** When a request is handled, and the bound on the time until a change is in the index. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The setting `changesSettleSeconds`. */
  readonly settleSeconds: number;
}

export type Walk = Pick<Cursor, 'position' | 'settled' | 'since'>;

/** A walk that begins at a time of change, inclusive. */
export function beginWalk(updatedSince: string, now: number): Walk {
  const position = { updatedAt: updatedSince, tie: '' };
  return { position, settled: position, since: now };
}

/** Where a reader continues with a cursor. */
export function resumeWalk({ position, settled, since }: Cursor, { now, settleSeconds }: Moment): Walk {
  const late = now - since > settleSeconds * 1000;
  return late ? { position: settled, settled, since: now } : { position, settled, since };
}

/** The walk after a page that ended at `end` and whose reading began at `now`. */
export function advanceWalk(walk: Walk, end: ChangePosition, { now, settleSeconds }: Moment): Walk {
  const horizon = { updatedAt: new Date(now - settleSeconds * 1000).toISOString(), tie: '' };
  // Only what was read without a gap from the settled place is settled.
  const whole = comparePositions(walk.position, walk.settled) === 0;
  const candidate = comparePositions(end, horizon) < 0 ? end : horizon;
  const settled = whole && comparePositions(candidate, walk.settled) > 0 ? candidate : walk.settled;
  return { position: end, settled, since: walk.since };
}

export function encodeCursor({ mode, status, position, settled, since }: Cursor): string {
  const parts = [
    1,
    mode,
    status ?? null,
    position.updatedAt,
    position.tie,
    settled.updatedAt,
    settled.tie,
    since,
  ];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

const time = v.pipe(v.string(), v.check(isStamp));
/** Empty, or a part of a hash: see `changeOf`. */
const tie = v.pipe(v.string(), v.regex(/^([0-9a-f]{32})?$/));
const schema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictTuple([
    v.literal(1),
    v.picklist(['live', 'sandbox']),
    v.nullable(v.picklist(orderStatuses)),
    time,
    tie,
    time,
    tie,
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  ]),
);

/** The inverse of `encodeCursor`; `undefined` for any other text. */
export function decodeCursor(text: string): Cursor | undefined {
  if (text.length > cursorCharactersMax || !/^[\w-]+$/.test(text)) return undefined;
  const { success, output } = v.safeParse(schema, Buffer.from(text, 'base64url').toString('utf8'));
  if (!success) return undefined;
  const [, mode, status, updatedAt, tie, settledAt, settledTie, since] = output;
  return {
    mode,
    status: status ?? undefined,
    position: { updatedAt, tie },
    settled: { updatedAt: settledAt, tie: settledTie },
    since,
  };
}
