import * as v from 'valibot';
import {
  comparedEventsAtOnce,
  replayEventsAtOnce,
  replayMillisecondsMax,
} from '../contract/operations-limits.ts';
import { eventIdOf } from '../domain/fact.ts';
import { isSameReading, type Reading } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';
import { isStamp, readCursorText } from '../http-api/parameters.ts';
import { type EventRow, isAdmitted, isContender, isOwn, type OrderRow } from '../ports/rows.ts';
import type { EventScan, Segment } from '../ports/scans.ts';
import type { FoundBodies } from '../ports/stores.ts';
import { type Decide, type Intention, type Repaired, repair } from '../projection/repair.ts';
import type { OperationsParts } from './act.ts';
import { createBatchedStore } from './batched-store.ts';
import { wrongCursor } from './fields.ts';

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

/** What became of an event in a run. */
export interface Handled extends NextEvent {
  readonly repaired: Repaired;
  /** Why it stays: no repair handles it, its row is missing, or its body is there and was not read again. */
  readonly left: string | undefined;
}

/** How a run handles each event. */
export interface Handling {
  readonly readings: 'current' | 'stored';
  /** Publishes every order that holds the event once for each such text. */
  readonly publish?: string;
  readonly repair: <T extends Intention>(event: NextEvent, decide: Decide<T>) => Promise<Repaired<T>>;
}

/** The event again, with its stored reading or with that of this version. */
async function handleEvent(
  parts: OperationsParts,
  { readings, publish, repair }: Handling,
  event: NextEvent,
): Promise<Handled> {
  const repaired = await repair(event, (rows) => {
    // Bodies that wait in quarantine have no row of their event, and nothing follows from them.
    if (!rows.some(isOwn)) return { rows: [], refused: event.shownBy && 'fact_without_event' };
    const read = rows.map(readings === 'stored' ? (row) => ({ row, refused: undefined }) : readAgain(parts));
    const refused = read.find((body) => body.refused)?.refused;
    return { rows: read.map(({ row }) => row), refused, ...(publish && { publish }) };
  });
  if (repaired.kind === 'done') return { ...event, repaired, left: repaired.intention.refused };
  return { ...event, repaired, left: repaired.kind === 'left' ? repaired.reason : undefined };
}

/**
 * A body that counts as this version reads it. The stored reading stands for one that is gone, with the
 * meaning that its name has now, and for one that this version would not accept.
 */
const readAgain =
  ({ classify, meaningOf }: OperationsParts) =>
  (row: EventRow): { readonly row: EventRow; readonly refused?: string | undefined } => {
    const { body, mode, reading } = row;
    if (reading === undefined || !isContender(row)) return { row };
    const withReading = (next: Reading) => ({
      row: isSameReading(next, reading) ? row : { ...row, reading: next },
    });
    if (body === undefined) return withReading({ ...reading, meaning: meaningOf(reading.eventName) ?? null });
    const read = classify({ body, mode });
    if (read.kind === 'unrecognised') return { row, refused: read.reason };
    if (read.kind === 'quarantined' && !isAdmitted(row)) return { row, refused: read.reason };
    return withReading(read.reading);
  };

/** The events that are as the stored readings make them: almost all. They are read together. */
async function unchangedEvents(
  parts: OperationsParts,
  handling: Handling,
  mode: Mode,
  events: readonly NextEvent[],
) {
  if (handling.readings !== 'stored') return new Map<NextEvent, Handled>();
  const store = createBatchedStore(parts.store, mode, events);
  const comparing: Handling = {
    ...handling,
    repair: (event, decide) => repair({ ...parts, store }, { mode, ...event }, decide, { isDryRun: true }),
  };
  const compared = await Promise.all(
    events.map(async (event) => [event, await handleEvent(parts, comparing, event)] as const),
  );
  return new Map(compared.filter(([, { repaired }]) => repaired.kind === 'done' && !repaired.isChanged));
}

interface RunPage {
  readonly run: Run;
  readonly events: AsyncIterable<NextEvent | Place> | Iterable<NextEvent>;
  readonly limit: number;
  readonly millisecondsMax?: number;
  /** Whether what was handled so far fills a response. */
  readonly isFull: (handled: readonly Handled[]) => boolean;
}

/**
 * Handles the next events of a run, some at a time, until the limit, the time or the size of a response is
 * reached. `after`: where the run goes on. `retryAfterSeconds`: what the next event has to wait for, before
 * which the page ended.
 */
export async function runPage(
  parts: OperationsParts,
  handling: Handling,
  { run, events, limit, millisecondsMax = replayMillisecondsMax, isFull }: RunPage,
) {
  const ends = parts.now().getTime() + millisecondsMax;
  const isLate = (): boolean => parts.now().getTime() >= ends;
  const atOnce = handling.readings === 'stored' ? comparedEventsAtOnce : replayEventsAtOnce;
  const handled: Handled[] = [];
  let { after } = run;
  let batch: NextEvent[] = [];
  let retryAfterSeconds: number | null = null;

  /** Whether the page goes on. */
  async function handleBatch(): Promise<boolean> {
    const unchanged = await unchangedEvents(parts, handling, run.mode, batch);
    let goesOn = true;
    while (goesOn && batch.length > 0) {
      const changing = batch.filter((event) => !unchanged.has(event));
      const end = changing[replayEventsAtOnce];
      const some = batch.splice(0, end === undefined ? batch.length : batch.indexOf(end));
      const results = some.map((event) => unchanged.get(event) ?? handleEvent(parts, handling, event));
      goesOn = note(await Promise.all(results));
    }
    batch = [];
    return goesOn;
  }

  function note(results: readonly Handled[]): boolean {
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

  let goesOn = true;
  for await (const event of events) {
    if ('eventId' in event) batch.push(event);
    else if (batch.length === 0) after = event.after;
    const isBatch = batch.length >= Math.min(atOnce, limit - handled.length);
    if (isBatch || isLate()) goesOn = await handleBatch();
    if (!goesOn) break;
  }
  if (goesOn) await handleBatch();
  return { handled, after, isComplete: goesOn && retryAfterSeconds === null, retryAfterSeconds };
}
