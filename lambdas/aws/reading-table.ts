import {
  type DynamoDBClient,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { eventAttributes, eventRecord, waitingPartition } from '../contract/schema.ts';
import type { Reading, ReadingWriter } from '../ports/readings.ts';
import { asStoreError, conditionFailure, text, textItem } from './dynamodb.ts';
import { toPlainRow } from './plain-row.ts';

/** Implements the port that corrects what rows of `events` say about their bodies. */
export function createReadingTable(client: DynamoDBClient, tableName: string): ReadingWriter {
  return {
    async reread(reading) {
      const Key = {
        [eventAttributes.key]: text(reading.key),
        [eventAttributes.record]: text(reading.record ?? eventRecord.event),
      };
      await toPlainRow(client, { tableName, Key });
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key,
            ...rereadExpression(reading),
          }),
        );
      } catch (error) {
        if (conditionFailure(error) === undefined) throw asStoreError(error);
      }
    },
  };
}

function rereadExpression(reading: Reading): Omit<UpdateItemCommandInput, 'TableName' | 'Key'> {
  const fields = {
    outcome: reading.outcome,
    [eventAttributes.waiting]: reading.waiting && waitingPartition(reading.mode, reading.waiting),
    event_name: reading.eventName,
    order_id: reading.orderId,
    transaction_id: reading.transactionId,
    assigned_order_id: reading.assignedOrderId,
    fact: reading.fact,
  };
  const set = textItem(fields);
  const removed = Object.keys(fields).filter((name) => set[name] === undefined);
  const changes = Object.keys(set).map((name) => `#${name} = :${name}`);
  return {
    UpdateExpression:
      `SET ${changes.join(', ')}` +
      (removed.length === 0 ? '' : ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}`),
    ConditionExpression: 'body_sha256 = :bodySha256 AND #outcome = :from',
    ExpressionAttributeNames: Object.fromEntries(Object.keys(fields).map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ':bodySha256': text(reading.bodySha256),
      ':from': text(reading.from),
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
    },
  };
}
