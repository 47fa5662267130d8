import { evidenceLines, rowDigest } from '../contract/evidence.ts';
import type { RepairStore } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { actValues } from './act-table.ts';
import { placeOf, toItem } from './items.ts';

/**
 * A commit that writes a line of each row of an act before and after it (ADR 24). The reason is only in the
 * digest: it is free text. A commit whose outcome is unknown has no line after it.
 */
export function withEvidence(
  commit: RepairStore['commit'],
  { log }: Pick<Telemetry, 'log'>,
): RepairStore['commit'] {
  return async function committed(changes) {
    const lines = changes.acts.map(({ act, partition }) => {
      const item = toItem(actValues(act, partition));
      const { key: event_key, record } = placeOf(item);
      return { event_key, record, sha256: rowDigest(item), act: act.act, by: act.by };
    });
    for (const line of lines) log('notice', evidenceLines.planned, line);
    const result = await commit(changes);
    if (result.kind === 'committed') for (const line of lines) log('notice', evidenceLines.committed, line);
    return result;
  };
}
