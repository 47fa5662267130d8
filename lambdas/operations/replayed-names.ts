import { eventNameKey } from '../contract/schema.ts';
import type { ActUnderWay } from './act.ts';
import { commit } from './dismiss.ts';
import type { OperationsParts } from './parts.ts';
import type { ReplayCursor } from './replay-cursor.ts';

/**
 * A name that had no meaning waits until it has one and its events were replayed with it: at the end of a run
 * over everything since its first event, with the same meanings from the first page to the last.
 */
export async function endNames(parts: OperationsParts, act: ActUnderWay, run: ReplayCursor): Promise<void> {
  if (act.dryRun || run.of !== 'range' || run.until !== null || run.meaningsId !== parts.meaningsId) return;
  for (const { eventName } of await parts.waiting.eventNames(act.mode)) {
    const row = await parts.events.getEventName(act.mode, eventName);
    if (row?.waiting === undefined || parts.meaningOf(eventName) === undefined) continue;
    if (row.recordedAt > run.at || (run.since !== null && run.since > row.recordedAt)) continue;
    const { waiting: _, ...after } = row;
    const about = { subject: { eventName }, partitions: [eventNameKey(act.mode, eventName)] };
    // Otherwise an operator has judged it meanwhile.
    await commit(act, about, { names: [{ before: row, after }] });
  }
}
