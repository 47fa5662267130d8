import type { Row } from '../history.ts';
import type { Evidence } from './evidence.ts';
import { sentKey } from './sent-bodies.ts';
import type { Mode } from './signed-body.ts';
import { bodyKey, textOf } from './stored-rows.ts';
import { quoted, type Violation, violationsOf } from './violation.ts';

const wrong = violationsOf('retention');
const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** The row that holds the bytes of an event, and nothing else. */
interface BodyRow {
  readonly mode: Mode;
  readonly eventId: string;
  readonly sha256: string;
}

/**
 * With `eventRetentionDays`, docs/data.md: the body of an event is in a row of its own, which expires so many
 * days after it was recorded; but not while the event waits for a person.
 */
export function retentionViolations({ history, sent, stored }: Evidence): readonly Violation[] {
  const { eventRetentionDays: days } = history.settings;
  if (days === undefined) return [];
  const rows = stored.bodies.filter(({ place }) => place === 'event');
  const eventOf = new Map(rows.map((row) => [bodyKey(row.mode, row.eventId ?? '', row.sha256), row]));
  const eventRow = ({ mode, eventId, sha256 }: BodyRow) => eventOf.get(bodyKey(mode, eventId, sha256));
  const expired = history.expiredRows.flatMap(({ at, row }) => {
    const body = bodyRowOf(row);
    if (body === undefined) return [];
    const name = `The body of the ${body.mode} event ${quoted(body.eventId)}`;
    const { firstAt = 0 } = sent.bodies.get(sentKey(body.mode, body.sha256)) ?? {};
    const isWaiting = eventRow(body)?.waiting !== undefined;
    return [
      ...(at < firstAt + days * dayMilliseconds
        ? [`${name} expired before its ${days} days had passed.`]
        : []),
      ...(isWaiting ? [`${name} has expired, and the event waits for a person, who needs it.`] : []),
    ];
  });
  const endless = history.tables.events.flatMap((row) => {
    const body = bodyRowOf(row);
    if (body === undefined || row['expires_at'] !== undefined || row['erased'] !== undefined) return [];
    const event = eventRow(body);
    if (event === undefined || event.waiting !== undefined) return [];
    const name = `The body of the ${body.mode} event ${quoted(body.eventId)}`;
    return `${name} never expires, and nothing waits for it.`;
  });
  return wrong(...expired, ...endless);
}

function bodyRowOf(row: Row): BodyRow | undefined {
  const [, mode, eventId = ''] = /^(live|sandbox):event:(.*)$/su.exec(textOf(row, 'event_key') ?? '') ?? [];
  const [, sha256] = /^body:(.*)$/.exec(textOf(row, 'record') ?? '') ?? [];
  if (sha256 === undefined || (mode !== 'live' && mode !== 'sandbox')) return undefined;
  return { mode, eventId, sha256 };
}
