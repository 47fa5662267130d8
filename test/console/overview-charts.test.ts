import { describe, expect, it } from 'vitest';
import { refusalReasons, type Series } from '../../console/contract/series.ts';
import { chartsOf, tableOf } from '../../console/page/overview/charts.ts';
import { waitingKinds } from '../../lambdas/contract/waiting-kinds.ts';

/** 57 minutes of `filler`, and then these. */
const ending = <Value>(filler: Value, ...values: readonly Value[]): Value[] => [
  ...Array.from({ length: 60 - values.length }, () => filler),
  ...values,
];
const zeros = ending(0);
const nothing = ending<number | null>(null);
const all = <Name extends string, Value>(names: readonly Name[], value: Value) =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>;

const quiet: Series = {
  ...{ since: '2026-11-21T11:00:00', until: '2026-11-21T12:00:00' },
  ...{
    accepted: zeros,
    recorded: zeros,
    refused: all(refusalReasons, zeros),
    waiting: all(waitingKinds, zeros),
  },
  ...{ oldest_seconds: nothing, latency: { events: null, heartbeats: nothing } },
};

function chart(title: string, series: Partial<Series> = {}) {
  const found = chartsOf({ ...quiet, ...series }).find((one) => one.title === title);
  if (found === undefined) throw new Error(`There is no chart ${title}.`);
  return found;
}
const wordsOf = (title: string, series: Partial<Series> = {}) => {
  const { value, text } = chart(title, series);
  return `${value} ${text}`;
};

describe('the charts of the overview', () => {
  it('are six, and say in words that nothing happened', () => {
    expect(chartsOf(quiet).map(({ title, value, text }) => `${title}: ${value} ${text}`)).toEqual([
      'Arriving: 0 in the last hour',
      'Recorded: 0 in the last hour',
      'Refused: 0 in the last hour',
      'Waiting for a person: 0 now, and in the last hour',
      'Oldest event in the queue: — no value in the last hour',
      'Round trip of a heartbeat: — no heartbeat in the last hour',
    ]);
  });

  it('show the sum of the hour and its busiest minute', () => {
    const accepted = ending(0, 1_200, 34);
    expect(wordsOf('Arriving', { accepted })).toBe('1,234 in the last hour, at most 1,200 a minute at 11:58');
  });

  it('show refusals by reason, the most frequent first', () => {
    const refused = { ...quiet.refused, mismatch: ending(0, 1, 2), unreadable: ending(0, 9, 0) };
    const { value, text, lines, details } = chart('Refused', { refused });
    expect([value, text]).toEqual(['12', 'in the last hour: 9 no readable signature, 3 wrong signature']);
    expect(lines[0]?.values.slice(-3)).toEqual([0, 10, 2]);
    expect(details.map(({ name }) => name)).toEqual(['no readable signature', 'wrong signature']);
  });

  it('show what waits now by kind, and no total where a count is missing', () => {
    const waiting = {
      ...{ ...quiet.waiting, conflict: ending<number | null>(0, 1, null, 2) },
      unassigned: ending<number | null>(0, 5, 5, 3),
    };
    const { value, text, lines } = chart('Waiting for a person', { waiting });
    expect([value, text]).toEqual(['5', 'now: 3 unassigned, 2 conflict']);
    expect(lines[0]?.values.slice(-4)).toEqual([0, 6, null, 5]);
  });

  it('show how much has waited when nothing waits any more', () => {
    const waiting = { ...quiet.waiting, conflict: ending<number | null>(0, 7, 0) };
    expect(wordsOf('Waiting for a person', { waiting })).toBe('0 now; at most 7 in the last hour');
  });

  it('show the age of the oldest event now, and the highest of the hour', () => {
    const oldest_seconds = ending<number | null>(null, 95, 0.4);
    expect(wordsOf('Oldest event in the queue', { oldest_seconds })).toBe(
      '400 ms now; at most 1 min 35 s in the last hour',
    );
  });

  it('show the latency of events where it is measured', () => {
    const events = {
      mean: ending<number | null>(null, 0.2, 0.1),
      slowest: ending<number | null>(null, 0.9, 0.3),
    };
    expect(wordsOf('Receipt to record', { latency: { events, heartbeats: nothing } })).toBe(
      '100 ms mean of the latest minute with events; slowest 900 ms at 11:58',
    );
  });

  it('show the round trip of heartbeats otherwise, and that a stack sends none', () => {
    const heartbeats = ending<number | null>(null, 2, 9, 3);
    expect(wordsOf('Round trip of a heartbeat', { latency: { events: null, heartbeats } })).toBe(
      '3.0 s in the median; slowest 9.0 s at 11:58',
    );
    expect(wordsOf('Round trip of a heartbeat', { latency: { events: null, heartbeats: null } })).toBe(
      '— this stack sends no heartbeats',
    );
  });

  it('have a table with the minutes in which something was counted', () => {
    const series = { ...quiet, accepted: ending(0, 4, 0, 7) };
    expect(tableOf(series, chart('Arriving', series))).toEqual({
      head: ['webhooks'],
      rows: [
        { minute: '11:57', cells: ['4'] },
        { minute: '11:59', cells: ['7'] },
      ],
      without: '58 minutes',
    });
  });
});
