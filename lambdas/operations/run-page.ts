import {
  comparedEventsAtOnce,
  replayEventsAtOnce,
  replayMillisecondsMax,
} from '../contract/operations-limits.ts';
import { isSameReading, type Reading } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';
import { type EventRow, isAdmitted, isContender, isOwn } from '../ports/rows.ts';
import { type Decide, type Intention, type Repaired, repair } from '../projection/repair.ts';
import type { OperationsParts } from './act.ts';
import { createBatchedStore } from './batched-store.ts';
import type { NextEvent, Place, Run } from './run.ts';

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
    return goesOn && !isLate();
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
