import { waitingCountedMinutes } from '../contract/alarm-thresholds.ts';
import { waitingCountIntervalMinutes } from '../contract/limits.ts';
import { type LevelKind, levelKinds, metricNames } from '../contract/metrics.ts';
import type { Mode } from '../domain/signature.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { WaitingReader } from '../ports/waiting-reader.ts';

export interface WaitingCountParts {
  readonly waiting: Pick<WaitingReader, 'count'>;
  readonly telemetry: Telemetry;
}

/** How many rows of each kind wait, in both modes. */
export type WaitingCounts = Readonly<Record<LevelKind, number>>;

/** So many counts after the last row, the alarm for it may still be on. */
const countsOfAlarm = Math.ceil(waitingCountedMinutes / waitingCountIntervalMinutes);

const modes: readonly Mode[] = ['live', 'sandbox'];

/**
 * Counts what waits for a person into a gauge, and returns the counts to an operator who invokes it. Throws
 * what the index throws: a count that is not complete is none.
 *
 * A kind that begins to wait while the alarm for another row is on is counted too, because that one sends no
 * mail. The first count of an instance cannot know that.
 */
export function createWaitingCount(parts: WaitingCountParts): () => Promise<WaitingCounts> {
  const { telemetry } = parts;
  let before: WaitingCounts | undefined;
  let latest: readonly number[] = [];
  return async function countWaiting() {
    try {
      const counts = await countAll(parts);
      const added = levelKinds.filter((kind) => counts[kind] > 0 && before?.[kind] === 0).length;
      const rows = levelKinds.reduce((sum, kind) => sum + counts[kind], 0);
      telemetry.measure(metricNames.decisionsWaiting, rows, 'Count');
      if (added > 0 && Math.max(...latest) > 0) telemetry.count(metricNames.waitingKindsAdded, added);
      latest = [...latest, rows].slice(-countsOfAlarm);
      const detail = describe(counts);
      if (before === undefined || detail !== describe(before))
        telemetry.log('notice', 'waiting counted', { detail });
      before = counts;
      return counts;
    } finally {
      telemetry.flush();
    }
  };
}

async function countAll({ waiting }: WaitingCountParts): Promise<WaitingCounts> {
  const entries = levelKinds.map(async (kind): Promise<[LevelKind, number]> => {
    const [live = 0, sandbox = 0] = await Promise.all(modes.map((mode) => waiting.count(mode, kind)));
    return [kind, live + sandbox];
  });
  return Object.fromEntries(await Promise.all(entries)) as WaitingCounts;
}

function describe(counts: WaitingCounts): string {
  const waiting = levelKinds.filter((kind) => counts[kind] > 0);
  if (waiting.length === 0) return 'nothing waits';
  return waiting.map((kind) => `${kind} ${counts[kind]}`).join(', ');
}
