import { eventRow, type RowSettings } from '../consumer/event-rows.ts';
import { eventRecord } from '../contract/schema.ts';
import { eventFact } from '../domain/fact.ts';
import type { Reading } from '../ports/readings.ts';
import type { EventRow } from '../ports/stores.ts';
import { readAgain } from './read-again.ts';
import { isSameReading, type ReadRow, saidBy, withSaid } from './read-row.ts';

/** The other bodies under an event id that count, because an operator admitted them. */
export const admittedConflicts = (
  rows: readonly EventRow[],
  settings: Pick<RowSettings, 'eventRetentionDays' | 'meaningOf'>,
): readonly ReadRow[] =>
  rows.flatMap((found) => {
    const isConflict = found.record === eventRecord.conflict(found.bodySha256);
    const isAdmitted = found.judged?.verdict === 'admitted' && found.waiting === undefined;
    if (!isConflict || !isAdmitted) return [];
    const again = found.body && readAgain(found, found.body, rows);
    // One that is gone, or that this version cannot read, counts where it is.
    if (!again?.ok) return [{ found, row: found }];
    const read = eventRow(again.received, again.event, { ...settings, now: new Date(found.recordedAt) });
    const fact = eventFact(again.event);
    return [{ found: { fact, ...found }, row: withSaid(found, { ...read, fact }) }];
  });

/** What its row must say once its fact is where this version reads it: a later replay finds it there. */
export function readingOf({ found, row }: ReadRow): readonly Reading[] {
  if (isSameReading(found, row)) return [];
  const { key, record, mode, bodySha256, outcome } = row;
  return [{ key, record, mode, bodySha256, outcome, from: outcome, ...saidBy(row) }];
}
