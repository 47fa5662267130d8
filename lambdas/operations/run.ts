import * as v from 'valibot';
import { eventIdOf } from '../domain/fact.ts';
import { isSameReading, type Reading } from '../domain/reading.ts';
import type { Mode } from '../domain/signature.ts';
import { cursorText, readCursorText } from '../http-api/cursor.ts';
import { isStamp } from '../http-api/instant.ts';
import type { EventRow, OrderRow } from '../ports/rows.ts';
import type { EventScan } from '../ports/scans.ts';
import { isAdmitted, isConflict, isOwn } from '../projection/contributions.ts';
import type { Decide, Repaired } from '../projection/repair.ts';
import { wrongCursor } from './fields.ts';
import type { OperationsParts } from './parts.ts';

const stamp = v.pipe(v.string(), v.check(isStamp));
/** The fields of a run, by their place in its cursor. */
const runFormat = v.strictTuple([
  v.literal(1),
  v.picklist(['range', 'order', 'verify events', 'verify orders']),
  v.picklist(['live', 'sandbox']),
  ...([stamp, v.nullable(stamp), v.nullable(stamp), v.nullable(v.string())] as const),
  v.nullable(v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(2))),
]);

/** A run through many events, and how far it has come. */
export interface Run {
  readonly of: 'range' | 'order' | 'verify events' | 'verify orders';
  readonly mode: Mode;
  /** When the run began, which names it in the audit; ISO 8601 UTC. */
  readonly at: string;
  readonly since: string | null;
  readonly until: string | null;
  /** With which meanings every page of the run was replayed; `null` for a preview, and of one order. */
  readonly meaningsId: string | null;
  /** The last row, event id or order that was handled; `null` at the beginning. */
  readonly after: Place['after'] | null;
}

export const encodeRun = ({ of, mode, at, since, until, meaningsId, after }: Run): string =>
  cursorText([1, of, mode, at, since, until, meaningsId, after]);

/** The inverse; the cursor must belong to one of these runs, in this mode. Throws FieldError. */
export function decodeRun(text: string, wanted: Mode, runs: readonly Run['of'][]): Run {
  const [, of, mode, at, since = null, until = null, meaningsId = null, after = null] =
    readCursorText(runFormat, text) ?? [];
  if (of === undefined || at === undefined || mode !== wanted || !runs.includes(of)) throw wrongCursor(text);
  // The id of an event has one part, the place of a row two.
  if (after !== null && after.length !== (of === 'order' ? 1 : 2)) throw wrongCursor(text);
  return { of, mode, at, since, until, meaningsId, after };
}

/** How far a run has come. */
export interface Place {
  readonly after: readonly string[];
}

/** An event, and the place after it in the run. */
export interface NextEvent extends Place {
  readonly eventId: string;
  /** The order whose facts show this event. */
  readonly shownBy?: readonly string[];
}

/**
 * The events of a scan, from a place on; rows of one event follow each other, and count once. After every
 * page comes the place that the scan has reached: a large table has many pages without an event of the run.
 */
export async function* scannedEvents(
  scan: EventScan,
  { mode, since, until, after: start }: Run,
): AsyncGenerator<NextEvent | Place> {
  const [key, record] = start ?? [];
  let after = key === undefined || record === undefined ? undefined : { key, record };
  let last: string | undefined;
  for (;;) {
    const range = { since: since ?? undefined, until: until ?? undefined };
    const { events, next } = await scan.page({ mode, ...range, after });
    for (const [index, { eventId, position }] of events.entries()) {
      if (events[index + 1]?.eventId === eventId) continue;
      const place = { after: [position.key, position.record] };
      yield eventId === last ? place : { eventId, ...place };
      last = eventId;
    }
    if (next === undefined) return;
    yield { after: [next.key, next.record] };
    after = next;
  }
}

/** The events of an order by id, also those that no longer count. */
export async function* eventsOfOrder({ order, facts }: OrderRow, { after }: Run): AsyncGenerator<NextEvent> {
  const [last = ''] = after ?? [];
  const ids = new Set(facts.flatMap((fact) => eventIdOf(fact) ?? []));
  for (const id of [...ids].sort()) if (id > last) yield { eventId: id, shownBy: [order.id], after: [id] };
}

/** What became of an event in a run. */
export interface Handled extends NextEvent {
  readonly repaired: Repaired;
  /** Why its body was not read again, although it is there; or that its row is missing. */
  readonly refused: string | undefined;
  /** The row of the event as it was. */
  readonly own: EventRow | undefined;
}

/** The event again, with its stored reading or with that of this version. */
export async function handleEvent(
  parts: OperationsParts,
  event: NextEvent,
  {
    readings,
    publish,
    repair,
  }: {
    readonly readings: 'current' | 'stored';
    readonly publish?: string;
    readonly repair: (decide: Decide) => Promise<Repaired>;
  },
): Promise<Handled> {
  let refused: string | undefined;
  let own: EventRow | undefined;
  const repaired = await repair((rows) => {
    own = rows.find(isOwn);
    refused = own === undefined && event.shownBy ? 'fact_without_event' : undefined;
    // Bodies that wait in quarantine have no row of their event, and nothing follows from them.
    if (own === undefined) return { rows: [] };
    const read = readings === 'stored' ? rows.map((row) => ({ row })) : rows.map(readAgain(parts));
    refused = read.map((body) => ('refused' in body ? body.refused : undefined)).find(Boolean);
    return { rows: read.map(({ row }) => row), ...(publish && { publish }) };
  });
  return { ...event, repaired, refused, own };
}

/**
 * A body that counts as this version reads it. The stored reading stands for one that is gone, with the
 * meaning that its name has now, and for one that this version would not accept.
 */
const readAgain =
  ({ classify, meaningOf }: OperationsParts) =>
  (row: EventRow): { readonly row: EventRow; readonly refused?: string } => {
    const { body, mode, reading } = row;
    if (reading === undefined || !(isOwn(row) || isConflict(row))) return { row };
    const withReading = (next: Reading) => ({
      row: isSameReading(next, reading) ? row : { ...row, reading: next },
    });
    if (body === undefined) return withReading({ ...reading, meaning: meaningOf(reading.eventName) ?? null });
    const read = classify({ body, mode });
    if (read.kind === 'unrecognised') return { row, refused: read.reason };
    if (read.kind === 'quarantined' && !isAdmitted(row)) return { row, refused: read.reason };
    return withReading(read.reading);
  };
