import type { AlarmName } from '../../lambdas/contract/alarm-guide.ts';

/** What an alarm goes by, as CloudWatch has it. */
export interface AlarmRule {
  /** `undefined` for a metric as it is. */
  readonly expression?: string | undefined;
  readonly statistics: readonly string[];
  readonly periodSeconds: number;
  readonly threshold: number;
  readonly comparison: string;
  /** What a period without data counts as. */
  readonly missing: string;
}

/** The value of each minute from `begin` on (milliseconds since the epoch). */
export interface Minutes {
  readonly begin: number;
  readonly values: readonly (number | undefined)[];
}

/** What put an alarm on, and when it ends if nothing new comes; times in ISO 8601. */
export interface Occurrences {
  /** `null` for a level, such as the age of an event. */
  readonly count: number | null;
  /** Such as `refused signatures`. */
  readonly counted: string;
  readonly first_at: string;
  readonly last_at: string;
  readonly ends_at: string;
}

/** About an alarm whose level is zero. */
export const nothingIsLeft = 'Nothing is left. If it does not end within minutes, see the runbook.';

const minuteMilliseconds = 60_000;
const lookBackMillisecondsMax = 24 * 60 * minuteMilliseconds;

/** Where the occurrences of an alarm are that has been on since then; `undefined` for one that has none. */
export function spanOf(rule: AlarmRule, since: number, now: number) {
  if (kindOf(rule) === undefined) return undefined;
  const begin = Math.max(since - rule.periodSeconds * 1_000, now - lookBackMillisecondsMax);
  const minute = (time: number): number => Math.floor(time / minuteMilliseconds) * minuteMilliseconds;
  return { begin: minute(begin), end: minute(now) + minuteMilliseconds };
}

/**
 * `null` for an alarm that fires because something is missing, that keeps its state until nothing is left, or
 * that goes by a share; and where CloudWatch has no values yet.
 */
export function occurrencesOf(
  alarm: string,
  rule: AlarmRule,
  { begin, values }: Minutes,
  now: number,
): Occurrences | null {
  const kind = kindOf(rule);
  if (kind === undefined) return null;
  const timeOf = (index: number): number => begin + index * minuteMilliseconds;
  const from = kind === 'count' ? Number.MIN_VALUE : rule.threshold;
  const hits = values.flatMap((value = 0, index) => (value >= from ? [index] : []));
  const [first, last] = [hits[0], hits.at(-1)];
  if (first === undefined || last === undefined) return null;
  const length = rule.periodSeconds / 60;
  const breachesAt = (end: number): boolean => {
    const window = values.slice(Math.max(0, end - length), end).map((value = 0) => value);
    return (kind === 'count' ? sumOf(window) : Math.max(0, ...window)) >= rule.threshold;
  };
  // The first minute at which the latest period is below the threshold again.
  let end = Math.floor((now - begin) / minuteMilliseconds) + 1;
  while (breachesAt(end)) end += 1;
  return {
    count: kind === 'count' ? sumOf(values.map((value = 0) => value)) : null,
    counted: (nouns as Readonly<Record<string, string>>)[alarm] ?? 'times',
    ...{ first_at: isoOf(timeOf(first)), last_at: isoOf(timeOf(last)), ends_at: isoOf(timeOf(end)) },
  };
}

/** Whether what the alarm adds up, or the highest of it, can be said of each minute too. */
function kindOf({
  expression = '',
  statistics,
  comparison,
  missing,
}: AlarmRule): 'count' | 'level' | undefined {
  if (comparison !== 'GreaterThanOrEqualToThreshold' || missing === 'breaching' || missing === 'ignore')
    return undefined;
  const isSum = statistics.every((statistic) => statistic === 'Sum' || statistic === 'SampleCount');
  if (isSum && /^(FILL\(\w+, 0\)( \+ )?)*$/.test(expression)) return 'count';
  const isMaximum = statistics.every((statistic) => statistic === 'Maximum');
  return isMaximum && /^(MAX\(\[)?(FILL\(\w+, 0\)(, )?)*(\]\))?$/.test(expression) ? 'level' : undefined;
}

const nouns: Partial<Record<AlarmName, string>> = {
  ForgeriesFound: 'forgeries',
  RecordsRetried: 'retries',
  WebhookServerErrors: 'failed requests',
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const isoOf = (time: number): string => new Date(time).toISOString();

/** Such as `14:02Z`; a time of another day has its date. */
const utcText = (at: string, now: number): string =>
  `${at.slice(at.slice(0, 10) === isoOf(now).slice(0, 10) ? 11 : 0, 16)}Z`;

/** In a sentence: `5 refused signatures between 14:02Z and 14:09Z; ends by itself at 15:10Z if …`. */
export function occurrencesSentence(
  { count, counted, ...times }: Occurrences,
  now: number,
  timeText: (at: string, now: number) => string = utcText,
): string {
  const [first, last, ends] = [times.first_at, times.last_at, times.ends_at].map((at) => timeText(at, now));
  const when = first === last ? `at ${last}` : `between ${first} and ${last}`;
  const isOver = Date.parse(times.ends_at) - now <= minuteMilliseconds;
  // CloudWatch has a value some minutes later.
  const isRecent = now - Date.parse(times.last_at) < 5 * minuteMilliseconds;
  const end = isOver ? 'ends by itself within minutes' : `ends by itself at ${ends}`;
  const many = count === null ? 'Above its threshold' : count === 1 ? 'Once' : `${count} ${counted}`;
  return `${many} ${when}${isRecent ? '' : ', none since'}; ${end} if nothing new comes.`;
}
