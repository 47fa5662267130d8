import type { WaitingKind } from '../contract/metrics.ts';
import { bodiesMax } from '../contract/operations-limits.ts';
import { eventKey, eventRecord, unrecognisedKey } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';
import { wrongField } from '../http-api/parameters.ts';
import { conflict, notFound, type ProblemError } from '../http-api/problem.ts';
import type { Act, Judgement } from '../ports/acts.ts';
import { type EventRow, isOwn } from '../ports/rows.ts';

/** The body that an act names: one of those under an event id, or one under its hash. */
export interface NamedBody {
  readonly mode: Mode;
  readonly eventId: string | undefined;
  readonly bodySha256: string | undefined;
  /** Its partition. */
  readonly key: string;
  /** For the audit. */
  readonly subject: Pick<Act, 'eventId' | 'bodySha256'>;
}

/** Throws ProblemError for a request that names none. */
export function nameBody(
  mode: Mode,
  request: { event_id?: string | undefined; body_sha256?: string | undefined },
): NamedBody {
  const { event_id: eventId, body_sha256: bodySha256 } = request;
  if (eventId === undefined && bodySha256 === undefined)
    throw wrongField('event_id', undefined, 'an event id, or a body_sha256');
  const key = eventId === undefined ? unrecognisedKey(mode, bodySha256 ?? '') : eventKey(mode, eventId);
  return {
    mode,
    eventId,
    bodySha256,
    key,
    subject: { ...(eventId && { eventId }), ...(bodySha256 && { bodySha256 }) },
  };
}

/**
 * The row that an act names among those in its partition. Throws ProblemError when none has the body, or when
 * several wait, or were judged, and the request does not say which.
 */
export function findJudgedRow(rows: readonly EventRow[], named: NamedBody): EventRow {
  const { bodySha256 } = named;
  const meant = rows.filter((row) => bodySha256 === undefined || row.bodySha256 === bodySha256);
  const row =
    onlyBodyOf(meant.filter(({ waiting }) => waiting !== undefined)) ??
    onlyBodyOf(meant.filter(({ judged }) => judged !== undefined)) ??
    meant.find(isOwn) ??
    meant[0];
  if (row === undefined) throw missing(named);
  return row;
}

/** Of several rows of one body, the row of the event itself. */
function onlyBodyOf(rows: readonly EventRow[]): EventRow | undefined {
  const hashes = [...new Set(rows.map(({ bodySha256 }) => bodySha256))];
  if (hashes.length > 1) {
    const more = hashes.length > bodiesMax ? ` and ${hashes.length - bodiesMax} others` : '';
    const expected = `one of the bodies of this event: ${hashes.slice(0, bodiesMax).join(', ')}${more}`;
    throw wrongField('body_sha256', undefined, expected);
  }
  return rows.find(isOwn) ?? rows[0];
}

export function missing({ mode, eventId, bodySha256 }: NamedBody): ProblemError {
  if (eventId === undefined) return notFound(`No ${mode} body is stored under the SHA-256 ${bodySha256}.`);
  if (bodySha256 === undefined) return notFound(`No ${mode} event has the id ${JSON.stringify(eventId)}.`);
  return notFound(`No body of the ${mode} event ${JSON.stringify(eventId)} has the SHA-256 ${bodySha256}.`);
}

/** Why a row waits, or would without its judgement; `undefined` for one that needs none. */
export function kindOf({ waiting, outcome, record }: EventRow): WaitingKind | undefined {
  if (waiting !== undefined || outcome === 'applied' || outcome === 'recorded') return waiting;
  if (outcome !== 'quarantined') return outcome;
  return record.startsWith(eventRecord.quarantine('')) ? 'quarantined' : 'order_refused';
}

/** The row with its judgement, which ends its wait: with a retention its body gets a row, which expires. */
export function judgedRow(
  { eventRetentionDays }: { readonly eventRetentionDays: number | undefined },
  { waiting: _, ...row }: EventRow,
  judged: Judgement,
): EventRow {
  const moves = eventRetentionDays !== undefined && row.body !== undefined && !isOwn(row);
  return { ...row, judged, ...(moves && { bodyRow: {} }) };
}

/** For messages. */
export const nameOf = ({ eventId, bodySha256 }: Pick<EventRow, 'eventId' | 'bodySha256'>): string =>
  eventId === undefined ? `The body ${bodySha256}` : `The event ${JSON.stringify(eventId)}`;

/** The refusal of an act on a row that was judged otherwise. */
export function judgedBy(row: EventRow, { orderId, verdict, by, at, reason }: Judgement): ProblemError {
  const under = orderId === undefined ? '' : ` under the order ${JSON.stringify(orderId)}`;
  const decided = `${verdict}${under} by ${by} at ${at} (${JSON.stringify(reason)})`;
  return conflict(`${nameOf(row)} was ${decided}. An admission stays; the order shows what it changed.`);
}
