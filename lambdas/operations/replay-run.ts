import { replayEventsAtOnce, replayMillisecondsMax } from '../contract/operations-limits.ts';
import { eventIdOf } from '../domain/fact.ts';
import type { OrderRow } from '../ports/rows.ts';
import type { EventScan } from '../ports/scans.ts';
import type { ReplayCursor } from './replay-cursor.ts';

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
  { mode, since, until }: Pick<ReplayCursor, 'mode' | 'since' | 'until'>,
  start: readonly string[] | null,
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
export async function* eventsOfOrder(
  { order, facts }: OrderRow,
  start: readonly string[] | null,
): AsyncGenerator<NextEvent> {
  const [last = ''] = start ?? [];
  const ids = new Set(facts.flatMap((fact) => eventIdOf(fact) ?? []));
  for (const id of [...ids].sort()) if (id > last) yield { eventId: id, shownBy: [order.id], after: [id] };
}

export interface RunPage<Result> {
  readonly results: readonly Result[];
  /** The place after the last event; `undefined` when the run is complete. */
  readonly after: readonly string[] | undefined;
  /** What the next event has to wait for, before which the page ended. */
  readonly waiting?: Result;
}

export interface PageRequest<Result> {
  readonly events: AsyncIterable<NextEvent | Place>;
  readonly limit: number;
  readonly now: () => Date;
  readonly handle: (event: NextEvent) => Promise<Result>;
  /** Ends the page before a result that has to wait. */
  readonly waits?: (result: Result) => boolean;
  /** Whether what was handled so far fills a response. */
  readonly isFull: (results: readonly Result[]) => boolean;
  /** Where the page begins. */
  readonly start: readonly string[] | null;
}

/**
 * Handles the next events of a run, some at a time, until the limit, the time or the size of a response is
 * reached.
 */
export async function runPage<Result>(request: PageRequest<Result>): Promise<RunPage<Result>> {
  const { events, limit, now, handle, waits = () => false, isFull, start } = request;
  const ends = now().getTime() + replayMillisecondsMax;
  const results: Result[] = [];
  let after: readonly string[] | undefined = start ?? undefined;
  let batch: NextEvent[] = [];
  const isLate = (): boolean => now().getTime() >= ends;

  /** The end of the page, if it is here. */
  async function handleBatch(): Promise<RunPage<Result> | undefined> {
    const handled = await Promise.all(batch.map(handle));
    const found = handled.findIndex(waits);
    const done = found === -1 ? handled.length : found;
    results.push(...handled.slice(0, done));
    after = batch[done - 1]?.after ?? after;
    batch = [];
    const waiting = handled[found];
    if (waiting !== undefined) return { results, after, waiting };
    const isEnded = results.length >= limit || isLate() || isFull(results);
    return isEnded ? { results, after } : undefined;
  }

  for await (const event of events) {
    if ('eventId' in event) batch.push(event);
    else if (batch.length === 0) after = event.after;
    const isBatch = batch.length >= replayEventsAtOnce || results.length + batch.length >= limit;
    const end = isBatch || isLate() ? await handleBatch() : undefined;
    if (end !== undefined) return end;
  }
  const end = batch.length > 0 ? await handleBatch() : undefined;
  return end?.waiting === undefined ? { results, after: undefined } : end;
}
