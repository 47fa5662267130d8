import type { ListView } from '../lists/list-loader.ts';
import { counted } from '../parts/texts.ts';
import type { EventRow } from './event-rows.ts';

/** What the list of events shows. It speaks of its rows only: more may wait further down, or not be read. */
export function listSentence(
  { rows, state }: Pick<ListView<EventRow>, 'rows' | 'state'>,
  isFiltered: boolean,
): string {
  if (isFiltered) {
    const events = counted(rows.length, 'event matches', 'events match');
    return `${state === 'end' ? '' : 'At least '}${events}.`;
  }
  const waiting = rows.filter((row) => row.waiting !== null).length;
  if (waiting === 0) return 'None of those below waits for a person.';
  return `${waiting} of those below ${waiting === 1 ? 'waits' : 'wait'} for a person.`;
}
