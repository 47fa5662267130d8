import { waitingGapSeconds, waitingZerosSeconds } from '../contract/limits.ts';
import { type LevelKind, levelGauges, levelKinds } from '../contract/metrics.ts';
import type { Mode } from '../domain/signature.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { WaitingReader } from '../ports/waiting-reader.ts';

export interface WaitingCountParts {
  readonly waiting: Pick<WaitingReader, 'count'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

/** How many rows of each kind wait, in both modes. */
export type WaitingCounts = Readonly<Record<LevelKind, number>>;

const modes: readonly Mode[] = ['live', 'sandbox'];

/**
 * Counts what waits for a person into one gauge per kind, and returns the counts to an operator who invokes
 * it. Throws what the index throws: a count that is not complete is none.
 *
 * A gauge is emitted while rows of its kind wait, and as zero by the counts of some minutes after that, so
 * that an alarm which keeps its state without data ends. Counts that failed do not shorten that time. The
 * first count of an instance, and one after a gap, start it again: another instance may have seen the last
 * row.
 */
export function createWaitingCount(parts: WaitingCountParts): () => Promise<WaitingCounts> {
  const { now, telemetry } = parts;
  const quietSince = new Map<LevelKind, number>();
  let countedAt = Number.NEGATIVE_INFINITY;
  let reported: string | undefined;
  return async function countWaiting() {
    try {
      const counts = await countAll(parts);
      const at = now();
      if (at - countedAt > waitingGapSeconds * 1000) quietSince.clear();
      countedAt = at;
      for (const kind of levelKinds) {
        if (counts[kind] > 0) quietSince.delete(kind);
        else if (!quietSince.has(kind)) quietSince.set(kind, at);
        const quietSeconds = (at - (quietSince.get(kind) ?? at)) / 1000;
        if (quietSeconds < waitingZerosSeconds) telemetry.measure(levelGauges[kind], counts[kind], 'Count');
      }
      const detail = describe(counts);
      if (detail !== reported) telemetry.log('notice', 'waiting counted', { detail });
      reported = detail;
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
