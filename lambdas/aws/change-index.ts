import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Change, type ChangePosition, changeOf, comparePositions } from '../contract/change-position.ts';
import { indexPageChangesMax, indexPagesMax } from '../contract/limits.ts';
import { changeShardsOf, changesIndexName, orderAttributes } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';
import type { ChangePage, ChangeReader } from '../ports/stores.ts';
import { type Item, requiredText } from './items.ts';
import { queryPage } from './table.ts';

/**
 * Implements the port of the "changed since" index of `orders`: queries every shard and merges the results.
 */
export function createChangeIndex(client: DynamoDBClient, tableName: string): ChangeReader {
  const table = { client, name: tableName };

  async function page(shard: string, { position, isBackward }: Walk, { after, limit }: Page) {
    const { changeShard, updatedAt } = orderAttributes;
    const text = `#${changeShard} = :shard AND #${updatedAt} ${isBackward ? '<=' : '>='} :from`;
    const { items, last } = await queryPage(table, {
      where: { text, values: { ':shard': shard, ':from': position.updatedAt } },
      IndexName: changesIndexName,
      ScanIndexForward: !isBackward,
      Limit: limit,
      ExclusiveStartKey: after,
    });
    return { changes: items.map(toChange), last };
  }

  /**
   * At least the first `limit` changes of one shard behind the position. The index does not order changes of
   * one millisecond, so paging continues until the last millisecond of the page is complete, in large pages:
   * one millisecond may hold more changes than `indexPagesMax` pages of a small limit. An order that changes
   * between two pages is on both: its latest change counts.
   */
  async function readShard(shard: string, walk: Walk, limit: number): Promise<Change[]> {
    let found: Change[] = [];
    let after: Item | undefined;
    for (let pages = 0; pages < indexPagesMax; pages += 1) {
      const size = pages === 0 ? limit + 1 : indexPageChangesMax;
      const { changes, last } = await page(shard, walk, { after, limit: size });
      const again = new Set(changes.map(({ key }) => key));
      found = found.filter(({ key }) => !again.has(key));
      found.push(...changes.filter((change) => walk.compare(change, walk.position) > 0));
      const boundary = found[limit - 1]?.updatedAt;
      const isPast = found.slice(limit).some(({ updatedAt }) => updatedAt !== boundary);
      if (last === undefined || isPast) return found;
      after = last;
    }
    throw new Error(`The index partition ${shard} did not end within ${indexPagesMax} pages.`);
  }

  async function readShards(mode: Mode, walk: Walk, limit: number): Promise<ChangePage> {
    const shards = await Promise.all(changeShardsOf(mode).map((shard) => readShard(shard, walk, limit)));
    const found = shards.flat().toSorted(walk.compare);
    return { changes: found.slice(0, limit), more: found.length > limit };
  }

  return {
    after(mode, position, limit) {
      return readShards(mode, { position, isBackward: false, compare: comparePositions }, limit);
    },
    before(mode, position, limit) {
      const compare: Walk['compare'] = (a, b) => comparePositions(b, a);
      return readShards(mode, { position, isBackward: true, compare }, limit);
    },
  };
}

/** The direction of reading, and where it begins. */
interface Walk {
  readonly position: ChangePosition;
  readonly isBackward: boolean;
  /** Orders by this direction. */
  readonly compare: (a: ChangePosition, b: ChangePosition) => number;
}

interface Page {
  /** The last item of the page before. */
  readonly after: Item | undefined;
  readonly limit: number;
}

const toChange = (item: Item): Change =>
  changeOf(requiredText(item, orderAttributes.updatedAt), requiredText(item, orderAttributes.key));
