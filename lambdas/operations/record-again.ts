import { eventRow, type RowSettings } from '../consumer/event-rows.ts';
import { type Routed, recordEvent } from '../consumer/record-event.ts';
import { type Route, routesOfConflict, routesOfEvent, routesTo } from '../consumer/routes.ts';
import { eventRecord } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { eventFact } from '../domain/fact.ts';
import type { EventRow } from '../ports/stores.ts';
import { readAgain } from './read-again.ts';
import type { ReplayParts } from './replay-parts.ts';
import type { ReplaySubject } from './replay-subject.ts';

export const settingsAt = ({ eventRetentionDays, meaningOf }: ReplayParts, now: Date): RowSettings => ({
  now,
  eventRetentionDays,
  meaningOf,
});

/** Every body under the id, recorded again. `isWhole` is false when one was not read. */
export async function recordAgain(
  parts: ReplayParts,
  subject: ReplaySubject,
  rows: readonly EventRow[],
): Promise<{ readonly bodies: readonly Routed[]; readonly isWhole: boolean }> {
  const bodies = [await recordSubject(parts, subject)];
  if (subject.isAlone) return { bodies, isWhole: false };
  let isWhole = true;
  for (const row of rows) {
    const isConflict = row.record === eventRecord.conflict(row.bodySha256);
    if (!isConflict && row.record !== eventRecord.variant(row.bodySha256)) continue;
    const again = row.body && readAgain(row, row.body, rows);
    if (!again?.ok) {
      const stored = conflictAsStored(subject, row, parts.meaningOf);
      bodies.push(...stored);
      isWhole &&= !isConflict || stored.length > 0;
      continue;
    }
    const { event, received } = again;
    // As it was recorded, so that no body is kept for longer than at first.
    const recorded = await recordEvent(parts.events, received, settingsAt(parts, new Date(row.recordedAt)));
    const fact = eventFact(event);
    const { own, ...routed } = recorded;
    const { judged } = row;
    const read = eventRow(received, event, settingsAt(parts, parts.now()));
    const admitted = routesOfAdmitted({ ...read, ...(judged && { judged }) }, fact, parts.meaningOf);
    bodies.push({ ...routed, routes: [...routed.routes, ...admitted] });
  }
  return { bodies, isWhole };
}

/** Another body under the id, which cannot be read. Once it is judged, its row keeps its fact. */
function conflictAsStored(
  { row: first }: ReplaySubject,
  row: EventRow,
  meaningOf: MeaningOf,
): readonly Routed[] {
  const { mode, fact } = row;
  if (fact === undefined) return [];
  const routes = routesOfConflict({ first, row, routes: routesOfEvent(row, fact, meaningOf) });
  return [{ mode, routes: [...routes, ...routesOfAdmitted(row, fact, meaningOf)] }];
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
