import { bodiesMax } from '../contract/operations-limits.ts';
import { eventRecord } from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import type { EventRow } from '../ports/rows.ts';
import { bodyExpiry } from '../projection/project.ts';
import { FieldError } from './act-request.ts';
import type { OperationsParts } from './parts.ts';

/** Why a row waits, or would without its judgement; `undefined` for one that needs none. */
export function kindOf({ waiting, outcome, record }: EventRow): WaitingKind | undefined {
  if (waiting !== undefined) return waiting;
  switch (outcome) {
    case 'unassigned':
    case 'conflict':
    case 'unrecognised':
      return outcome;
    case 'quarantined':
      return record.startsWith(eventRecord.quarantine('')) ? 'quarantined' : 'order_refused';
    default:
      return undefined;
  }
}

/**
 * The row that an act names among those under an event id; `undefined` when none has the body. Throws
 * FieldError when several wait, or were judged, and the request does not say which.
 */
export function findJudgedRow(
  rows: readonly EventRow[],
  bodySha256: string | undefined,
): EventRow | undefined {
  const named = rows.filter((row) => bodySha256 === undefined || row.bodySha256 === bodySha256);
  const waiting = named.filter((row) => row.waiting !== undefined);
  const judged = named.filter((row) => row.judged !== undefined);
  return onlyBodyOf(waiting) ?? onlyBodyOf(judged) ?? named.find(isOfEvent) ?? named[0];
}

/** Of several rows of one body, the row of the event itself. */
function onlyBodyOf(rows: readonly EventRow[]): EventRow | undefined {
  const hashes = [...new Set(rows.map(({ bodySha256 }) => bodySha256))];
  if (hashes.length > 1) {
    const more = hashes.length > bodiesMax ? ` and ${hashes.length - bodiesMax} others` : '';
    const expected = `one of the bodies of this event: ${hashes.slice(0, bodiesMax).join(', ')}${more}`;
    throw new FieldError('body_sha256', undefined, expected);
  }
  return rows.find(isOfEvent) ?? rows[0];
}

const isOfEvent = ({ record }: EventRow): boolean => record === eventRecord.event;

/**
 * The row with its judgement, which ends its wait: with a retention its body expires, in a row of its own.
 */
export function judgedRow(
  { eventRetentionDays, now }: Pick<OperationsParts, 'eventRetentionDays' | 'now'>,
  { waiting: _, ...row }: EventRow,
  judged: NonNullable<EventRow['judged']>,
): EventRow {
  const expiresAt = bodyExpiry({ now: now(), eventRetentionDays });
  const hasOwnRow = row.bodyRow !== undefined || (row.body !== undefined && !isOfEvent(row));
  return { ...row, judged, ...(hasOwnRow && expiresAt !== undefined && { bodyRow: { expiresAt } }) };
}
