import { eventRow, type RowSettings } from '../consumer/event-rows.ts';
import { type Routed, recordEvent } from '../consumer/record-event.ts';
import { type Route, routesOfEvent, routesTo } from '../consumer/routes.ts';
import { eventRecord } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { eventFact } from '../domain/fact.ts';
import type { Reading } from '../ports/readings.ts';
import type { EventRow } from '../ports/stores.ts';
import { readAgain } from './read-again.ts';
import type { ReplayParts } from './replay-parts.ts';
import { isSameReading, type ReplaySubject, saidBy } from './replay-subject.ts';

export const settingsAt = ({ eventRetentionDays, meaningOf }: ReplayParts, now: Date): RowSettings => ({
  now,
  eventRetentionDays,
  meaningOf,
});

interface RecordedAgain {
  readonly bodies: readonly Routed[];
  /** `false` when a body is gone, or no longer an event. */
  readonly isWhole: boolean;
  /** What the rows of admitted conflicts must say once their facts are where this version reads them. */
  readonly readings: readonly Reading[];
}

/** Every body under the id, recorded again. */
export async function recordAgain(
  parts: ReplayParts,
  subject: ReplaySubject,
  rows: readonly EventRow[],
): Promise<RecordedAgain> {
  const bodies = [await recordSubject(parts, subject)];
  const readings: Reading[] = [];
  let isWhole = true;
  for (const row of rows) {
    const isConflict = row.record === eventRecord.conflict(row.bodySha256);
    if (!isConflict && row.record !== eventRecord.variant(row.bodySha256)) continue;
    const again = row.body && readAgain(row, row.body, rows);
    if (!again?.ok) isWhole &&= !isConflict;
    if (!again?.ok) continue;
    const { event, received } = again;
    // As it was recorded, so that no body is kept for longer than at first.
    const recorded = await recordEvent(parts.events, received, settingsAt(parts, new Date(row.recordedAt)));
    const fact = eventFact(event);
    const { own, ...routed } = recorded;
    const { judged } = row;
    const read = eventRow(received, event, settingsAt(parts, parts.now()));
    const admitted = routesOfAdmitted({ ...read, ...(judged && { judged }) }, fact, parts.meaningOf);
    bodies.push({ ...routed, routes: [...routed.routes, ...admitted] });
    readings.push(...readingOf(row, { ...read, fact }));
  }
  return { bodies, isWhole, readings };
}

/** The row of an admitted body says where its fact counts, so that a later replay finds it there. */
function readingOf(row: EventRow, read: EventRow & { readonly fact: string }): readonly Reading[] {
  const { key, record, mode, bodySha256, outcome, waiting, judged } = row;
  const isAdmitted = judged?.verdict === 'admitted' && waiting === undefined;
  if (!isAdmitted || isSameReading({ fact: read.fact, ...row }, read)) return [];
  return [{ key, record, mode, bodySha256, outcome, from: outcome, ...saidBy(read) }];
}

/** The event of a stored row, without a look at its body. */
export const routedAs = (row: EventRow, fact: string, meaningOf: MeaningOf): Routed => ({
  mode: row.mode,
  routes: routesOfEvent(row, fact, meaningOf),
  own: { row, fact },
});

async function recordSubject(parts: ReplayParts, { found, row, fact, body }: ReplaySubject): Promise<Routed> {
  const settings = settingsAt(parts, new Date(found.recordedAt));
  const routed: Routed =
    body === undefined
      ? routedAs(row, fact, parts.meaningOf)
      : await recordEvent(parts.events, body.received, settings);
  const admitted = routesOfAdmitted(row, fact, parts.meaningOf);
  return { ...routed, routes: [...routed.routes, ...admitted] };
}

/** An admitted body belongs to the order that it names, or else to the one that the operator named. */
function routesOfAdmitted(
  { judged, ...row }: EventRow,
  fact: string,
  meaningOf: MeaningOf,
): readonly Route[] {
  if (judged?.verdict !== 'admitted') return [];
  if (row.orderId !== undefined) return routesOfEvent(row, fact, meaningOf);
  return [...routesTo(row, fact), ...routesTo(judged, fact)];
}
