import { type DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { eventAttributes, eventKey, eventRecord } from '../contract/schema.ts';
import type { EventReader, EventRow, EventWriter, PutResult } from '../ports/stores.ts';
import { asStoreError, conditionFailure, type Item, requiredText, text } from './dynamodb.ts';
import { fromEventItem, fromSummaryItem, summaryAttributes, toEventItem } from './event-item.ts';
import { getItems } from './get-items.ts';

/** Implements the ports of the table `events`; SDK exceptions stop here. */
export function createEventTable(client: DynamoDBClient, tableName: string): EventWriter & EventReader {
  async function existingRow(row: EventRow): Promise<Item> {
    const Key = { [eventAttributes.key]: text(row.key), [eventAttributes.record]: text(row.record) };
    const { Item } = await client.send(
      new GetItemCommand({
        TableName: tableName,
        Key,
        ConsistentRead: true,
        ProjectionExpression: 'body_sha256, order_id',
      }),
    );
    // The next put finds the key free.
    if (Item === undefined)
      throw new Error('The existing row expired between two calls; the record is retried.');
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
        return present(failure.item ?? (await existingRow(row)));
      }
    },

    async find(mode, eventId) {
      const rows: EventRow[] = [];
      let from: Item | undefined;
      // Bounded by the bytes under one id: DynamoDB pages at 1 MB and never returns a page twice.
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

    async summaries(mode, eventIds) {
      const read = async (ids: readonly string[], consistent: boolean) => {
        const keys = ids.map((eventId) => ({
          [eventAttributes.key]: text(eventKey(mode, eventId)),
          [eventAttributes.record]: text(eventRecord.event),
        }));
        const items = await getItems(client, { tableName, keys, projection: summaryAttributes, consistent });
        return items.map((item) => [requiredText(item, 'event_id'), fromSummaryItem(item)] as const);
      };
      const ids = [...new Set(eventIds)];
      const found = new Map(await read(ids, false));
      // A row that such a read does not find may be new; a missing summary means that it has expired.
      const missing = ids.filter((id) => !found.has(id));
      return new Map([...found, ...(await read(missing, true))]);
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
