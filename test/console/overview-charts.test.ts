import { describe, expect, it } from 'vitest';
import { refusalReasons, type Series } from '../../console/contract/series.ts';
import { chartsOf } from '../../console/page/overview/charts.ts';

/** 57 minutes of `filler`, and then these. */
const ending = <Value>(filler: Value, ...values: readonly Value[]): Value[] => [
  ...Array.from({ length: 60 - values.length }, () => filler),
  ...values,
];
const zeros = ending(0);
const refused = Object.fromEntries(
  refusalReasons.map((name) => [name, zeros]),
) as unknown as Series['refused'];
const quiet: Series = {
  since: '2026-11-21T11:00:00',
  ...{ accepted: zeros, recorded: zeros, refused, oldest_seconds: ending<number | null>(null) },
};
const wordsOf = (series: Partial<Series> = {}) =>
  chartsOf({ ...quiet, ...series }).map(({ title, value, text }) => `${title}: ${value} ${text}`);

describe('the charts of the overview', () => {
  it('say in words that nothing happened', () => {
    expect(wordsOf()).toEqual([
      ...['Arriving: 0 in the last hour', 'Recorded: 0 in the last hour', 'Refused: 0 in the last hour'],
      'Oldest event in the queue: — no value in the last hour',
    ]);
  });

  it('show the sum of the hour and its busiest minute', () => {
    expect(wordsOf({ accepted: ending(0, 1_200, 34) })[0]).toBe(
      'Arriving: 1,234 in the last hour, at most 1,200 a minute at 11:58',
    );
  });

  it('show refusals by reason, the most frequent first', () => {
    const given = { ...refused, mismatch: ending(0, 1, 2), unreadable: ending(0, 9, 0) };
    expect(wordsOf({ refused: given })[2]).toBe(
      'Refused: 12 in the last hour, 9 no readable signature, 3 wrong signature',
    );
    expect(chartsOf({ ...quiet, refused: given })[2]?.bars.slice(-3)).toEqual([0, 10, 2]);
  });

  it('show the age of the oldest event now, and the highest of the hour', () => {
    expect(wordsOf({ oldest_seconds: ending<number | null>(null, 95, 0.4) })[3]).toBe(
      'Oldest event in the queue: 400 ms now; at most 1 min 35 s in the last hour',
    );
  });
});
