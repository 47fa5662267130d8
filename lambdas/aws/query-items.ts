import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from './items.ts';

/** The first items of a query, page after page: up to `limit`, or all of them. */
export async function queryItems(
  client: DynamoDBClient,
  request: QueryCommandInput,
  limit?: number,
): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const Limit = limit === undefined ? undefined : limit - items.length;
    const query = new QueryCommand({ ...request, Limit, ExclusiveStartKey: from });
    const { Items = [], LastEvaluatedKey } = await client.send(query);
    items.push(...Items);
    from = LastEvaluatedKey;
  } while (from !== undefined && (limit === undefined || items.length < limit));
  return items;
}
