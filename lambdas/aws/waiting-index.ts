import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { waitingPagesMax } from '../contract/limits.ts';
import { eventAttributes, waitingIndexName, waitingPartition } from '../contract/schema.ts';
import type { WaitingName, WaitingReader } from '../ports/waiting-reader.ts';
import { type Item, requiredText, text } from './dynamodb.ts';

/** Implements the port of the index of what waits. It reads a bounded number of pages of each partition. */
export function createWaitingIndex(client: DynamoDBClient, tableName: string): WaitingReader {
  async function* pages(partition: string, selection: Partial<QueryCommandInput>) {
    let from: Item | undefined;
    for (let page = 0; page < waitingPagesMax; page += 1) {
      const result = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: waitingIndexName,
          KeyConditionExpression: `${eventAttributes.waiting} = :partition`,
          ExpressionAttributeValues: { ':partition': text(partition) },
          ...selection,
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        }),
      );
      yield result;
      from = result.LastEvaluatedKey;
      if (from === undefined) return;
    }
  }

  return {
    async count(mode, kind) {
      let count = 0;
      for await (const { Count = 0 } of pages(waitingPartition(mode, kind), { Select: 'COUNT' }))
        count += Count;
      return count;
    },

    async oldest(mode, kind) {
      const { value } = await pages(waitingPartition(mode, kind), { Limit: 1 }).next();
      return value?.Items?.[0]?.[eventAttributes.recordedAt]?.S;
    },

    async eventNames(mode) {
      const names: WaitingName[] = [];
      const selection = { ProjectionExpression: `event_name, ${eventAttributes.recordedAt}` };
      for await (const { Items = [] } of pages(waitingPartition(mode, 'event_name'), selection)) {
        const found = Items.map((item) => ({
          eventName: requiredText(item, 'event_name'),
          recordedAt: requiredText(item, eventAttributes.recordedAt),
        }));
        names.push(...found);
      }
      return names;
    },
  };
}
