import { expect, it } from 'vitest';
import type { EventRow } from '../../../console/page/events/event-rows.ts';
import { listSentence } from '../../../console/page/events/list-sentence.ts';

const row = (waiting: EventRow['waiting']) => ({ waiting }) as EventRow;
const [counts, waits] = [row(null), row('quarantined')];

it.each([
  ['none that waits', [counts], 'None of those below waits for a person.'],
  ['one that waits', [counts, waits], '1 of those below waits for a person.'],
  ['two that wait', [waits, waits], '2 of those below wait for a person.'],
])('the list of events claims nothing about what it has not read yet, with %s', (_, rows, sentence) => {
  expect(listSentence({ rows, state: 'more' }, false)).toBe(sentence);
});

it('a filtered list of events counts what matches, as far as it was read', () => {
  expect(listSentence({ rows: [counts], state: 'end' }, true)).toBe('1 event matches.');
  expect(listSentence({ rows: [counts, waits], state: 'more' }, true)).toBe('At least 2 events match.');
});
