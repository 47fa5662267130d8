import type { Counts, Levels, RefusalReason, Series } from '../../contract/series.ts';
import { durationText } from '../parts/texts.ts';
import { wordFor } from '../parts/words.ts';

const refusalWords: Readonly<Record<RefusalReason, string>> = {
  unreadable: 'no readable signature',
  mismatch: 'wrong signature',
  key_expired: 'expired key',
  too_large: 'too large',
  keys_unavailable: 'no usable key',
  queue_unavailable: 'queue unavailable',
  crashed: 'verifier failed',
};

export interface Chart {
  readonly title: string;
  /** The number to look at first. */
  readonly value: string;
  readonly text: string;
  readonly bars: Levels;
  /** A class of the style sheet. */
  readonly tone: 'accent' | 'good' | 'bad';
}

/** The charts of the last hour: a bar for each minute, and what they show in words. */
export function chartsOf(series: Series): readonly Chart[] {
  const { since, accepted, recorded, refused, oldest_seconds: oldest } = series;
  const reasons = Object.entries(refused)
    .map(([reason, values]) => ({ name: wordFor(refusalWords, reason), sum: sumOf(values) }))
    .filter(({ sum }) => sum > 0)
    .toSorted((a, b) => b.sum - a.sum)
    .map(({ name, sum }) => `${sum.toLocaleString('en')} ${name}`);
  const allRefused = accepted.map((_, n) => sumOf(Object.values(refused).map((values) => values[n] ?? 0)));
  const known = oldest.filter((value) => value !== null);
  const now = known.at(-1);
  const busiest = (values: Counts): string => busiestText(since, values);
  const counts = (title: string, bars: Counts) => ({ title, bars, value: sumOf(bars).toLocaleString('en') });
  return [
    { ...counts('Arriving', accepted), text: busiest(accepted), tone: 'accent' },
    { ...counts('Recorded', recorded), text: busiest(recorded), tone: 'good' },
    {
      ...counts('Refused', allRefused),
      ...{ text: ['in the last hour', ...reasons].join(', '), tone: 'bad' },
    },
    {
      title: 'Oldest event in the queue',
      bars: oldest,
      value: now === undefined ? '—' : secondsText(now),
      text:
        now === undefined
          ? 'no value in the last hour'
          : `now; at most ${secondsText(Math.max(...known))} in the last hour`,
      tone: 'accent',
    },
  ];
}

const sumOf = (values: Counts): number => values.reduce((sum, value) => sum + value, 0);
const secondsText = (value: number): string => (value === 0 ? '0 s' : durationText(value * 1_000));
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

function busiestText(since: string, values: Counts): string {
  const peak = Math.max(...values);
  if (peak === 0) return 'in the last hour';
  const at = timeFormat.format(Date.parse(since) + values.indexOf(peak) * 60_000);
  return `in the last hour, at most ${peak.toLocaleString('en')} a minute at ${at}`;
}
