import { evidenceLines } from '../lambdas/contract/evidence.ts';

/** A row of an act as the table has it, or as a line describes it. */
export interface EvidencedRow {
  readonly event_key: string;
  readonly record: string;
  readonly sha256: string;
  readonly act: string | null;
  readonly by: string | null;
}

export interface EvidenceLine extends EvidencedRow {
  readonly message: string;
  /** When it was written; milliseconds since the epoch. */
  readonly at: number;
}

/**
 * `inserted`: no line is about the row · `changed`: its lines are about another content · `removed`: it was
 * committed, and is gone · `unproven`: it is older than the lines.
 */
export interface Finding extends EvidencedRow {
  readonly kind: 'inserted' | 'changed' | 'removed' | 'unproven';
}

interface Compared {
  readonly rows: readonly EvidencedRow[];
  readonly lines: readonly EvidenceLine[];
  /** When the rows began to be read; milliseconds since the epoch, like the others. */
  readonly readAt: number;
  /** No row and no line of an act before this is compared. */
  readonly since: number;
  /** From when on the log group has lines. */
  readonly linesSince: number;
}

/** Both ways. A planned row that is not there is no finding: its commit failed. */
export function compareEvidence(compared: Compared): readonly Finding[] {
  const { rows, lines, readAt, since, linesSince } = compared;
  const known = Map.groupBy(lines, idOf);
  const found = new Set(rows.map(idOf));
  const wrong = rows.flatMap((row): Finding[] => {
    const own = known.get(idOf(row)) ?? [];
    if (own.some(({ sha256 }) => sha256 === row.sha256)) return [];
    const kind = timeOf(row) < linesSince ? 'unproven' : 'inserted';
    return [{ ...row, kind: own.length > 0 ? 'changed' : kind }];
  });
  const removed = [...known].flatMap(([id, own]): Finding[] => {
    const committed = own.find(({ message }) => message === evidenceLines.committed);
    // A row that was written while the table was read may have been passed by.
    if (committed === undefined || found.has(id) || committed.at >= readAt) return [];
    const { message: _, at: __, ...row } = committed;
    return timeOf(row) < since ? [] : [{ ...row, kind: 'removed' }];
  });
  return [...wrong, ...removed].toSorted((a, b) => (timeTextOf(a) < timeTextOf(b) ? -1 : 1));
}

const idOf = ({ event_key, record }: EvidencedRow): string => `${event_key}\n${record}`;

/** The time of an act in its sort key. */
export const timeTextOf = ({ record }: Pick<EvidencedRow, 'record'>): string =>
  /^act:(.+):[^:]*$/.exec(record)?.[1] ?? record;

/** `NaN` for a sort key that payhooks does not write, which no line proves either. */
const timeOf = (row: EvidencedRow): number => Date.parse(timeTextOf(row));
