import type { AlarmModel } from '../template/model.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** What `GET /alarms` says of one alarm. */
export interface AlarmView {
  readonly name: string;
  readonly state: 'OK' | 'ALARM';
  readonly meaning: string;
  /** When it came into this state; ISO 8601 in UTC. */
  readonly since: string;
}

export interface AlarmsOptions {
  readonly models: readonly AlarmModel[];
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly onChange: (alarm: AlarmView) => void;
}

/** The alarms of the template over what the functions count. */
export interface Alarms {
  /** Takes a line that a function wrote. */
  onLine(line: string): void;
  /** All of them, as they are now. */
  list(): readonly AlarmView[];
  stop(): void;
}

const checkMilliseconds = 5_000;
const minuteMilliseconds = 60_000;

/**
 * Judges each alarm whenever something was counted, when it is asked, and every few seconds, over periods
 * that end now: it rings as soon as there is a reason to, and ends once the last reason is older than its
 * periods. There is no third state: an alarm starts as OK.
 */
export function startAlarms({ models, clock, onChange }: AlarmsOptions): Alarms {
  const metrics = createMetrics(clock);
  const startedAt = clock();
  const since = new Date(startedAt).toISOString();
  const views = new Map<AlarmModel, AlarmView>(
    models.map((model) => [model, { name: model.name, state: 'OK', meaning: model.meaning, since }]),
  );
  const judge = (): void => {
    const now = clock();
    for (const [model, view] of views) {
      const state = stateOf(model, { metrics, now, startedAt }) ?? view.state;
      if (state === view.state) continue;
      const changed = { ...view, state, since: new Date(now).toISOString() };
      views.set(model, changed);
      onChange(changed);
    }
  };
  const timer = setInterval(judge, checkMilliseconds);
  timer.unref();
  return {
    onLine(line) {
      metrics.add(line);
      if (line.includes('"_aws"')) judge();
    },
    list() {
      judge();
      return [...views.values()];
    },
    stop: () => clearInterval(timer),
  };
}

/** A change of an alarm as a line for the live log, where it speaks as a stage does. */
export function alarmLine({ name, state, meaning, since }: AlarmView): string {
  const level = state === 'ALARM' ? 'WARN' : 'INFO';
  const fields = { alarm: name, alarm_state: state, says: meaning };
  return JSON.stringify({ level, message: 'alarm changed', timestamp: since, ...fields });
}

interface Moment {
  readonly metrics: Metrics;
  readonly now: number;
  readonly startedAt: number;
}

/** `undefined` when it stays as it is. */
function stateOf(model: AlarmModel, moment: Moment): AlarmView['state'] | undefined {
  const { periods, periodSeconds, breachingPeriods, missing } = model;
  // The minute that has begun belongs to the latest period.
  const end = (Math.floor(moment.now / minuteMilliseconds) + 1) * minuteMilliseconds;
  const values = Array.from({ length: periods }, (_, index) => {
    const begin = end - (index + 1) * periodSeconds * 1_000;
    const value = sumOf(model, moment.metrics, begin);
    // Nobody counted before the start, so that nothing is missing there.
    return value === undefined && begin < moment.startedAt ? 'unknown' : value;
  });
  const isKept = missing === 'ignore' || missing === 'missing';
  if (isKept && values.every((value) => typeof value !== 'number')) return undefined;
  const breaching = values.filter((value) =>
    typeof value === 'number' ? breaches(model, value) : value === undefined && missing === 'breaching',
  );
  return breaching.length >= breachingPeriods ? 'ALARM' : 'OK';
}

function sumOf(
  { metrics: keys, periodSeconds, fillsWithZero }: AlarmModel,
  metrics: Metrics,
  begin: number,
): number | undefined {
  const end = begin + periodSeconds * 1_000;
  const values = keys.map((key) => metrics.sum(key, begin, end));
  const counted = values.filter((value) => value !== undefined);
  // An expression over metrics has no value where one of them has none, unless it fills the gap.
  if (counted.length === 0 || (!fillsWithZero && counted.length < values.length)) return undefined;
  return counted.reduce((sum, value) => sum + value, 0);
}

function breaches({ comparison, threshold }: AlarmModel, value: number): boolean {
  if (comparison === 'GreaterThanOrEqualToThreshold') return value >= threshold;
  if (comparison === 'GreaterThanThreshold') return value > threshold;
  if (comparison === 'LessThanOrEqualToThreshold') return value <= threshold;
  return value < threshold;
}
