import { isDeepStrictEqual } from 'node:util';
import type { EventRow } from '../ports/rows.ts';
import type { RowChange } from '../ports/stores.ts';
import { isOwn } from './contributions.ts';

export interface Retention {
  readonly now: Date;
  /** How long the body of an event that does not wait is kept; `undefined` without a limit. */
  readonly eventRetentionDays: number | undefined;
}

/** The rows that change, and those of events, each of which is the lock on all rows under its id. */
export function changesOfRows(
  settings: Retention,
  before: readonly EventRow[],
  after: readonly EventRow[],
): readonly RowChange<EventRow>[] {
  const rowOf = new Map(before.map((row) => [nameOf(row), row]));
  return withExpiries(settings, after)
    .map((row) => {
      const stored = rowOf.get(nameOf(row));
      return { before: stored, after: stored !== undefined && isDeepStrictEqual(stored, row) ? stored : row };
    })
    .filter((change) => isOwn(change.after) || change.before !== change.after);
}

const nameOf = ({ key, record }: EventRow): string => JSON.stringify([key, record]);

/** A body is kept while one of the rows that name it waits. */
function withExpiries(settings: Retention, rows: readonly EventRow[]): readonly EventRow[] {
  return rows.map((row) => {
    if (row.bodyRow === undefined) return row;
    const ofBody = rows.filter(({ bodySha256 }) => bodySha256 === row.bodySha256);
    if (ofBody.some(({ waiting }) => waiting !== undefined)) return { ...row, bodyRow: {} };
    const [expiresAt = bodyExpiry(settings)] = ofBody.flatMap(({ bodyRow }) => bodyRow?.expiresAt ?? []);
    return { ...row, bodyRow: expiresAt === undefined ? {} : { expiresAt } };
  });
}

/** In seconds since the epoch. */
export function bodyExpiry({ now, eventRetentionDays }: Retention): number | undefined {
  if (eventRetentionDays === undefined) return undefined;
  return Math.floor(now.getTime() / 1000) + eventRetentionDays * 24 * 60 * 60;
}
