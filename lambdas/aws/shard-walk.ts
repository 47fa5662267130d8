import { type Change, type ChangePosition, comparePositions } from '../contract/change-position.ts';
import { indexPageChangesMax, indexPagesMax } from '../contract/limits.ts';
import { changeShardsOf } from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { Item } from './items.ts';
import { queryPages, type Table } from './table.ts';

/** An index with a time as its sort key, spread over shards. */
export interface ShardedIndex<Entry extends Change> {
  readonly name: string;
  /** The attributes that are its keys. */
  readonly shard: string;
  readonly time: string;
  read(item: Item): Entry;
}

export interface Walk {
  readonly mode: AnyMode;
  /** The entries behind it are found. */
  readonly position: ChangePosition;
  /** Where a walk to older entries ends, inclusive; not after the position. */
  readonly since?: string | undefined;
  readonly limit: number;
  /** How many entries of each shard are read: as many as the limit, or fewer for a page that may be short. */
  readonly ofShard?: number | undefined;
}

/** Queries every shard of an index, oldest first by default, and merges the results. */
export function createShardWalk<Entry extends Change>(
  table: Table,
  index: ShardedIndex<Entry>,
  order?: 'newest first',
) {
  const isBackward = order === 'newest first';
  const compare = (a: ChangePosition, b: ChangePosition): number =>
    isBackward ? comparePositions(b, a) : comparePositions(a, b);

  /**
   * At least the first `limit` entries of one shard behind the position. The index does not order entries of
   * one millisecond, so paging continues until the last millisecond of the page is complete, in large pages:
   * one millisecond may hold more entries than `indexPagesMax` pages of a small limit. An order that changes
   * between two pages is on both: its latest change counts.
   */
  async function readShard(shard: string, { position, since, limit }: Walk) {
    const range = since === undefined ? (isBackward ? '<= :from' : '>= :from') : 'BETWEEN :since AND :from';
    const where = {
      text: `#${index.shard} = :shard AND #${index.time} ${range}`,
      values: { ':shard': shard, ':from': position.updatedAt, ':since': since },
    };
    const query = { where, IndexName: index.name, ScanIndexForward: !isBackward, Limit: limit + 1 };
    const bounds = { pagesMax: indexPagesMax, furtherLimit: indexPageChangesMax };
    let found: Entry[] = [];
    for await (const { items, last } of queryPages(table, query, bounds)) {
      const entries = items.map(index.read);
      const again = new Set(entries.map(({ key }) => key));
      found = found.filter(({ key }) => !again.has(key));
      found.push(...entries.filter((entry) => compare(entry, position) > 0));
      const boundary = found[limit - 1]?.updatedAt;
      const isPast = found.slice(limit).some(({ updatedAt }) => updatedAt !== boundary);
      // Behind its end, entries may be missing.
      const end = last === undefined ? undefined : found.toSorted(compare)[limit - 1];
      if (last === undefined || isPast) return { found, end };
    }
    throw new Error(`The index partition ${shard} did not end within ${indexPagesMax} pages.`);
  }

  return async function walk(
    given: Walk,
  ): Promise<{ readonly found: readonly Entry[]; readonly more: boolean }> {
    const { mode, limit, ofShard = limit } = given;
    const read = (shard: string) => readShard(shard, { ...given, limit: ofShard });
    const shards = await Promise.all(changeShardsOf(mode).map(read));
    const [end] = shards.flatMap((shard) => shard.end ?? []).toSorted(compare);
    const all = shards.flatMap(({ found }) => found).toSorted(compare);
    const known = end === undefined ? all : all.filter((entry) => compare(entry, end) <= 0);
    return { found: known.slice(0, limit), more: end !== undefined || all.length > limit };
  };
}
