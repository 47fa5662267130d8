import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { batchGetKeysMax, batchGetRoundsMax } from '../limits.ts';
import { eventAttributes, eventKey, eventRecord } from '../schema.ts';
import type { EventReader, EventRow, EventWriter, PutResult } from '../stores.ts';
import { asStoreError, conditionFailure, type Item, text } from './dynamodb.ts';
import { fromEventItem, requiredText, toEventItem } from './event-item.ts';

/** The table `events` behind its ports; SDK exceptions stop here. */
export function createEventTable(client: DynamoDBClient, tableName: string): EventWriter & EventReader {
  async function standingInTheWay(row: EventRow): Promise<Item> {
    const Key = { [eventAttributes.key]: text(row.key), [eventAttributes.record]: text(row.record) };
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: tableName,
        Key,
        ConsistentRead: true,
        ProjectionExpression: 'body_sha256, order_id',
      }),
    );
    // It expired between the two calls. The record is retried, and the put then finds the key free.
    if (Item === undefined) throw new Error('The row that stood in the way is gone.');
    return Item;
  }

  return {
    async put(row) {
      try {
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: toEventItem(row),
            ConditionExpression: `attribute_not_exists(${eventAttributes.key})`,
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return { kind: 'stored' };
      } catch (error) {
        const failure = conditionFailure(error);
        if (failure === undefined) throw asStoreError(error);
        return present(failure.item ?? (await standingInTheWay(row)));
      }
    },

    async find(mode, eventId) {
      const rows: EventRow[] = [];
      let from: Item | undefined;
      // Bounded by the bytes under one id: DynamoDB pages at 1 MB, and a page never comes back twice.
      do {
        const page = await client.send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: `${eventAttributes.key} = :key`,
            ExpressionAttributeValues: { ':key': text(eventKey(mode, eventId)) },
            ConsistentRead: true,
            ...(from === undefined ? {} : { ExclusiveStartKey: from }),
          }),
        );
        rows.push(...(page.Items ?? []).map(fromEventItem));
        from = page.LastEvaluatedKey;
      } while (from !== undefined);
      return rows;
    },

    async receivedAt(mode, eventIds) {
      const keys = [...new Set(eventIds)].map((eventId) => ({
        [eventAttributes.key]: text(eventKey(mode, eventId)),
        [eventAttributes.record]: text(eventRecord.event),
      }));
      const items: Item[] = [];
      for (let at = 0; at < keys.length; at += batchGetKeysMax) {
        items.push(...(await getAll(client, tableName, keys.slice(at, at + batchGetKeysMax))));
      }
      return new Map(
        items.map((item) => [requiredText(item, 'event_id'), requiredText(item, 'received_at')]),
      );
    },
  };
}

function present(item: Item): PutResult {
  const orderId = item['order_id']?.S;
  return {
    kind: 'present',
    bodySha256: requiredText(item, 'body_sha256'),
    ...(orderId === undefined ? {} : { orderId }),
  };
}

/** One BatchGetItem, repeated for the keys that DynamoDB left unprocessed. */
async function getAll(client: DynamoDBClient, tableName: string, keys: readonly Item[]): Promise<Item[]> {
  const items: Item[] = [];
  let open: Item[] = [...keys];
  for (let round = 0; round < batchGetRoundsMax; round += 1) {
    const answer = await client.send(
      new BatchGetItemCommand({
        RequestItems: { [tableName]: { Keys: open, ProjectionExpression: 'event_id, received_at' } },
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
