import { type Counts, refusalReasons, type Series } from '../../contract/series.ts';
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

/** How far from a heartbeat a count may have it: two metrics may put a second into neighbouring minutes. */
const whileSent = [0, 1, -1];
/** A message may wait in the queue for as long as the consumer stands still. */
const untilRecorded = [...Array(leadMinutes + shownMinutes).keys()];

/** Reads the series of the last hour. */
export function createSeries({ resources, read, now, lateMinutes }: SeriesOptions): () => Promise<Series> {
  return async function readSeries() {
    const measured = await resources();
    // With none left out, the minute that has begun is the last one.
    const end = (Math.floor(now() / minute) + 1 - lateMinutes) * minute;
    const span = { begin: end - (leadMinutes + shownMinutes) * minute, end };
    const values = await read(metricsOf(measured), span);
    return seriesOf(values, end - shownMinutes * minute);
  };
}

function seriesOf(values: ReadonlyMap<MetricId, Values>, begin: number): Series {
  const all = (id: MetricId): Values =>
    values.get(id) ?? Array.from({ length: leadMinutes + shownMinutes }, () => undefined);
  const counts = (id: MetricId): Counts => all(id).map((value) => value ?? 0);
  const shown = <Value>(list: readonly Value[]): readonly Value[] => list.slice(-shownMinutes);
  const heartbeats = counts('beats');
  const refused = refusalReasons.map((reason) => [reason, shown(counts(`refused_${reason}`))]);
  return {
    since: new Date(begin).toISOString(),
    accepted: shown(withoutHeartbeats(counts('sent'), heartbeats, whileSent)),
    recorded: shown(withoutHeartbeats(counts('deleted'), heartbeats, untilRecorded)),
    refused: Object.fromEntries(refused) as Series['refused'],
    oldest_seconds: shown(all('oldest')).map((value) => value ?? null),
  };
}

/** Takes heartbeats out of counts per minute: each out of the first of these distances that has a count. */
export function withoutHeartbeats(
  counts: Counts,
  heartbeats: Counts,
  minutes: readonly number[],
): readonly number[] {
  const left = [...counts];
  for (const [minute, count] of heartbeats.entries()) {
    let open = count;
    for (const distance of minutes) {
      const at = minute + distance;
      const taken = Math.min(open, left[at] ?? 0);
      if (taken <= 0) continue;
      left[at] = (left[at] ?? 0) - taken;
      open -= taken;
    }
  }
  return left;
}
