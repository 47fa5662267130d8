import { waitingKinds } from '../../../lambdas/contract/waiting-kinds.ts';
import { type Counts, type Levels, refusalReasons, type Series } from '../../contract/series.ts';
import { withoutHeartbeats } from './heartbeats.ts';
import { type MeasuredResources, type Metric, type MetricId, metricsOf } from './metrics.ts';

/** Milliseconds since the epoch; both are whole minutes. */
interface Span {
  readonly begin: number;
  readonly end: number;
}

/** Each metric's values, one per minute of the span; `undefined` where there is none. */
type ReadMetrics = (
  metrics: ReadonlyMap<MetricId, Metric>,
  span: Span,
) => Promise<ReadonlyMap<MetricId, Values>>;
export type Values = readonly (number | undefined)[];

interface SeriesOptions {
  readonly resources: () => Promise<MeasuredResources>;
  readonly read: ReadMetrics;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The newest minutes that are left out because they are not complete. */
  readonly lateMinutes: number;
}

const minute = 60_000;
const shownMinutes = 60;
/** Read before the first minute that is shown: heartbeats of that time may be recorded in the shown hour. */
const leadMinutes = 60;

/** Two metrics may put the same second into neighbouring minutes. */
const whileSent = { before: 1, after: 1 };
/** A message may wait in the queue for as long as the consumer stands still. */
const untilRecorded = { before: 0, after: leadMinutes + shownMinutes };

/** Reads the series of the last hour. */
export function createSeries({ resources, read, now, lateMinutes }: SeriesOptions): () => Promise<Series> {
  return async function readSeries() {
    const measured = await resources();
    // With none left out, the minute that has begun is the last one.
    const end = (Math.floor(now() / minute) + 1 - lateMinutes) * minute;
    const span = { begin: end - (leadMinutes + shownMinutes) * minute, end };
    const values = await read(metricsOf(measured), span);
    return seriesOf(values, { ...span, begin: end - shownMinutes * minute }, measured);
  };
}

function seriesOf(
  values: ReadonlyMap<MetricId, Values>,
  { begin, end }: Span,
  { heartbeat, measuresEvents }: MeasuredResources,
): Series {
  const all = (id: MetricId): Values =>
    values.get(id) ?? Array.from({ length: leadMinutes + shownMinutes }, () => undefined);
  const counts = (id: MetricId): Counts => all(id).map((value) => value ?? 0);
  const shown = <Value>(list: readonly Value[]): readonly Value[] => list.slice(-shownMinutes);
  const levels = (id: MetricId): Levels => shown(all(id)).map((value) => value ?? null);
  const returned = counts('returned');
  // The function runs once for each heartbeat that it sends, and once for each that returns.
  const heartbeats = counts('beats').map((runs, index) => Math.max(0, runs - (returned[index] ?? 0)));
  return {
    since: new Date(begin).toISOString(),
    until: new Date(end).toISOString(),
    accepted: shown(withoutHeartbeats(counts('sent'), heartbeats, whileSent)),
    recorded: shown(withoutHeartbeats(counts('deleted'), heartbeats, untilRecorded)),
    refused: byName(refusalReasons, (reason) => shown(counts(`refused_${reason}`))),
    waiting: byName(waitingKinds, (kind) => shown(gauge(all(`waiting_${kind}`)))),
    oldest_seconds: levels('oldest'),
    latency: {
      events: measuresEvents
        ? { mean: shown(means(all('latencySum'), all('latencyCount'))), slowest: levels('slowest') }
        : null,
      heartbeats: heartbeat === undefined ? null : levels('roundTrip'),
    },
  };
}

/** A gauge is emitted while something waits and for some minutes after that, so a gap after zero is zero. */
function gauge(values: Values): Levels {
  let last = 0;
  return values.map((value) => {
    if (value !== undefined) last = value;
    return value ?? (last === 0 ? 0 : null);
  });
}

const means = (sums: Values, numbers: Values): Levels =>
  sums.map((sum, index) => {
    const count = numbers[index] ?? 0;
    return sum === undefined || count === 0 ? null : sum / count;
  });

const byName = <Name extends string, Value>(names: readonly Name[], of: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>;
