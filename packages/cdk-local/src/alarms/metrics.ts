import * as v from 'valibot';

/** The sums of metrics, minute by minute. */
export type Metrics = ReturnType<typeof createMetrics>;

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

/** Counts what functions write in CloudWatch's embedded metric format, by the time of the clock. */
export function createMetrics(clock: () => number) {
  const minutesByKey = new Map<string, Map<number, number>>();

  const count = (key: string, value: number): void => {
    const minutes = minutesByKey.get(key) ?? new Map<number, number>();
    minutesByKey.set(key, minutes);
    const minute = Math.floor(clock() / minuteMilliseconds);
    minutes.set(minute, (minutes.get(minute) ?? 0) + value);
    const [oldest] = minutes.keys();
    if (minutes.size > minutesMax && oldest !== undefined) minutes.delete(oldest);
  };

  return {
    /** Reads a line that a function wrote; a line in another format counts nothing. */
    add(line: string): void {
      for (const [key, value] of readCounts(line)) count(key, value);
    },
    /** From `begin` on and before `end` (milliseconds since the epoch); `undefined` without a value. */
    sum(key: string, begin: number, end: number): number | undefined {
      const values = [...(minutesByKey.get(key) ?? [])]
        .filter(([minute]) => minute * minuteMilliseconds >= begin && minute * minuteMilliseconds < end)
        .map(([, value]) => value);
      return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
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

function readCounts(line: string): (readonly [string, number])[] {
  const { success, output: fields } = v.safeParse(embeddedMetrics, line);
  if (!success) return [];
  return fields._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, String(fields[name])]));
      return Metrics.map(({ Name }) => {
        const values = [fields[Name]].flat().map(Number).filter(Number.isFinite);
        const value = values.reduce((sum, one) => sum + one, 0);
        return [metricKey(Namespace, Name, dimensions), value] as const;
      });
    }),
  );
}
