import { describe, expect, it } from 'vitest';
import { faultsOf, judge } from './judgement.ts';

const counts = (...ids: readonly string[]): ReadonlyMap<string, number> =>
  new Map(ids.map((id) => [id, ids.filter((other) => other === id).length]));

describe('what npm run load finds in the tables', () => {
  it('passes when every acknowledged event has one row and one fact', () => {
    const judgement = judge(new Set(['a', 'b']), new Set(['a', 'b']), {
      rows: counts('a', 'b'),
      facts: counts('b', 'a'),
    });
    expect(judgement).toEqual({ recordedOnce: 2, lost: [], doubled: [], invented: [] });
    expect(faultsOf(judgement)).toEqual([]);
  });

  it('passes when an event without a response is recorded or absent, because its sender knows neither', () => {
    const judgement = judge(new Set(['a', 'b', 'c']), new Set(['a']), {
      rows: counts('a', 'b'),
      facts: counts('a', 'b'),
    });
    expect(judgement).toEqual({ recordedOnce: 2, lost: [], doubled: [], invented: [] });
  });

  it('fails for an acknowledged event without a row, and for one that its order lacks', () => {
    const judgement = judge(new Set(['a', 'b', 'c']), new Set(['a', 'b', 'c']), {
      rows: counts('a', 'c'),
      facts: counts('a', 'b'),
    });
    expect(judgement).toMatchObject({ recordedOnce: 1, lost: ['b', 'c'] });
    expect(faultsOf(judgement)).toEqual(['2 events are acknowledged and not recorded, for example b.']);
  });

  it('fails for an event with two rows, and for one with two facts', () => {
    const judgement = judge(new Set(['a', 'b']), new Set(['a', 'b']), {
      rows: counts('a', 'a', 'b'),
      facts: counts('a', 'b', 'b'),
    });
    expect(judgement).toMatchObject({ recordedOnce: 0, doubled: ['a', 'b'] });
    expect(faultsOf(judgement)).toEqual(['2 events are recorded more than once, for example a.']);
  });

  it('fails for an event that was never sent', () => {
    const judgement = judge(new Set(['a']), new Set(['a']), { rows: counts('a', 'x'), facts: counts('a') });
    expect(faultsOf(judgement)).toEqual(['1 event is recorded and never sent, for example x.']);
  });
});
