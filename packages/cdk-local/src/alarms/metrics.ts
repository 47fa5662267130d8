import * as v from 'valibot';

/** The values of metrics, minute by minute. */
export type Metrics = ReturnType<typeof createMetrics>;

/** `p99` is the maximum: a minute of local traffic has few values, of which it is the highest on AWS too. */
export const statistics = ['Sum', 'Maximum', 'Minimum', 'SampleCount', 'p99'] as const;
export type Statistic = (typeof statistics)[number];

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Of values, or of minutes. */
const combine: Readonly<Record<Statistic, (values: readonly number[]) => number>> = {
  Sum: sumOf,
  SampleCount: sumOf,
  Maximum: (values) => Math.max(...values),
  p99: (values) => Math.max(...values),
  Minimum: (values) => Math.min(...values),
};

const minuteMilliseconds = 60_000;
/** CloudWatch's alarms look back a day at most when their periods are shorter than an hour. */
const minutesMax = 24 * 60 + 1;

/** One metric as text: its namespace, its name and all of its dimensions. */
export function metricKey(
  namespace: string,
  name: string,
  dimensions: Readonly<Record<string, string>>,
): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).toSorted()]);
}

/** A metric with all of its dimensions. */
export interface MetricId {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** Adds values of metrics with one set of dimensions, by the names of the metrics. */
export type AddMetrics = (
  namespace: string,
  dimensions: Readonly<Record<string, string>>,
  values: Readonly<Record<string, number>>,
) => void;

/** From `begin` on and before `end` (milliseconds since the epoch). */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

type Minute = Readonly<Record<Statistic, number>>;

/** Keeps what functions write in CloudWatch's embedded metric format, by the time of the clock. */
export function createMetrics(clock: () => number) {
  const minutesByKey = new Map<string, Map<number, Minute>>();

  const keep = (key: string, values: readonly number[]): void => {
    const minutes = minutesByKey.get(key) ?? new Map<number, Minute>();
    minutesByKey.set(key, minutes);
    const minute = Math.floor(clock() / minuteMilliseconds);
    const known = minutes.get(minute);
    const withKnown = (statistic: Statistic): number =>
      combine[statistic](known === undefined ? values : [known[statistic], ...values]);
    minutes.set(minute, {
      Sum: withKnown('Sum'),
      Maximum: withKnown('Maximum'),
      p99: withKnown('p99'),
      Minimum: withKnown('Minimum'),
      SampleCount: (known?.SampleCount ?? 0) + values.length,
    });
    const [oldest] = minutes.keys();
    if (minutes.size > minutesMax && oldest !== undefined) minutes.delete(oldest);
  };

  return {
    keep,
    /** Reads a line that a function wrote, and returns its metrics; a line in another format is left out. */
    add(line: string): ReadonlySet<string> {
      const read = readValues(line).filter(([, values]) => values.length > 0);
      for (const [key, values] of read) keep(key, values);
      return new Set(read.map(([key]) => key));
    },
    /** Over the whole span; `undefined` where the metric has no value. */
    value(key: string, statistic: Statistic, { begin, end }: Span): number | undefined {
      const minutes = minutesByKey.get(key);
      const values: number[] = [];
      for (let at = begin; at < end; at += minuteMilliseconds) {
        const minute = minutes?.get(Math.floor(at / minuteMilliseconds));
        if (minute !== undefined) values.push(minute[statistic]);
      }
      return values.length === 0 ? undefined : combine[statistic](values);
    },
  };
}

const directive = v.object({
  Namespace: v.string(),
  Dimensions: v.array(v.array(v.string())),
  Metrics: v.array(v.object({ Name: v.string() })),
});
const embeddedMetrics = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ _aws: v.object({ CloudWatchMetrics: v.array(directive) }) }),
);

function readValues(line: string): (readonly [string, readonly number[]])[] {
  const { success, output: fields } = v.safeParse(embeddedMetrics, line);
  if (!success) return [];
  return fields._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, String(fields[name])]));
      return Metrics.map(({ Name }) => {
        const values = [fields[Name]].flat().map(Number).filter(Number.isFinite);
        return [metricKey(Namespace, Name, dimensions), values] as const;
      });
    }),
  );
}
