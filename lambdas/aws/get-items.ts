import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { batchGetKeysMax, batchGetRoundsMax } from '../contract/limits.ts';
import type { Item } from './dynamodb.ts';

export interface GetItems {
  readonly tableName: string;
  readonly keys: readonly Item[];
  /** Attribute names; all attributes when omitted. */
  readonly projection?: readonly string[];
  readonly consistent?: boolean;
}

/** Reads any number of items by key at the same time, in no particular order; missing items are left out. */
export async function getItems(client: DynamoDBClient, request: GetItems): Promise<Item[]> {
  const batches = Math.ceil(request.keys.length / batchGetKeysMax);
  const read = Array.from({ length: batches }, (_, batch) => {
    const keys = request.keys.slice(batch * batchGetKeysMax, (batch + 1) * batchGetKeysMax);
    return getBatch(client, { ...request, keys });
  });
  return (await Promise.all(read)).flat();
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
    const response = await client.send(
      new BatchGetItemCommand({
        RequestItems: { [tableName]: { Keys: open, ConsistentRead: consistent, ...fields } },
      }),
    );
    items.push(...(response.Responses?.[tableName] ?? []));
    open = response.UnprocessedKeys?.[tableName]?.Keys ?? [];
    if (open.length === 0) return items;
  }
  throw new Error(
    `DynamoDB left ${open.length} of ${keys.length} keys unread after ${batchGetRoundsMax} rounds.`,
  );
}
