import { createHash } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { History } from './history.ts';

type Kept = 'expiredRows' | 'eventChanges' | 'bus' | 'metrics' | 'invocations' | 'calls' | 'streamRecords';

/** A part of the history of a run. */
type Lists = { readonly [Name in Kept]: History[Name][number][] };

/** Collects what happens in a world, for the history of its run; `onLine` receives each line of its trace. */
export function createRecorder(clock: Pick<Clock, 'now'>, onLine: (line: string) => void = () => {}) {
  const lists: Lists = {
    ...{ expiredRows: [], eventChanges: [], bus: [] },
    ...{ metrics: [], invocations: [], calls: [], streamRecords: [] },
  };
  const counters: Record<string, number> = {};
  const hash = createHash('sha256');
  function count(name: string, times = 1): void {
    counters[name] = (counters[name] ?? 0) + times;
  }
  return {
    ...{ ...lists, count },
    history: { ...lists, counters },
    /** Everything that happens, line by line; two runs are equal when the hashes of their traces are. */
    trace(text: string): void {
      const line = `${new Date(clock.now()).toISOString()} ${text}`;
      hash.update(`${line}\n`);
      onLine(line);
    },
    /** The SHA-256 of all lines. */
    hash: (): string => hash.copy().digest('hex'),
    /** Keeps the metrics in a line that a function wrote. */
    addLine(from: string, text: string): void {
      for (const [name, value] of metricsIn(text)) {
        lists.metrics.push({ at: clock.now(), from, name, value });
        if (value > 0) count(`metric_${name}`);
      }
    },
  };
}

interface MetricLine {
  readonly _aws?: {
    readonly CloudWatchMetrics?: readonly { readonly Metrics: readonly { Name: string }[] }[];
  };
  readonly [name: string]: unknown;
}

/** What the count of what waits logs, such as `conflict 1, unsealed 2`. */
const waitingKinds = 'unassigned quarantined order_refused conflict unrecognised unsealed event_name'.split(
  ' ',
);
const countOf = (kind: string, text: string): number =>
  Number(new RegExp(`\\b${kind} (\\d+)`).exec(text)?.[1] ?? 0);

/** The values of a line in CloudWatch's embedded metric format. */
function metricsIn(text: string): [string, number][] {
  if (text.includes('"waiting counted"')) return waitingKinds.map((kind) => [kind, countOf(kind, text)]);
  if (!text.includes('"CloudWatchMetrics"')) return [];
  const line = JSON.parse(text) as MetricLine;
  const names = line._aws?.CloudWatchMetrics?.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name)) ?? [];
  return names.flatMap((name) => [line[name]].flat().map((value): [string, number] => [name, Number(value)]));
}
