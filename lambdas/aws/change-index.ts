import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type Change, type ChangePosition, changeOf, comparePositions } from '../contract/change-position.ts';
import { indexPageChangesMax, indexPagesMax } from '../contract/limits.ts';
import { changeShardsOf, changesIndexName, orderAttributes } from '../contract/schema.ts';
import type { ChangeReader } from '../ports/stores.ts';
import { type Item, requiredText, text } from './dynamodb.ts';

/**
 * Implements the port of the "changed since" index of `orders`: queries every shard and merges the results.
 */
export function createChangeIndex(client: DynamoDBClient, tableName: string): ChangeReader {
  async function page(shard: string, from: string, { after, limit }: Page) {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: changesIndexName,
        KeyConditionExpression: '#shard = :shard AND #updatedAt >= :from',
        ExpressionAttributeNames: {
          '#shard': orderAttributes.changeShard,
          '#updatedAt': orderAttributes.updatedAt,
        },
        ExpressionAttributeValues: { ':shard': text(shard), ':from': text(from) },
        Limit: limit,
        ...(after === undefined ? {} : { ExclusiveStartKey: after }),
      }),
    );
    return { changes: Items.map(toChange), last: LastEvaluatedKey };
  }

  /**
   * At least the first `limit` changes of one shard after the position. The index does not order changes of
   * one millisecond, so paging continues until the last millisecond of the page is complete, in large pages:
   * one millisecond may hold more changes than `indexPagesMax` pages of a small limit. An order that changes
   * between two pages is on both: its latest change counts.
   */
  async function shardAfter(shard: string, position: ChangePosition, limit: number): Promise<Change[]> {
    let found: Change[] = [];
    let after: Item | undefined;
    for (let pages = 0; pages < indexPagesMax; pages += 1) {
      const size = pages === 0 ? limit + 1 : indexPageChangesMax;
      const { changes, last } = await page(shard, position.updatedAt, { after, limit: size });
      const again = new Set(changes.map(({ key }) => key));
      found = found.filter(({ key }) => !again.has(key));
      found.push(...changes.filter((change) => comparePositions(change, position) > 0));
      const boundary = found[limit - 1]?.updatedAt;
      if (last === undefined || (boundary !== undefined && found.at(-1)?.updatedAt !== boundary))
        return found;
      after = last;
    }
    throw new Error(`The index partition ${shard} did not end within ${indexPagesMax} pages.`);
  }

  return {
    async after(mode, position, limit) {
      const shards = await Promise.all(
        changeShardsOf(mode).map((shard) => shardAfter(shard, position, limit)),
      );
      const found = shards.flat().toSorted(comparePositions);
      return { changes: found.slice(0, limit), more: found.length > limit };
    },
  };
}

interface Page {
  /** The last item of the page before. */
  readonly after: Item | undefined;
  readonly limit: number;
}

function toChange(item: Item): Change {
  return changeOf(requiredText(item, orderAttributes.updatedAt), requiredText(item, orderAttributes.key));
}
