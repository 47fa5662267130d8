import type { BusMessage, History, InvocationRecord, MetricValue } from './history.ts';

type Kept =
  | 'heartbeats'
  | 'expiredRows'
  | 'eventChanges'
  | 'bus'
  | 'metrics'
  | 'invocations'
  | 'calls'
  | 'streamRecords';
type Lists = { -readonly [Name in Kept]: History[Name][number][] };

/** Collects what happens in a world, for the history of its run. */
export interface Recorder extends Readonly<Lists> {
  readonly counters: Map<string, number>;
  count(name: string, times?: number): void;
  /** Keeps the metrics in a line that a function wrote. */
  addLine(line: { readonly at: number; readonly stage: string; readonly text: string }): void;
}

export function createRecorder(): Recorder {
  const counters = new Map<string, number>();
  const metrics: MetricValue[] = [];
  return {
    heartbeats: [],
    expiredRows: [],
    eventChanges: [],
    bus: [] as BusMessage[],
    metrics,
    invocations: [] as InvocationRecord[],
    calls: [],
    streamRecords: [],
    counters,
    count(name, times = 1) {
      counters.set(name, (counters.get(name) ?? 0) + times);
    },
    addLine({ at, stage: from, text }) {
      for (const [name, value] of metricsIn(text)) metrics.push({ at, from, name, value });
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
