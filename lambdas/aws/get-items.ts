import { setTimeout } from 'node:timers/promises';
import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { batchGetKeysMax, batchGetPauseMilliseconds, batchGetRoundsMax } from '../contract/limits.ts';
import type { Item } from './items.ts';

export interface GetItems {
  readonly tableName: string;
  readonly keys: readonly Item[];
  /** Attribute names; all attributes when omitted. */
  readonly projection?: readonly string[];
  readonly consistent: boolean;
}

/**
 * Reads any number of items by key, in no particular order; missing items are left out. DynamoDB leaves keys
 * unprocessed when it throttles, and above 16 MB: those of all requests are read in the next round, after a
 * pause.
 */
export async function getItems(
  client: DynamoDBClient,
  request: GetItems,
  pause: (milliseconds: number) => Promise<unknown> = setTimeout,
): Promise<Item[]> {
  const items: Item[] = [];
  let open = request.keys;
  for (let round = 1; ; round += 1) {
    const batches = await Promise.all(chunksOf(open).map((keys) => getBatch(client, { ...request, keys })));
    items.push(...batches.flatMap((batch) => batch.items));
    open = batches.flatMap(({ unprocessed }) => unprocessed);
    if (open.length === 0) return items;
    if (round === batchGetRoundsMax) {
      throw new Error(
        `DynamoDB left ${open.length} of ${request.keys.length} keys unread after ${round} rounds.`,
      );
    }
    // Random, so that requests that were throttled together do not come back together.
    await pause(Math.random() * batchGetPauseMilliseconds * 2 ** (round - 1));
  }
}

async function getBatch(
  client: DynamoDBClient,
  { tableName, keys, projection, consistent }: GetItems,
): Promise<{ readonly items: readonly Item[]; readonly unprocessed: readonly Item[] }> {
  const fields = projection && {
    ProjectionExpression: projection.map((_, index) => `#a${index}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(projection.map((name, index) => [`#a${index}`, name])),
  };
  const { Responses, UnprocessedKeys } = await client.send(
    new BatchGetItemCommand({
      RequestItems: { [tableName]: { Keys: [...keys], ConsistentRead: consistent, ...fields } },
    }),
  );
  return { items: Responses?.[tableName] ?? [], unprocessed: UnprocessedKeys?.[tableName]?.Keys ?? [] };
}

function chunksOf(keys: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(keys.length / batchGetKeysMax);
  return Array.from({ length: count }, (_, n) => keys.slice(n * batchGetKeysMax, (n + 1) * batchGetKeysMax));
}
