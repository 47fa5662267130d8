import { waitingRearmCounts } from '../contract/alarm-thresholds.ts';
import { type WaitingKind, waitingKinds } from '../contract/waiting-kinds.ts';

/**
 * The number of rows that wait, for the one alarm over all kinds. When a further kind begins to wait while
 * the alarm is on, the number is 0 for some counts, which end the alarm: so it fires, and notifies, again.
 */
export function createAlarmGauge() {
  let known: ReadonlySet<WaitingKind> = new Set();
  let latest = 0;
  let zerosLeft = 0;
  return function valueForAlarm(counts: Readonly<Record<WaitingKind, number>>): number {
    const waiting = waitingKinds.filter((kind) => counts[kind] > 0);
    if (latest > 0 && waiting.some((kind) => !known.has(kind))) zerosLeft = waitingRearmCounts;
    known = new Set(waiting);
    const isRearming = zerosLeft > 0;
    if (isRearming) zerosLeft -= 1;
    latest = isRearming ? 0 : waiting.reduce((sum, kind) => sum + counts[kind], 0);
    return latest;
  };
}
