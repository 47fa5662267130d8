import { describe, expect, it } from 'vitest';
import { durationText, relativeTime } from '../../../console/page/parts/texts.ts';
import { wordFor } from '../../../console/page/parts/words.ts';

const noon = new Date(2026, 10, 22, 12, 0, 0).getTime();
const minute = 60_000;

describe('texts of the console', () => {
  it.each([
    [0, 'just now'],
    [12_000, '12 sec. ago'],
    [3 * minute, '3 min. ago'],
    [120 * minute, '2 hr. ago'],
    [26 * 60 * minute, '21 Nov, 10:00:00'],
  ])('show a time %i milliseconds ago as %s', (age, text) => {
    expect(relativeTime(noon - age, noon)).toBe(text);
  });

  it.each([
    [0, '0 ms'],
    [840, '840 ms'],
    [999.6, '1.0 s'],
    [1_440, '1.4 s'],
    [9_960, '10 s'],
    [59_700, '1 min'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [360_000_000, '4 d 4 h'],
  ])('show %d milliseconds as %s', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });

  it('show a value that a later version added as it is', () => {
    expect(wordFor({ paid: 'Paid' }, 'paid')).toBe('Paid');
    expect(wordFor({ paid: 'Paid' }, 'settled')).toBe('settled');
    expect(wordFor({ paid: 'Paid' }, 'constructor')).toBe('constructor');
  });
});
