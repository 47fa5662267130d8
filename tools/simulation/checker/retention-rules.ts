import type { Row } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { sentKey } from './sent-bodies.ts';
import type { Mode } from './signed-body.ts';
import { bodyKey, type StoredRows, storedRows, textOf } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

const wrong = violationsOf('retention');
const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** The row that holds a body, and nothing else. */
interface BodyRow {
  readonly mode: Mode;
  /** Empty for a body that is no event. */
  readonly eventId: string;
  readonly sha256: string;
}

/**
 * With `eventRetentionDays`, docs/data.md: the body of an event is in a row of its own, which expires so many
 * days after it was recorded; but not while it waits for a person. Other bodies move into such a row when
 * they have been judged.
 */
export function retentionViolations({ history, sent, stored }: Evidence): readonly Violation[] {
  const { eventRetentionDays: days } = history.settings;
  if (days === undefined) return [];
  const rowsOf = ({ mode, eventId, sha256 }: BodyRow, { bodies } = stored) =>
    bodies.filter(
      (row) => bodyKey(row.mode, row.eventId ?? '', row.sha256) === bodyKey(mode, eventId, sha256),
    );
  const nameOf = ({ mode, eventId, sha256 }: BodyRow): string =>
    `The body of the ${mode} event ${quoted(eventId || sha256)}`;
  const expired = history.expiredRows.flatMap(({ at, row }) => {
    const body = bodyRowOf(row);
    if (body === undefined) return [];
    const { firstAt = 0 } = sent.bodies.get(sentKey(body.mode, body.sha256)) ?? {};
    const isWaiting = rowsOf(body, storedAt(history, at)).some(({ waiting }) => waiting !== undefined);
    return [
      ...(at < firstAt + days * dayMilliseconds
        ? [`${nameOf(body)} expired before its ${days} days had passed.`]
        : []),
      ...(isWaiting ? [`${nameOf(body)} has expired, and the event waits for a person, who needs it.`] : []),
    ];
  });
  const present = history.tables.events.flatMap((row) => {
    const body = bodyRowOf(row);
    if (body === undefined || rowsOf(body).length === 0) return [];
    const isWaiting = rowsOf(body).some(({ waiting }) => waiting !== undefined);
    const isEndless = row['expires_at'] === undefined;
    if (isWaiting === isEndless) return [];
    if (isEndless) return `${nameOf(body)} never expires, and nothing waits for it.`;
    return `${nameOf(body)} will expire, and the event waits for a person, who needs it.`;
  });
  const kept = stored.bodies.flatMap(({ mode, place, eventId = '', sha256, body, waiting }) => {
    if (body === undefined || (waiting !== undefined && place !== 'event')) return [];
    return `${nameOf({ mode, eventId, sha256 })} is in a row that never expires.`;
  });
  return wrong(...expired, ...present, ...kept);
}

/** The rows as they were: one that waits again, long after its body has expired, breaks no rule. */
function storedAt({ tables, eventChanges }: Evidence['history'], at: number): StoredRows {
  const later = eventChanges.filter((change) => change.at > at);
  const keyOf = (row: Row): string => JSON.stringify([row['event_key'], row['record']]);
  const former = new Map(later.toReversed().map(({ before }) => [keyOf(before), before]));
  return storedRows(tables.events.map((row) => former.get(keyOf(row)) ?? row));
}

function bodyRowOf(row: Row): BodyRow | undefined {
  const [, mode, eventId = ''] =
    /^(live|sandbox):(?:event:|body:.*$)(.*)$/su.exec(textOf(row, 'event_key') ?? '') ?? [];
  const [, sha256] = /^body:(.*)$/.exec(textOf(row, 'record') ?? '') ?? [];
  if (sha256 === undefined || (mode !== 'live' && mode !== 'sandbox')) return undefined;
  return { mode, eventId, sha256 };
}
