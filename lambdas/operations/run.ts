import * as v from 'valibot';
import { stamp } from '../contract/instant.ts';
import { eventIdOf } from '../domain/fact.ts';
import type { Mode } from '../domain/signature.ts';
import { readCursorText } from '../http-api/parameters.ts';
import type { OrderRow } from '../ports/rows.ts';
import type { EventScan, Segment } from '../ports/scans.ts';
import type { FoundBodies } from '../ports/stores.ts';
import { wrongCursor } from './fields.ts';

const runFormat = v.strictObject({
  of: v.picklist(['range', 'order', 'verify events', 'verify orders']),
  mode: v.picklist(['live', 'sandbox']),
  /** When the run began, which names it in the audit; ISO 8601 UTC. */
  at: stamp,
  since: v.nullable(stamp),
  until: v.nullable(stamp),
  /** With which meanings every page of the run was replayed; `null` for a preview, and of one order. */
  meaningsId: v.nullable(v.string()),
  /** Which part of the tables, such as `3/12`; `null` for all of them. */
  segment: v.nullable(v.string()),
  /** How far it has come: key and record of a row, or an order and an event; `null` at the beginning. */
  after: v.nullable(v.strictTuple([v.string(), v.string()])),
});

/** A run through many events, and how far it has come. */
export type Run = v.InferOutput<typeof runFormat>;

/** Reads the cursor of a run, which must be one of these in this mode. Throws ProblemError. */
export function readRun(text: string, mode: Mode, runs: readonly Run['of'][]): Run {
  const run = readCursorText(runFormat, text);
  if (run === undefined || run.mode !== mode || !runs.includes(run.of)) throw wrongCursor(text);
  return run;
}

/** The part of the tables that a run goes through. */
export function segmentOf({ segment }: Run): Segment | undefined {
  const [index = 0, of = 0] = segment?.split('/').map(Number) ?? [];
  return segment === null ? undefined : { index: index - 1, of };
}

/** A place that a run has reached. */
export interface Place {
  readonly after: NonNullable<Run['after']>;
}

/** An event, and the place after it in the run. */
export interface NextEvent extends Place {
  readonly eventId: string;
  /** The order whose facts show this event. */
  readonly shownBy?: readonly string[];
  /** What is stored under its id, if it was read with it. */
  readonly bodies?: FoundBodies | undefined;
}

/**
 * The events of a scan, from a place on; rows of one event follow each other, and count once. After every
 * page comes the place that the scan has reached: a large table has many pages without an event of the run.
 */
export async function* scannedEvents(
  scan: EventScan,
  run: Run,
  withBodies = false,
): AsyncGenerator<NextEvent | Place> {
  const { mode, since, until, after: start } = run;
  const range = { since: since ?? undefined, until: until ?? undefined, segment: segmentOf(run), withBodies };
  let after = start === null ? undefined : { key: start[0], record: start[1] };
  let last: string | undefined;
  do {
    const { events, next } = await scan.page({ mode, ...range, after });
    for (const [index, { eventId, position, bodies }] of events.entries()) {
      if (events[index + 1]?.eventId === eventId) continue;
      const place: Place = { after: [position.key, position.record] };
      yield eventId === last ? place : { eventId, ...place, bodies };
      last = eventId;
    }
    if (next !== undefined) yield { after: [next.key, next.record] };
    after = next;
  } while (after !== undefined);
}

/** The events of an order by id, also those that no longer count. */
export function eventsOfOrder({ order: { id }, facts }: OrderRow, { after }: Run): readonly NextEvent[] {
  const [, last = ''] = after ?? [];
  const ids = [...new Set(facts.flatMap((fact) => eventIdOf(fact) ?? []))].sort();
  const next = ids.filter((eventId) => eventId > last);
  return next.map((eventId) => ({ eventId, shownBy: [id], after: [id, eventId] }));
}
