import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { batchGetKeysMax, batchGetRoundsMax } from '../contract/limits.ts';
import type { Item } from './dynamodb.ts';

export interface GetItems {
  readonly tableName: string;
  readonly keys: readonly Item[];
  /** Attribute names; every attribute without it. */
  readonly projection?: readonly string[];
  readonly consistent?: boolean;
}

/** Any number of items by their keys, in no particular order; what is not there is left out. */
export async function getItems(client: DynamoDBClient, request: GetItems): Promise<Item[]> {
  const items: Item[] = [];
  for (let at = 0; at < request.keys.length; at += batchGetKeysMax) {
    const keys = request.keys.slice(at, at + batchGetKeysMax);
    items.push(...(await getBatch(client, { ...request, keys })));
  }
  return items;
}

/** One BatchGetItem, repeated for the keys that DynamoDB left unprocessed. */
async function getBatch(
  client: DynamoDBClient,
  { tableName, keys, projection, consistent = false }: GetItems,
): Promise<Item[]> {
  const names = (projection ?? []).map((name, index): [string, string] => [`#a${index}`, name]);
  const fields = projection && {
    ProjectionExpression: names.map(([placeholder]) => placeholder).join(', '),
    ExpressionAttributeNames: Object.fromEntries(names),
  };
  const items: Item[] = [];
  let open: Item[] = [...keys];
  for (let round = 0; round < batchGetRoundsMax; round += 1) {
    const answer = await client.send(
      new BatchGetItemCommand({
        RequestItems: { [tableName]: { Keys: open, ConsistentRead: consistent, ...fields } },
      }),
    );
    items.push(...(answer.Responses?.[tableName] ?? []));
    open = answer.UnprocessedKeys?.[tableName]?.Keys ?? [];
    if (open.length === 0) return items;
  }
  throw new Error(
    `DynamoDB left ${open.length} of ${keys.length} keys unread after ${batchGetRoundsMax} rounds.`,
  );
}
