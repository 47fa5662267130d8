import type { History } from './history.ts';

type Kept = 'expiredRows' | 'eventChanges' | 'bus' | 'metrics' | 'invocations' | 'calls' | 'streamRecords';

/** A part of the history of a run. */
type Lists = { readonly [Name in Kept]: History[Name][number][] };

/** Collects what happens in a world, for the history of its run. */
export function createRecorder() {
  const lists: Lists = {
    ...{ expiredRows: [], eventChanges: [], bus: [] },
    ...{ metrics: [], invocations: [], calls: [], streamRecords: [] },
  };
  const counters: Record<string, number> = {};
  function count(name: string, times = 1): void {
    counters[name] = (counters[name] ?? 0) + times;
  }
  return {
    ...{ ...lists, count },
    history: { ...lists, counters },
    /** Keeps the metrics in a line that a function wrote. */
    addLine({
      at,
      stage: from,
      text,
    }: {
      readonly at: number;
      readonly stage: string;
      readonly text: string;
    }) {
      for (const [name, value] of metricsIn(text)) {
        lists.metrics.push({ at, from, name, value });
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

/** The values of a line in CloudWatch's embedded metric format. */
function metricsIn(text: string): [string, number][] {
  if (!text.includes('"CloudWatchMetrics"')) return [];
  const line = JSON.parse(text) as MetricLine;
  const names = line._aws?.CloudWatchMetrics?.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name)) ?? [];
  return names.flatMap((name) => [line[name]].flat().map((value): [string, number] => [name, Number(value)]));
}
