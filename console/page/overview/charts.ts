import type { Counts, Levels, RefusalReason, Series } from '../../contract/series.ts';
import { counted, durationText } from '../parts/texts.ts';
import { waitingWords, wordFor } from '../parts/words.ts';

export interface ChartLine {
  readonly name: string;
  readonly values: Levels;
  readonly shape: 'bars' | 'line';
  /** A class of overview.css, which has the colour. */
  /** Most minutes have no value: the line joins those that have one. */
  readonly isSampled?: boolean;
  readonly colour: 'accent' | 'good' | 'bad' | 'waiting' | 'muted';
}

export interface ChartModel {
  readonly title: string;
  readonly unit: 'count' | 'seconds';
  /** The number to look at first. */
  readonly value: string;
  readonly text: string;
  readonly lines: readonly ChartLine[];
  /** Further columns of the table for screen readers. */
  readonly details: readonly Pick<ChartLine, 'name' | 'values'>[];
}

const refusalWords: Readonly<Record<RefusalReason, string>> = {
  unreadable: 'no readable signature',
  mismatch: 'wrong signature',
  key_expired: 'expired key',
  too_large: 'too large',
  throttled: 'throttled',
  keys_unavailable: 'no usable key',
  queue_unavailable: 'queue unavailable',
  crashed: 'verifier failed',
};

/** The six charts of the overview, with everything that they show in words. */
export const chartsOf = (series: Series): readonly ChartModel[] => [
  countChart(series, 'Arriving', { name: 'webhooks', values: series.accepted, colour: 'accent' }),
  countChart(series, 'Recorded', { name: 'events', values: series.recorded, colour: 'good' }),
  refusedChart(series),
  waitingChart(series),
  queueAgeChart(series),
  latencyChart(series),
];

const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The minute with this index, such as `14:03`. */
export const minuteText = ({ since }: Pick<Series, 'since'>, index: number): string =>
  timeFormat.format(Date.parse(since) + index * 60_000);

const sumOf = (values: Counts): number => values.reduce((sum, value) => sum + value, 0);
const known = (values: Levels): readonly number[] => values.filter((value) => value !== null);
const latest = (values: Levels): number | undefined => known(values).at(-1);
const seconds = (value: number): string => (value === 0 ? '0 s' : durationText(value * 1_000));

type Counted = { readonly name: string; readonly values: Counts; readonly colour: ChartLine['colour'] };

function countChart(series: Series, title: string, line: Counted): ChartModel {
  return {
    ...{ title, unit: 'count', value: sumOf(line.values).toLocaleString('en') },
    text: busiest(series, line.values),
    lines: [{ ...line, shape: 'bars' }],
    details: [],
  };
}

function busiest(series: Series, values: Counts): string {
  const peak = Math.max(...values);
  if (peak === 0) return 'in the last hour';
  const at = minuteText(series, values.indexOf(peak));
  return `in the last hour, at most ${peak.toLocaleString('en')} a minute at ${at}`;
}

function refusedChart(series: Series): ChartModel {
  const reasons = Object.entries(series.refused)
    .map(([reason, values]) => ({ name: wordFor(refusalWords, reason), values, sum: sumOf(values) }))
    .filter(({ sum }) => sum > 0)
    .toSorted((a, b) => b.sum - a.sum);
  const values = series.accepted.map((_, index) => sumOf(reasons.map((reason) => reason.values[index] ?? 0)));
  const words = reasons.map(({ name, sum }) => `${sum.toLocaleString('en')} ${name}`);
  return {
    ...countChart(series, 'Refused', { name: 'requests', values, colour: 'bad' }),
    ...(words.length > 0 && { text: `in the last hour: ${words.join(', ')}` }),
    details: reasons,
  };
}

function waitingChart(series: Series): ChartModel {
  const kinds = Object.entries(series.waiting)
    .map(([kind, values]) => ({ name: wordFor(waitingWords, kind), values }))
    .filter(({ values }) => known(values).some((value) => value > 0));
  const values = series.accepted.map((_, index): number | null => {
    const levels = kinds.map((kind) => kind.values[index] ?? null);
    return levels.includes(null) ? null : sumOf(known(levels));
  });
  const now = kinds.flatMap((kind) => {
    const level = latest(kind.values) ?? 0;
    return level === 0 ? [] : [`${level.toLocaleString('en')} ${kind.name.toLowerCase()}`];
  });
  const peak = Math.max(0, ...known(values));
  const ended =
    peak === 0 ? 'now, and in the last hour' : `now; at most ${peak.toLocaleString('en')} in the last hour`;
  return {
    ...{ title: 'Waiting for a person', unit: 'count', value: (latest(values) ?? 0).toLocaleString('en') },
    text: now.length > 0 ? `now: ${now.join(', ')}` : ended,
    lines: [{ name: 'items', values, shape: 'line', colour: 'waiting' }],
    details: kinds,
  };
}

function queueAgeChart({ oldest_seconds: values }: Series): ChartModel {
  const now = latest(values);
  const peak = Math.max(0, ...known(values));
  return {
    ...{ title: 'Oldest event in the queue', unit: 'seconds', value: now === undefined ? '—' : seconds(now) },
    text: now === undefined ? 'no value in the last hour' : `now; at most ${seconds(peak)} in the last hour`,
    lines: [{ name: 'age', values, shape: 'line', colour: 'accent' }],
    details: [],
  };
}

function latencyChart(series: Series): ChartModel {
  const { events, heartbeats } = series.latency;
  if (events !== null) {
    const now = latest(events.mean);
    return {
      ...{ title: 'Receipt to record', unit: 'seconds', value: valueText('seconds', now), details: [] },
      text:
        now === undefined
          ? 'no event in the last hour'
          : `mean of the latest minute with events; ${slowest(series, events.slowest)}`,
      lines: [
        { name: 'slowest', values: events.slowest, shape: 'line', colour: 'muted', isSampled: true },
        { name: 'mean', values: events.mean, shape: 'line', colour: 'accent', isSampled: true },
      ],
    };
  }
  const values = heartbeats ?? [];
  const sorted = known(values).toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const none = heartbeats === null ? 'this stack sends no heartbeats' : 'no heartbeat in the last hour';
  return {
    ...{
      title: 'Round trip of a heartbeat',
      unit: 'seconds',
      value: valueText('seconds', median),
      details: [],
    },
    text: median === undefined ? none : `in the median; ${slowest(series, values)}`,
    lines: [{ name: 'round trip', values, shape: 'line', colour: 'accent', isSampled: true }],
  };
}

function slowest(series: Series, values: Levels): string {
  const peak = Math.max(...known(values));
  return `slowest ${seconds(peak)} at ${minuteText(series, values.indexOf(peak))}`;
}

/** A value of a chart in words, such as `12` or `1.4 s`; a dash for none. */
export function valueText(unit: ChartModel['unit'], value: number | null | undefined): string {
  if (value === null || value === undefined) return '—';
  return unit === 'seconds' ? seconds(value) : value.toLocaleString('en');
}

/** The table of a chart: only minutes in which something was counted. */
export function tableOf(series: Series, { lines, details, unit }: ChartModel) {
  const columns = [...lines, ...details];
  const minutes = series.accepted.map((_, index) => index);
  const rows = minutes
    .filter((index) => columns.some(({ values }) => (values[index] ?? 0) !== 0))
    .map((index) => ({
      minute: minuteText(series, index),
      cells: columns.map(({ values }) => valueText(unit, values[index])),
    }));
  return {
    head: columns.map(({ name }) => name),
    rows,
    without: counted(minutes.length - rows.length, 'minute'),
  };
}
