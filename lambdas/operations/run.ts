import * as v from 'valibot';
import { replayEventsAtOnce, replayMillisecondsMax } from '../contract/operations-limits.ts';
import { eventIdOf } from '../domain/fact.ts';
import { isSameReading, type Reading } from '../domain/reading.ts';
import type { Mode } from '../domain/signature.ts';
import { readCursorText } from '../http-api/cursor.ts';
import { isStamp } from '../http-api/instant.ts';
import type { EventRow, OrderRow } from '../ports/rows.ts';
import type { EventScan } from '../ports/scans.ts';
import { isAdmitted, isConflict, isOwn } from '../projection/contributions.ts';
import type { Decide, Repaired } from '../projection/repair.ts';
import { wrongCursor } from './fields.ts';
import type { OperationsParts } from './parts.ts';

const stamp = v.pipe(v.string(), v.check(isStamp));
const runFormat = v.strictObject({
  of: v.picklist(['range', 'order', 'verify events', 'verify orders']),
  mode: v.picklist(['live', 'sandbox']),
  /** When the run began, which names it in the audit; ISO 8601 UTC. */
  at: stamp,
  since: v.nullable(stamp),
  until: v.nullable(stamp),
  /** With which meanings every page of the run was replayed; `null` for a preview, and of one order. */
  meaningsId: v.nullable(v.string()),
  /** The event id, or the place of the row, that was handled last; `null` at the beginning. */
  after: v.nullable(v.union([v.strictTuple([v.string()]), v.strictTuple([v.string(), v.string()])])),
});

/** A run through many events, and how far it has come. */
export type Run = v.InferOutput<typeof runFormat>;

/** Reads the cursor of a run, which must be one of these in this mode. Throws FieldError. */
export function readRun(text: string, mode: Mode, runs: readonly Run['of'][]): Run {
  const run = readCursorText(runFormat, text);
  if (run === undefined || run.mode !== mode || !runs.includes(run.of)) throw wrongCursor(text);
  if (run.after !== null && run.after.length !== (run.of === 'order' ? 1 : 2)) throw wrongCursor(text);
  return run;
}

/** How far a run has come. */
export interface Place {
  readonly after: NonNullable<Run['after']>;
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
      const place: Place = { after: [position.key, position.record] };
      yield eventId === last ? place : { eventId, ...place };
      last = eventId;
    }
    if (next === undefined) return;
    yield { after: [next.key, next.record] };
    after = next;
  }
}

/** The events of an order by id, also those that no longer count. */
export function eventsOfOrder({ order, facts }: OrderRow, { after }: Run): readonly NextEvent[] {
  const [last = ''] = after ?? [];
  const ids = [...new Set(facts.flatMap((fact) => eventIdOf(fact) ?? []))].sort();
  return ids.filter((id) => id > last).map((id) => ({ eventId: id, shownBy: [order.id], after: [id] }));
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

export interface RunPage {
  readonly handled: readonly Handled[];
  /** Where the run goes on. */
  readonly after: Place['after'] | null;
  readonly isComplete: boolean;
  /** What the next event has to wait for, before which the page ended. */
  readonly retryAfterSeconds: number | null;
}

export interface PageRequest {
  readonly events: AsyncIterable<NextEvent | Place> | Iterable<NextEvent>;
  /** Where the page begins. */
  readonly start: Place['after'] | null;
  readonly limit: number;
  readonly now: () => Date;
  readonly handle: (event: NextEvent) => Promise<Handled>;
  /** Whether what was handled so far fills a response. */
  readonly isFull: (handled: readonly Handled[]) => boolean;
}

/**
 * Handles the next events of a run, some at a time, until the limit, the time or the size of a response is
 * reached.
 */
export async function runPage({ events, start, limit, now, handle, isFull }: PageRequest): Promise<RunPage> {
  const ends = now().getTime() + replayMillisecondsMax;
  const isLate = (): boolean => now().getTime() >= ends;
  const handled: Handled[] = [];
  let after = start;
  let batch: NextEvent[] = [];
  let retryAfterSeconds: number | null = null;

  /** Whether the page goes on. */
  async function handleBatch(): Promise<boolean> {
    const results = await Promise.all(batch.map(handle));
    batch = [];
    for (const result of results) {
      if (result.repaired.kind === 'busy') {
        retryAfterSeconds ??= result.repaired.retryAfterSeconds;
        continue;
      }
      handled.push(result);
      // What was done after an event that has to wait is shown, and is handled again with it.
      if (retryAfterSeconds === null) after = result.after;
    }
    return retryAfterSeconds === null && handled.length < limit && !isLate() && !isFull(handled);
  }

  for await (const event of events) {
    if ('eventId' in event) batch.push(event);
    else if (batch.length === 0) after = event.after;
    const isBatch = batch.length >= Math.min(replayEventsAtOnce, limit - handled.length);
    if ((isBatch || isLate()) && !(await handleBatch()))
      return { handled, after, isComplete: false, retryAfterSeconds };
  }
  await handleBatch();
  return { handled, after, isComplete: retryAfterSeconds === null, retryAfterSeconds };
}
