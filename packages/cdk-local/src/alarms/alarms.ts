import type { AlarmModel } from '../template/alarms.ts';
import {
  type AddMetrics,
  createMetrics,
  type MetricId,
  type Metrics,
  metricKey,
  type Span,
  type Statistic,
} from './metrics.ts';

/** An alarm of the template, as it is now. */
export interface AlarmView {
  readonly name: string;
  readonly state: 'OK' | 'ALARM';
  readonly description: string;
  /** When it entered this state; ISO 8601 in UTC. */
  readonly since: string;
}

interface AlarmsOptions {
  readonly models: readonly AlarmModel[];
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onChange: (alarm: AlarmView) => void;
  /** Adds what is measured now, such as the depth of a queue. */
  readonly sample?: (add: AddMetrics) => void;
}

const checkMilliseconds = 5_000;
const minuteMilliseconds = 60_000;

/**
 * Evaluates each alarm after each of its metrics, on `list`, and every few seconds, over periods ending now:
 * it fires as soon as its threshold is reached, and ends when the last reason is older than its periods. Each
 * one starts as OK; there is no INSUFFICIENT_DATA.
 */
export function startAlarms({ models, clock, onChange, sample = () => {} }: AlarmsOptions) {
  const metrics = createMetrics(clock);
  const startedAt = clock();
  const since = new Date(startedAt).toISOString();
  const views = new Map<AlarmModel, AlarmView>(
    models.map((model) => [model, { name: model.name, state: 'OK', description: model.description, since }]),
  );
  const evaluate = (watches: (model: AlarmModel) => boolean = () => true): void => {
    const now = clock();
    for (const [model, view] of views) {
      if (!watches(model)) continue;
      const state = stateOf(model, { metrics, now, startedAt }) ?? view.state;
      if (state === view.state) continue;
      const changed = { ...view, state, since: new Date(now).toISOString() };
      views.set(model, changed);
      onChange(changed);
    }
  };
  const addMetrics: AddMetrics = (namespace, dimensions, values) => {
    for (const [name, value] of Object.entries(values))
      metrics.keep(metricKey(namespace, name, dimensions), [value]);
  };
  const check = (): void => {
    sample(addMetrics);
    evaluate();
  };
  const timer = setInterval(check, checkMilliseconds);
  timer.unref();
  return {
    addMetrics,
    /** Receives a line that a function wrote. */
    onLine(line: string): void {
      // Most lines are no metrics.
      if (!line.includes('"_aws"')) return;
      const keys = metrics.add(line);
      evaluate((model) => Object.values(model.metrics).some(({ key }) => keys.has(key)));
    },
    list(): readonly AlarmView[] {
      check();
      return [...views.values()];
    },
    /** What an alarm goes by, for each minute of a span that begins with a minute. */
    minutesOf(model: AlarmModel, span: Span): (number | undefined)[] {
      const perMinute = { ...model, periodSeconds: 60 };
      const moment = { metrics, now: clock(), startedAt };
      return minutesIn(span).map((begin) => valueIn(perMinute, moment, begin));
    },
    /** The value of each minute of a span that begins with a minute; `undefined` where there is none. */
    minutes({ namespace, name, dimensions }: MetricId, statistic: Statistic, span: Span) {
      check();
      const key = metricKey(namespace, name, dimensions);
      return minutesIn(span).map((begin) =>
        metrics.value(key, statistic, { begin, end: begin + minuteMilliseconds }),
      );
    },
    stop: () => clearInterval(timer),
  };
}

const minutesIn = ({ begin, end }: Span): number[] =>
  Array.from(
    { length: Math.ceil((end - begin) / minuteMilliseconds) },
    (_, index) => begin + index * minuteMilliseconds,
  );

interface Moment {
  readonly metrics: Metrics;
  readonly now: number;
  readonly startedAt: number;
}

/** `undefined` when the state does not change. */
function stateOf(model: AlarmModel, moment: Moment): AlarmView['state'] | undefined {
  const { periods, periodSeconds, breachingPeriods, missing } = model;
  // The minute that has begun belongs to the latest period.
  const end = (Math.floor(moment.now / minuteMilliseconds) + 1) * minuteMilliseconds;
  const values = Array.from({ length: periods }, (_, index) => {
    const begin = end - (index + 1) * periodSeconds * 1_000;
    // Before the start nothing was counted, so nothing is missing there.
    const isComplete = begin >= moment.startedAt || isTelling(model, moment, begin);
    return isComplete ? valueIn(model, moment, begin) : 'unknown';
  });
  const keepsState = missing === 'ignore' || missing === 'missing';
  if (keepsState && values.every((value) => typeof value !== 'number')) return undefined;
  const breaching = values.filter((value) =>
    typeof value === 'number' ? breaches(model, value) : value === undefined && missing === 'breaching',
  );
  return breaching.length >= breachingPeriods ? 'ALARM' : 'OK';
}

function valueIn(model: AlarmModel, moment: Moment, begin: number): number | undefined {
  return model.value((id) => metricIn(model.metrics[id], model, { moment, begin }));
}

/** Whether a part of a period is enough: to reach a threshold any metric is, to miss one all are needed. */
function isTelling(model: AlarmModel, moment: Moment, begin: number): boolean {
  const has = (metric: AlarmModel['metrics'][string]) =>
    metricIn(metric, model, { moment, begin }) !== undefined;
  const metrics = Object.values(model.metrics);
  return model.comparison.startsWith('Less') ? metrics.every(has) : metrics.some(has);
}

function metricIn(
  metric: AlarmModel['metrics'][string] | undefined,
  { periodSeconds }: AlarmModel,
  { moment, begin }: { readonly moment: Moment; readonly begin: number },
): number | undefined {
  const span = { begin, end: begin + periodSeconds * 1_000 };
  return metric && moment.metrics.value(metric.key, metric.statistic, span);
}

function breaches({ comparison, threshold }: AlarmModel, value: number): boolean {
  if (comparison === 'GreaterThanOrEqualToThreshold') return value >= threshold;
  if (comparison === 'GreaterThanThreshold') return value > threshold;
  if (comparison === 'LessThanOrEqualToThreshold') return value <= threshold;
  return value < threshold;
}
