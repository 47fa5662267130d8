import { bodiesMax, eventRecordsMax } from '../contract/operations-limits.ts';
import { eventRecord } from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { notFound, type Refusal } from '../http-api/route.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/stores.ts';
import type { ActUnderWay } from './act.ts';
import { FieldError } from './act-request.ts';

/** Why a row waits, or waited until it was judged. Rows of 0.2.0 have no attribute for it. */
export function kindOf(row: EventRow, meaningOf: MeaningOf): WaitingKind | undefined {
  if (row.waiting !== undefined) return row.waiting;
  switch (row.outcome) {
    case 'unassigned':
    case 'conflict':
    case 'unrecognised':
      return row.outcome;
    case 'quarantined':
      return row.record === eventRecord.event ? 'order_refused' : 'quarantined';
    case 'recorded': {
      const meaning = meaningOf(row.eventName ?? '');
      return meaning === undefined || meaning === 'history' ? undefined : 'unassigned';
    }
  }
  return undefined;
}

/** What stands on a row: the ground on which an operator judges it. */
export type Standing =
  | { readonly kind: 'open'; readonly waitingKind: WaitingKind }
  /** An admission is under way, or was interrupted. */
  | { readonly kind: 'claimed'; readonly waitingKind: WaitingKind; readonly judged: Judgement }
  | { readonly kind: 'judged'; readonly waitingKind: WaitingKind | undefined; readonly judged: Judgement }
  /** It does not wait, and was not judged. */
  | { readonly kind: 'done'; readonly waitingKind?: undefined };

export function standingOf(row: EventRow, meaningOf: MeaningOf): Standing {
  const waitingKind = kindOf(row, meaningOf);
  const { judged, waiting } = row;
  if (judged === undefined) {
    return waitingKind === undefined ? { kind: 'done' } : { kind: 'open', waitingKind };
  }
  if (waiting === undefined) return { kind: 'judged', waitingKind, judged };
  if (judged.verdict === 'admitted') return { kind: 'claimed', waitingKind: waiting, judged };
  return { kind: 'open', waitingKind: waiting };
}

export interface JudgedRow {
  readonly row: EventRow;
  /** All rows of the event, this one among them. */
  readonly siblings: readonly EventRow[];
}

type Found = ({ readonly ok: true } & JudgedRow) | Refusal;

interface JudgedSubject {
  readonly event_id?: string | undefined;
  readonly body_sha256?: string | undefined;
}

/** The row that an act names. Throws FieldError when the request names none, or more than one. */
export async function findJudgedRow(act: ActUnderWay, subject: JudgedSubject): Promise<Found> {
  const { event_id: eventId, body_sha256: bodySha256 } = subject;
  const { mode, events, meaningOf } = act;
  if (eventId === undefined) {
    if (bodySha256 === undefined)
      throw new FieldError('event_id', undefined, 'an event id, or a body_sha256');
    const row = await act.findUnrecognised(mode, bodySha256);
    if (row !== undefined) return { ok: true, row, siblings: [row] };
    return notFound(`No ${mode} body that is no event has the SHA-256 ${bodySha256}.`);
  }
  const first = await events.find(mode, eventId);
  const isCut = bodySha256 !== undefined && first.length >= eventRecordsMax;
  const siblings = isCut ? await events.findBody(mode, eventId, bodySha256) : first;
  const named = siblings.filter((row) => bodySha256 === undefined || row.bodySha256 === bodySha256);
  const name = JSON.stringify(eventId);
  if (siblings.length === 0) return notFound(`No ${mode} event has the id ${name}.`);
  const [row] = named;
  if (row === undefined) {
    return notFound(`No body of the ${mode} event ${name} has the SHA-256 ${bodySha256}.`);
  }
  const waiting = named.filter((one) => ['open', 'claimed'].includes(standingOf(one, meaningOf).kind));
  const judged = named.filter((one) => one.judged !== undefined);
  return { ok: true, siblings, row: outermost(waiting) ?? onlyBodyOf(judged) ?? ofEvent(named) ?? row };
}

/** Of two rows of one body that wait, not the event's: the admission of the other one completes both. */
function outermost(rows: readonly EventRow[]): EventRow | undefined {
  const chosen = onlyBodyOf(rows);
  return rows.find((row) => row !== chosen) ?? chosen;
}

function namesOf(hashes: readonly string[]): string {
  const more = hashes.length > bodiesMax ? ` and ${hashes.length - bodiesMax} or more others` : '';
  return hashes.slice(0, bodiesMax).join(', ') + more;
}

/** Of several rows of one body, the row of the event itself. */
function onlyBodyOf(rows: readonly EventRow[]): EventRow | undefined {
  const hashes = [...new Set(rows.map(({ bodySha256 }) => bodySha256))];
  if (hashes.length > 1) {
    throw new FieldError('body_sha256', undefined, `one of the bodies of this event: ${namesOf(hashes)}`);
  }
  return ofEvent(rows) ?? rows[0];
}

const ofEvent = (rows: readonly EventRow[]): EventRow | undefined =>
  rows.find(({ record }) => record === eventRecord.event);
