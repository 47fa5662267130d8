import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { eventAttributes, eventNameKey, eventRecord } from '../contract/schema.ts';
import type { JudgementWriter } from '../ports/judgements.ts';
import { conditionFailure, type Item, text } from './dynamodb.ts';
import { fromEventNameItem } from './event-name-item.ts';
import { judgementExpression } from './judgement-expression.ts';
import { toPlainRow } from './plain-row.ts';

/** Implements the port of the judgements in the table `events`; SDK exceptions stop here. */
export function createJudgementTable(client: DynamoDBClient, tableName: string): JudgementWriter {
  const keyOf = (key: string, record: string): Item => ({
    [eventAttributes.key]: text(key),
    [eventAttributes.record]: text(record),
  });

  return {
    async judge(change) {
      const Key = keyOf(change.row.key, change.row.record);
      if (change.waiting != null) await toPlainRow(client, { tableName, Key });
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key,
            ...judgementExpression(change),
          }),
        );
        return true;
      } catch (error) {
        if (conditionFailure(error) === undefined) throw error;
        return false;
      }
    },

    async getEventName(mode, eventName) {
      const Key = keyOf(eventNameKey(mode, eventName), eventRecord.eventName);
      const get = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
      const { Item } = await client.send(get);
      return Item && fromEventNameItem(Item);
    },
  };
}
